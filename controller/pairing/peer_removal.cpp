// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/peer_removal.hpp"

#include "common/base/files.hpp"
#include "common/base/mutex.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/reachable.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/pairing/key_change.hpp"
#include "controller/pairing/own_desk.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

namespace submix::pairing {
namespace {

// Nodes speak ten times a second.
constexpr std::chrono::milliseconds kRollCall{220};
constexpr std::string_view kNodeProgram = "submix-node ";

/// This PC as a desk.
struct Desk {
  cluster::Membership membership;
  cluster::Identity identity;
  cluster::NumberedKey key;
};

Result<Desk> read_desk() {
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership) return fail("this PC is no desk: `submix desk` makes it one");
  if (!(*membership)->is_own)
    return fail("this PC has joined {}: run submix peers there", (*membership)->desk);
  auto identity = cluster::Identity::read(config_home());
  if (!identity || !(*membership)->desk_key)
    return fail(
        "this desk was made by an older Submix: "
        "start `submix desk` once, and let the PCs join again by code");
  if (identity->public_key() != (*membership)->desk_key)
    return fail(
        "{}: is not this desk's identity any more: "
        "start `submix desk` once, and let the PCs join again by code",
        cluster::Identity::file_in(config_home()).string());
  const auto key = cluster::ShowKey::read((*membership)->key_file);
  SUBMIX_TRY(key);
  return Desk{**membership, *identity, {*key, (*membership)->key_number}};
}

/// Who answers, and which nodes are there.
struct RollCall {
  std::set<PeerProgram> programs;
  std::set<std::string> nodes;
  std::map<std::string, std::string> hosts;  ///< of all nodes that have ever reported
};

RollCall call_the_roll(cluster::Bus& bus, const Desk& desk, const PeerList& list) {
  cluster::Cluster cluster(bus);
  Mutex mutex;
  RollCall roll;
  const auto readings = cluster.subscribe_readings([&](const auto& reading) {
    const MutexLock lock(mutex);
    roll.nodes.insert(reading.node);
  });
  const auto reports = cluster.watch_reports([&](const cluster::NodeReport& report) {
    const MutexLock lock(mutex);
    roll.hosts[report.node] = report.host;
  });
  auto programs = offer_key(bus, desk.identity, list, desk.key, {}, kRollCall);
  const MutexLock lock(mutex);
  roll.programs = std::move(programs);
  return roll;
}

std::vector<std::string> nodes_without_identity(const RollCall& roll) {
  std::vector<std::string> nodes;
  for (const auto& node : roll.nodes) {
    const auto is_its = [&](const auto& each) {
      return each.second == std::string(kNodeProgram) + node;
    };
    if (std::ranges::none_of(roll.programs, is_its)) nodes.push_back(node);
  }
  return nodes;
}

PeerNow peer_now(const RollCall& roll, const Peer& peer) {
  PeerNow now{peer};
  for (const auto& [key, program] : roll.programs) {
    if (key == peer.key) now.programs.push_back(program);
  }
  return now;
}

/// Whether another PC, listed as "rack1-2", calls itself by the name of `peer`, too.
bool is_name_shared(const PeerList& list, const Peer& peer) {
  return std::ranges::any_of(list.peers, [&](const Peer& other) {
    return other.key != peer.key && other.name.starts_with(peer.name + "-");
  });
}

/// The nodes of `peer`: those that run, and the silent ones whose computer has its name.
std::vector<std::string> all_nodes_of(const RollCall& roll, const PeerList& list,
                                      const Peer& peer) {
  auto nodes = nodes_of(peer_now(roll, peer));
  if (is_name_shared(list, peer)) return nodes;
  for (const auto& [node, host] : roll.hosts) {
    const bool is_listed = std::ranges::find(nodes, node) != nodes.end();
    if (host == peer.name && !roll.nodes.contains(node) && !is_listed) nodes.push_back(node);
  }
  return nodes;
}

Result<Peer> find_peer(const PeerList& list, const cluster::PublicKey& pc) {
  const auto found = std::ranges::find(list.peers, pc, &Peer::key);
  if (found != list.peers.end()) return *found;
  return fail("this PC is not on the desk's list any more");
}

/// Errors   The NATS server could not be given a new key: nothing has changed yet.
Result<void> check_server(const Desk& desk, const PeerList& list) {
  if (local::is_nats_running(list.nats_folder)) return {};
  if (!cluster::is_reachable(desk.membership.nats_url, desk.key.key)) return {};
  return fail(
      "the NATS server at {} is not this user's `submix desk` (its files are not in {}): "
      "end it, start `submix desk`, then remove the PC",
      desk.membership.nats_url, list.nats_folder.string());
}

/// Which of the programs that were there have not replied.
std::vector<SilentProgram> without_reply(const PeerList& list, const std::set<PeerProgram>& wanted,
                                         const std::set<PeerProgram>& replied) {
  std::vector<SilentProgram> missing;
  for (const auto& program : wanted) {
    if (replied.contains(program)) continue;
    const auto peer = std::ranges::find(list.peers, program.first, &Peer::key);
    missing.push_back({program.second, peer == list.peers.end() ? "this PC" : peer->name});
  }
  return missing;
}

/// Asks for consent without keeping other programs off the list. Returns who is there.
Result<RollCall> agree(const cluster::PublicKey& pc, const Consent& consent) {
  const auto desk = read_desk();
  SUBMIX_TRY(desk);
  const auto list = PeerBook::read(config_home());
  SUBMIX_TRY(list);
  SUBMIX_TRY(find_peer(*list, pc));
  SUBMIX_TRY(check_server(*desk, *list));
  const auto bus = bus_of_own_desk();
  if (bus == nullptr) return RollCall();
  auto roll = call_the_roll(*bus, *desk, *list);
  const auto others = nodes_without_identity(roll);
  if (!others.empty()) SUBMIX_TRY(consent(others));
  return roll;
}

/// Steps 1 and 2 of key_change.hpp. Returns who has replied.
Result<std::set<PeerProgram>> offer_next_key(const PeerBook& book, const Desk& desk, PeerList list,
                                             const std::set<PeerProgram>& wanted) {
  const auto bus = bus_of_own_desk();
  if (bus == nullptr && local::is_nats_running(list.nats_folder))
    return fail("the desk's NATS server does not answer, so nothing was changed; try again");
  const cluster::NumberedKey next{cluster::ShowKey::random(), desk.key.number + 1};
  list.next_key = next;
  SUBMIX_TRY(book.write(list));
  if (bus == nullptr) return std::set<PeerProgram>();
  return offer_key(*bus, desk.identity, list, next, wanted, kOfferPatience);
}

}  // namespace

std::vector<std::string> nodes_of(const PeerNow& peer) {
  std::vector<std::string> nodes;
  for (const auto& program : peer.programs) {
    if (program.starts_with(kNodeProgram)) nodes.push_back(program.substr(kNodeProgram.size()));
  }
  return nodes;
}

Result<PeerList> list_of_own_desk() {
  SUBMIX_TRY(read_desk());
  return PeerBook::read(config_home());
}

Result<PeersNow> peers_now() {
  const auto desk = read_desk();
  SUBMIX_TRY(desk);
  const auto list = PeerBook::read(config_home());
  SUBMIX_TRY(list);
  PeersNow now;
  now.is_unfinished = list->next_key.has_value();
  const auto bus = bus_of_own_desk();
  now.is_served = bus != nullptr;
  const auto roll = bus == nullptr ? RollCall() : call_the_roll(*bus, *desk, *list);
  for (const auto& peer : list->peers)
    now.peers.push_back(peer_now(roll, peer));
  now.nodes_without_identity = nodes_without_identity(roll);
  return now;
}

Result<Removal> remove_peer(const cluster::PublicKey& pc, const Consent& consent) {
  if (read_desk()) SUBMIX_TRY(finish_key_change_if_left());
  const auto roll = agree(pc, consent);
  SUBMIX_TRY(roll);

  const auto book = PeerBook::open(config_home());
  SUBMIX_TRY(book);
  const auto desk = read_desk();
  SUBMIX_TRY(desk);
  auto list = book->list();
  SUBMIX_TRY(list);
  const auto peer = find_peer(*list, pc);
  SUBMIX_TRY(peer);
  if (list->next_key) return fail("another removal is not finished yet; try again");
  Removal removal{*peer, all_nodes_of(*roll, *list, *peer)};
  std::erase_if(list->peers, [&](const Peer& each) { return each.key == pc; });
  auto wanted = roll->programs;
  std::erase_if(wanted, [&](const PeerProgram& each) { return each.first == pc; });
  const auto replied = offer_next_key(*book, *desk, *list, wanted);
  SUBMIX_TRY(replied);
  SUBMIX_TRY(finish_key_change(*book));
  removal.without_reply = without_reply(*list, wanted, *replied);
  return removal;
}

}  // namespace submix::pairing
