// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/roll_call.hpp"

#include "common/base/files.hpp"
#include "common/base/mutex.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/reachable.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/pairing/own_desk.hpp"

#include <algorithm>
#include <chrono>

namespace submix::pairing {
namespace {

// Nodes speak ten times a second.
constexpr std::chrono::milliseconds kRollCall{220};
constexpr const char* kNewDesk =
    "or make a new desk by `submix leave` and `submix desk`: every PC then joins again";

/// Whether another PC, listed as "rack1-2", calls itself by the name of `peer`, too.
bool is_name_shared(const PeerList& list, const Peer& peer) {
  return std::ranges::any_of(list.peers, [&](const Peer& other) {
    return other.key != peer.key && other.name.starts_with(peer.name + "-");
  });
}

/// Errors   The NATS server could not be told anything: nothing has changed yet.
Result<void> check_server(const Desk& desk, const PeerList& list) {
  if (local::is_nats_running(list.nats_folder)) return {};
  if (!cluster::is_reachable(desk.membership.nats_url, desk.key.key)) return {};
  return fail(
      "the NATS server at {} is not this user's `submix desk` (its files are not in {}): "
      "end it, start `submix desk`, then do this again",
      desk.membership.nats_url, list.nats_folder.string());
}

}  // namespace

Result<Desk> read_desk() {
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership) return fail("this PC is no desk: `submix desk` makes it one");
  if (!(*membership)->is_own)
    return fail("this PC has joined {}: run submix peers there", (*membership)->desk);
  if (!(*membership)->desk_key)
    return fail(
        "this desk was made by an older Submix: "
        "start `submix desk` once, and let the PCs join again by code");
  const auto identity = cluster::Identity::read(config_home());
  if (!identity) return fail("{}; {}", identity.error().message, kNewDesk);
  if (identity->public_key() != (*membership)->desk_key)
    return fail("{}: is not this desk's identity any more; {}",
                cluster::Identity::file_in(config_home()).string(), kNewDesk);
  const auto key = cluster::ShowKey::read((*membership)->key_file);
  SUBMIX_TRY(key);
  return Desk{**membership, *identity, {*key, (*membership)->key_number}};
}

Result<OpenedList> open_list() {
  auto book = PeerBook::open(config_home());
  SUBMIX_TRY(book);
  const auto desk = read_desk();
  SUBMIX_TRY(desk);
  const auto list = book->list();
  SUBMIX_TRY(list);
  if (list->next_key) return fail("another removal is not finished yet; try again");
  return OpenedList{*std::move(book), *desk, *list};
}

RollCall find_programs_of_peers(cluster::Bus& bus, const Desk& desk, const PeerList& list) {
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
    const auto is_its = [&](const auto& each) { return each.second == node_program(node); };
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

Result<RollCall> ask_consent(const cluster::PublicKey& pc, const Consent& consent) {
  const auto desk = read_desk();
  SUBMIX_TRY(desk);
  const auto list = PeerBook::read(config_home());
  SUBMIX_TRY(list);
  SUBMIX_TRY(find_peer(*list, pc));
  SUBMIX_TRY(check_server(*desk, *list));
  const auto bus = bus_of_own_desk();
  if (bus == nullptr) return RollCall();
  auto roll = find_programs_of_peers(*bus, *desk, *list);
  const auto others = nodes_without_identity(roll);
  if (!others.empty()) SUBMIX_TRY(consent(others));
  return roll;
}

}  // namespace submix::pairing
