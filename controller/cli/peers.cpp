// SPDX-License-Identifier: GPL-3.0-or-later
// submix peers, submix peers remove
#include "common/base/files.hpp"
#include "common/base/host_name.hpp"
#include "common/base/mutex.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/reachable.hpp"
#include "common/show/nearest.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/key_change.hpp"
#include "controller/cli/table.hpp"
#include "controller/local/nats_server.hpp"

#include <fmt/chrono.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

namespace submix::cli {
namespace {

using pairing::Peer;
using pairing::PeerBook;
using pairing::PeerList;

// Nodes speak ten times a second.
constexpr std::chrono::milliseconds kRollCall{220};
constexpr const char* kHowToLeaveByFile =
    "a PC whose key came by file has no identity: make a new key (submix key new FILE), "
    "and give it to all others";

/// This PC as a desk.
struct Desk {
  cluster::Membership membership;
  cluster::Identity identity;
  cluster::NumberedKey key;
};

Result<Desk> own_desk(const Context& context) {
  if (!context.key_file.empty() || context.url != cluster::kDefaultUrl)
    return fail("submix peers is about this PC's desk, without --nats and --key; {}",
                kHowToLeaveByFile);
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership)
    return fail("this PC is no desk: `submix desk` makes it one; {}", kHowToLeaveByFile);
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
};

RollCall call_the_roll(cluster::Bus& bus, const Desk& desk, const PeerList& list) {
  cluster::Cluster cluster(bus);
  Mutex mutex;
  RollCall roll;
  const auto readings = cluster.subscribe_readings([&](const auto& reading) {
    const MutexLock lock(mutex);
    roll.nodes.insert(reading.node);
  });
  auto programs = offer_key(bus, desk.identity, list, desk.key, {}, kRollCall);
  const MutexLock lock(mutex);
  return {std::move(programs), roll.nodes};
}

/// Nodes that run, but could not take a new key.
std::vector<std::string> nodes_without_identity(const RollCall& roll) {
  std::vector<std::string> nodes;
  for (const auto& node : roll.nodes) {
    const auto is_its = [&](const auto& each) { return each.second == "submix-node " + node; };
    if (std::ranges::none_of(roll.programs, is_its)) nodes.push_back(node);
  }
  return nodes;
}

std::vector<std::string> programs_of(const RollCall& roll, const cluster::PublicKey& pc) {
  std::vector<std::string> programs;
  for (const auto& [key, program] : roll.programs) {
    if (key == pc) programs.push_back(program);
  }
  return programs;
}

std::unique_ptr<cluster::Bus> connect(const Desk& desk) {
  auto bus = cluster::Bus::connect(
      {.url = desk.membership.nats_url, .name = "submix peers", .key = desk.key.key});
  return bus ? *std::move(bus) : nullptr;
}

std::string time_text(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

void print_table(Context& context, const PeerList& list, const std::optional<RollCall>& roll) {
  Table table({"PC", "address", "joined", "programs that are connected"});
  for (const auto& peer : list.peers) {
    const auto programs = roll ? fmt::format("{}", fmt::join(programs_of(*roll, peer.key), ", "))
                               : "the desk's NATS server does not run";
    table.add(
        {peer.name, peer.address, time_text(peer.joined_s), programs.empty() ? "none" : programs});
  }
  context.out << table.text();
  if (list.peers.empty()) context.out << "no PC has joined this desk by code\n";
  const auto others = roll ? nodes_without_identity(*roll) : std::vector<std::string>();
  if (!others.empty())
    fmt::print(context.out, "nodes whose key came by file or by an older Submix: {}\n",
               fmt::join(others, ", "));
}

void print_json(Context& context, const PeerList& list, const std::optional<RollCall>& roll) {
  for (const auto& peer : list.peers) {
    nlohmann::ordered_json line{{"name", peer.name},
                                {"address", peer.address},
                                {"joined", peer.joined_s},
                                {"connected", nullptr}};
    if (roll) {
      const auto programs = programs_of(*roll, peer.key);
      line["connected"] = !programs.empty();
      line["programs"] = programs;
    }
    context.out << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  }
}

Result<void> list_peers(Context& context) {
  const auto desk = own_desk(context);
  SUBMIX_TRY(desk);
  const auto list = PeerBook::read(config_home());
  SUBMIX_TRY(list);
  if (list->next_key)
    warn(context, "a removal was not finished: `submix desk`, or another removal, finishes it");
  std::optional<RollCall> roll;
  if (const auto bus = connect(*desk)) roll = call_the_roll(*bus, *desk, *list);
  if (context.is_json) {
    print_json(context, *list, roll);
  } else {
    print_table(context, *list, roll);
  }
  context.out << std::flush;
  return {};
}

Result<Peer> find_peer(const PeerList& list, const std::string& name) {
  const auto found = std::ranges::find(list.peers, name, &Peer::name);
  if (found != list.peers.end()) return *found;
  if (name == host_name())
    return fail("{} is this desk itself; `submix leave` here ends the whole show's desk", name);
  std::vector<std::string> names;
  for (const auto& peer : list.peers)
    names.push_back(peer.name);
  return fail("no PC \"{}\" has joined by code{}; `submix peers` lists all; {}", name,
              show::did_you_mean(name, names), kHowToLeaveByFile);
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

/// Whether the person accepts that `others` are cut off, too.
Result<void> ask(Context& context, const std::vector<std::string>& others, bool is_agreed_to) {
  if (others.empty() || is_agreed_to) return {};
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

/// For people: which of the programs that were there have not replied.
std::string without_reply(const PeerList& list, const std::set<PeerProgram>& wanted,
                          const std::set<PeerProgram>& replied) {
  std::map<cluster::PublicKey, std::string> names;
  for (const auto& peer : list.peers)
    names.emplace(peer.key, peer.name);
  std::vector<std::string> missing;
  for (const auto& program : wanted) {
    if (replied.contains(program)) continue;
    const auto name = names.find(program.first);
    missing.push_back(
        fmt::format("{} on {}", program.second, name == names.end() ? "this PC" : name->second));
  }
  return fmt::format("{}", fmt::join(missing, ", "));
}

/// Asks without keeping other programs off the list. Returns the programs that are there.
Result<std::set<PeerProgram>> agree(Context& context, const PeersRemoveOptions& options) {
  const auto desk = own_desk(context);
  SUBMIX_TRY(desk);
  const auto list = PeerBook::read(config_home());
  SUBMIX_TRY(list);
  SUBMIX_TRY(find_peer(*list, options.name));
  SUBMIX_TRY(check_server(*desk, *list));
  const auto bus = connect(*desk);
  if (bus == nullptr) return std::set<PeerProgram>();
  const auto roll = call_the_roll(*bus, *desk, *list);
  SUBMIX_TRY(ask(context, nodes_without_identity(roll), options.is_agreed_to));
  return roll.programs;
}

/// Steps 1 and 2 of key_change.hpp. Returns who has replied.
Result<std::set<PeerProgram>> offer_next_key(const PeerBook& book, const Desk& desk, PeerList list,
                                             const std::set<PeerProgram>& wanted) {
  const auto bus = connect(desk);
  if (bus == nullptr && local::is_nats_running(list.nats_folder))
    return fail("the desk's NATS server does not answer, so nothing was changed; try again");
  const cluster::NumberedKey next{cluster::ShowKey::random(), desk.key.number + 1};
  list.next_key = next;
  SUBMIX_TRY(book.write(list));
  if (bus == nullptr) return std::set<PeerProgram>();
  return offer_key(*bus, desk.identity, list, next, wanted, kOfferPatience);
}

Result<void> remove_peer(Context& context, const PeersRemoveOptions& options) {
  if (own_desk(context)) SUBMIX_TRY(finish_key_change_if_left());
  auto wanted = agree(context, options);
  SUBMIX_TRY(wanted);

  const auto book = PeerBook::open(config_home());
  SUBMIX_TRY(book);
  const auto desk = own_desk(context);
  SUBMIX_TRY(desk);
  auto list = book->list();
  SUBMIX_TRY(list);
  const auto peer = find_peer(*list, options.name);
  SUBMIX_TRY(peer);
  if (list->next_key) return fail("another removal is not finished yet; try again");
  std::erase_if(list->peers, [&](const Peer& each) { return each.key == peer->key; });
  std::erase_if(*wanted, [&](const PeerProgram& each) { return each.first == peer->key; });
  const auto replied = offer_next_key(*book, *desk, *list, *wanted);
  SUBMIX_TRY(replied);
  SUBMIX_TRY(finish_key_change(*book));

  fmt::print(context.out, "{} ({}) is shut out: the show has a new key\n", peer->name,
             peer->address);
  const auto missing = without_reply(*list, *wanted, *replied);
  if (!missing.empty())
    fmt::print(context.out, "no answer in time from {}; they ask this desk for the key\n", missing);
  context.out << std::flush;
  return {};
}

}  // namespace

int run_peers(Context& context, const PeersOptions&) {
  const auto done = list_peers(context);
  return done ? kOk : failed(context, done.error().message);
}

int run_peers_remove(Context& context, const PeersRemoveOptions& options) {
  const auto done = remove_peer(context, options);
  return done ? kOk : failed(context, done.error().message);
}

}  // namespace submix::cli
