// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/peer_rights.hpp"

#include "common/base/files.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/nats_login.hpp"
#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/pairing/key_change.hpp"
#include "controller/pairing/own_desk.hpp"
#include "controller/pairing/roll_call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace submix::pairing {
namespace {

using cluster::Rights;

bool may_everything(const Peer& peer) {
  return peer.rights == Rights::everything;
}

/// The names of nodes that `peer` may use: those of its nodes, and its own name. A name that
/// another PC uses is not among them.
std::vector<std::string> nodes_to_speak_as(const RollCall& roll, const PeerList& list,
                                           const Peer& peer) {
  auto nodes = all_nodes_of(roll, list, peer);
  nodes.push_back(peer.name);
  std::ranges::sort(nodes);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  const auto is_others = [&](const std::string& node) {
    return std::ranges::any_of(roll.programs, [&](const PeerProgram& each) {
      return each.first != peer.key && each.second == node_program(node);
    });
  };
  std::erase_if(nodes,
                [&](const std::string& node) { return !show::is_name(node) || is_others(node); });
  return nodes;
}

/// Errors   The show names one of the PC's `nodes`, which nobody would hear of any more.
Result<void> check_is_free(const Peer& peer, const std::vector<std::string>& nodes) {
  const auto bus = bus_of_own_desk();
  if (bus == nullptr) return {};
  const auto show = cluster::Cluster(*bus).show();
  SUBMIX_TRY(show);
  const auto parsed = show::parse(show->value.toml, "the show");
  if (!parsed) return {};
  for (const auto& submix : parsed->submixes) {
    if (std::ranges::find(nodes, submix.node) == nodes.end()) continue;
    return fail("{} plays the submix {} as {}: move that to another PC first", peer.name,
                submix.name, submix.node);
  }
  return {};
}

}  // namespace

cluster::NatsLogin own_login(const cluster::Identity& desk, const cluster::ShowKey& key) {
  return cluster::login_of(desk.public_key(), desk, desk.public_key(), key, Rights::everything);
}

std::vector<local::NatsUser> nats_users(const cluster::Identity& desk, const PeerList& list,
                                        const cluster::ShowKey& key) {
  std::vector<local::NatsUser> users{{own_login(desk, key)}};
  for (const auto& peer : list.peers)
    users.push_back({cluster::login_of(peer.key, desk, peer.key, key, peer.rights), peer.nodes});
  if (std::ranges::all_of(list.peers, may_everything)) users.push_back({shared_login(key)});
  return users;
}

Result<void> set_users_of_peers(const cluster::Identity& desk, const PeerList& list,
                                const cluster::ShowKey& key) {
  if (!local::is_nats_running(list.nats_folder)) return {};
  return local::set_nats_users(list.nats_folder, key, nats_users(desk, list, key));
}

std::string words_of(const Peer& peer) {
  if (peer.rights == Rights::everything) return "may do everything";
  if (peer.rights == Rights::watch) return "may watch the show, and change nothing";
  const auto nodes = peer.nodes.empty()
                         ? std::string("no node")
                         : fmt::format("nodes called {}", fmt::join(peer.nodes, ", "));
  return fmt::format("may run {}, and not change the show", nodes);
}

Result<Peer> set_rights(const cluster::PublicKey& pc, Rights rights, const Consent& consent) {
  if (read_desk()) SUBMIX_TRY(finish_key_change_if_left());
  const auto no_question = [](const auto&) { return Result<void>(); };
  const auto roll = ask_consent(pc, rights == Rights::everything ? no_question : consent);
  SUBMIX_TRY(roll);

  auto opened = open_list();
  SUBMIX_TRY(opened);
  auto& [book, desk, list] = *opened;
  const auto found = find_peer(list, pc);
  SUBMIX_TRY(found);
  if (rights == Rights::watch) SUBMIX_TRY(check_is_free(*found, all_nodes_of(*roll, list, *found)));
  auto& peer = *std::ranges::find(list.peers, pc, &Peer::key);
  peer.rights = rights;
  peer.nodes =
      rights == Rights::render ? nodes_to_speak_as(*roll, list, peer) : std::vector<std::string>();
  SUBMIX_TRY(book.write(list));
  SUBMIX_TRY(set_users_of_peers(desk.identity, list, desk.key.key));
  return peer;
}

}  // namespace submix::pairing
