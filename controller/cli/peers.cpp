// SPDX-License-Identifier: GPL-3.0-or-later
// submix peers, submix peers allow, submix peers remove
#include "common/base/host_name.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/names.hpp"
#include "common/show/nearest.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/table.hpp"
#include "controller/pairing/own_desk.hpp"
#include "controller/pairing/peer_removal.hpp"
#include "controller/pairing/peer_rights.hpp"
#include "controller/session/node_forgetting.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace submix::cli {
namespace {

using pairing::Peer;
using pairing::PeersNow;

constexpr const char* kHowToLeaveByFile =
    "a PC whose key came by file has no identity: make a new key (submix key new FILE), and give "
    "it to all others";

/// Errors   The command was told of another server than this PC's desk.
Result<void> check_is_own(const Context& context) {
  if (context.key_file.empty() && context.url == cluster::kDefaultUrl) return {};
  return fail("submix peers is about this PC's desk, without --nats and --key; {}",
              kHowToLeaveByFile);
}

void print_table(Context& context, const PeersNow& now) {
  Table table({"PC", "address", "joined", "may do", "programs that are connected"});
  for (const auto& [peer, programs] : now.peers) {
    const auto connected = now.is_served ? fmt::format("{}", fmt::join(programs, ", "))
                                         : "the desk's NATS server does not run";
    table.add({peer.name, peer.address, pairing::joined_text(peer),
               std::string(cluster::name_of(peer.rights)), connected.empty() ? "none" : connected});
  }
  context.out << table.text();
  if (now.peers.empty()) context.out << "no PC has joined this desk by code\n";
  if (!now.nodes_without_identity.empty())
    fmt::print(context.out, "nodes whose key came by file or by an older Submix: {}\n",
               fmt::join(now.nodes_without_identity, ", "));
}

void print_json(Context& context, const PeersNow& now) {
  for (const auto& [peer, programs] : now.peers) {
    nlohmann::ordered_json line{
        {"name", peer.name},       {"address", peer.address},
        {"joined", peer.joined_s}, {"rights", cluster::name_of(peer.rights)},
        {"nodes", peer.nodes},     {"connected", nullptr}};
    if (now.is_served) {
      line["connected"] = !programs.empty();
      line["programs"] = programs;
    }
    context.out << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  }
}

Result<void> list_peers(Context& context) {
  SUBMIX_TRY(check_is_own(context));
  const auto now = pairing::peers_now();
  SUBMIX_TRY(now);
  if (now->is_unfinished)
    warn(context,
         "a removal was not finished: the desk finishes it while `submix desk` or its window runs; "
         "so does another removal");
  if (context.is_json) {
    print_json(context, *now);
  } else {
    print_table(context, *now);
  }
  context.out << std::flush;
  return {};
}

/// The PC `name` of this desk's list.
Result<Peer> find_peer(const Context& context, const std::string& name) {
  SUBMIX_TRY(check_is_own(context));
  const auto list = pairing::list_of_own_desk();
  SUBMIX_TRY(list);
  const auto found = std::ranges::find(list->peers, name, &Peer::name);
  if (found != list->peers.end()) return *found;
  if (name == host_name())
    return fail("{} is this desk itself; `submix leave` here ends the whole show's desk", name);
  std::vector<std::string> names;
  for (const auto& peer : list->peers)
    names.push_back(peer.name);
  return fail("no PC \"{}\" has joined by code{}; `submix peers` lists all; {}", name,
              show::did_you_mean(name, names), kHowToLeaveByFile);
}

/// Whether the person accepts that `others` are cut off, too.
Result<void> ask(Context& context, const std::vector<std::string>& others) {
  const auto what =
      fmt::format("nodes whose key came by file or by an older Submix are cut off, too: {}",
                  fmt::join(others, ", "));
  if (::isatty(STDIN_FILENO) != 1)
    return fail("{}; let them join by code first, or say --yes", what);
  context.out << what << ". Go on? [y/N] " << std::flush;
  std::string line;
  std::getline(std::cin, line);
  if (line == "y" || line == "Y" || line == "yes") return {};
  return fail("nothing was changed");
}

pairing::Consent consent_of(Context& context, bool is_agreed_to) {
  return [&context, is_agreed_to](const std::vector<std::string>& others) {
    return is_agreed_to ? Result<void>() : ask(context, others);
  };
}

/// Takes the nodes of a PC that was shut out from the lists. A show that names one keeps it.
void forget(Context& context, const std::vector<std::string>& nodes) {
  const auto bus = nodes.empty() ? nullptr : pairing::bus_of_own_desk();
  if (bus == nullptr) return;  // nobody can see a list
  cluster::Cluster cluster(*bus);
  for (const auto& node : nodes) {
    if (const auto done = session::forget_node(cluster, node); !done)
      fmt::print(context.out, "{} stays in the list of nodes: {}\n", node, done.error().message);
  }
}

Result<void> remove_peer(Context& context, const PeersRemoveOptions& options) {
  const auto peer = find_peer(context, options.name);
  SUBMIX_TRY(peer);
  const auto removal = pairing::remove_peer(peer->key, consent_of(context, options.is_agreed_to));
  SUBMIX_TRY(removal);
  fmt::print(context.out, "{} ({}) is shut out: the show has a new key\n", removal->peer.name,
             removal->peer.address);
  std::vector<std::string> silent;
  for (const auto& [program, pc] : removal->without_reply)
    silent.push_back(fmt::format("{} on {}", program, pc));
  if (!silent.empty())
    fmt::print(context.out, "no answer in time from {}; they ask this desk for the key\n",
               fmt::join(silent, ", "));
  context.out << std::flush;
  forget(context, removal->nodes);
  context.out << std::flush;
  return {};
}

Result<void> allow_peer(Context& context, const PeersAllowOptions& options) {
  const auto rights = cluster::parse_rights(options.rights);
  if (!rights) return fail("{}: no rights have this name", options.rights);
  const auto found = find_peer(context, options.name);
  SUBMIX_TRY(found);
  const auto peer =
      pairing::set_rights(found->key, *rights, consent_of(context, options.is_agreed_to));
  SUBMIX_TRY(peer);
  fmt::print(context.out, "{} {}\n", peer->name, pairing::words_of(*peer));
  context.out << std::flush;
  return {};
}

}  // namespace

int run_peers(Context& context, const PeersOptions&) {
  const auto done = list_peers(context);
  return done ? kOk : failed(context, done.error().message);
}

int run_peers_allow(Context& context, const PeersAllowOptions& options) {
  const auto done = allow_peer(context, options);
  return done ? kOk : failed(context, done.error().message);
}

int run_peers_remove(Context& context, const PeersRemoveOptions& options) {
  const auto done = remove_peer(context, options);
  return done ? kOk : failed(context, done.error().message);
}

}  // namespace submix::cli
