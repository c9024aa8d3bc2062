// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/peer_removal.hpp"

#include "common/base/files.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/pairing/key_change.hpp"
#include "controller/pairing/own_desk.hpp"
#include "controller/pairing/roll_call.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace submix::pairing {
namespace {

constexpr std::string_view kNodeProgram = "submix-node ";

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

std::string node_program(const std::string& node) {
  return std::string(kNodeProgram) + node;
}

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
  const auto roll = bus == nullptr ? RollCall() : find_programs_of_peers(*bus, *desk, *list);
  for (const auto& peer : list->peers)
    now.peers.push_back(peer_now(roll, peer));
  now.nodes_without_identity = nodes_without_identity(roll);
  return now;
}

Result<Removal> remove_peer(const cluster::PublicKey& pc, const Consent& consent) {
  if (read_desk()) SUBMIX_TRY(finish_key_change_if_left());
  const auto roll = ask_consent(pc, consent);
  SUBMIX_TRY(roll);

  auto opened = open_list();
  SUBMIX_TRY(opened);
  auto& [book, desk, list] = *opened;
  const auto peer = find_peer(list, pc);
  SUBMIX_TRY(peer);
  Removal removal{*peer, all_nodes_of(*roll, list, *peer)};
  std::erase_if(list.peers, [&](const Peer& each) { return each.key == pc; });
  auto wanted = roll->programs;
  std::erase_if(wanted, [&](const PeerProgram& each) { return each.first == pc; });
  const auto replied = offer_next_key(book, desk, list, wanted);
  SUBMIX_TRY(replied);
  SUBMIX_TRY(finish_key_change(book));
  removal.without_reply = without_reply(list, wanted, *replied);
  return removal;
}

}  // namespace submix::pairing
