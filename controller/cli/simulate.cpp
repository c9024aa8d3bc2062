// SPDX-License-Identifier: GPL-3.0-or-later
// submix simulate
#include "common/base/clock.hpp"
#include "common/base/stop_signal.hpp"
#include "common/cluster/reachable.hpp"
#include "common/show/parse.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/cli/state_folder.hpp"
#include "controller/local/start_nats.hpp"
#include "controller/simulation/simulated_nodes.hpp"
#include "controller/simulation/simulated_show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <utility>

namespace submix::cli {
namespace {

constexpr std::size_t kNodesUsually = 64;
constexpr std::chrono::milliseconds kNamesakePatience(300);

/// A private server for the simulation.
struct OwnNats {
  StateFolder folder;
  local::NatsServer server;
};

// Starts a server on the default port if none answers there, as the demo does. Another --nats must
// be present.
Result<std::optional<OwnNats>> start_nats_where_missing(Context& context) {
  if (context.url != cluster::kDefaultUrl || cluster::is_reachable(context.url))
    return std::nullopt;
  auto key = read_key(context);
  SUBMIX_TRY(key);
  auto folder = StateFolder::make(std::filesystem::temp_directory_path(), "submix-simulate-");
  SUBMIX_TRY(folder);
  auto server =
      local::NatsServer::start({folder->path(), "127.0.0.1", local::kDefaultNatsPort, *key});
  SUBMIX_TRY(server);
  context.url = server->url();
  return OwnNats{std::move(*folder), std::move(*server)};
}

Result<show::Show> write_made_show(cluster::Cluster& cluster, const SimulateOptions& options,
                                   std::uint64_t revision) {
  auto show =
      simulation::make_show({options.nodes.value_or(kNodesUsually), options.streams, options.seed});
  if (!show) return show;
  const auto written = cluster.put_show({show::to_toml(*show), author("simulate")}, revision);
  if (!written) return fail("the show cannot be written: {}", written.error().message);
  return show;
}

/// The cluster's show, or a made one without it or with --replace.
Result<show::Show> choose_show(cluster::Cluster& cluster, const SimulateOptions& options) {
  const auto desired = cluster.show();
  SUBMIX_TRY(desired);
  if (desired->revision == 0 || options.is_replacing)
    return write_made_show(cluster, options, desired->revision);
  if (options.nodes || options.streams) {
    return fail(
        "the cluster has a show, revision {} by {}: overwrite it with --replace, or leave --nodes "
        "and --streams out to play its nodes",
        desired->revision, desired->value.author);
  }
  auto show = show::parse(desired->value.toml, "the cluster's show");
  if (!show) return tl::unexpected(Error{show::to_string(show.error())});
  return *std::move(show);
}

/// Removes nodes that really run, and says so: two nodes of one name would take over each other's
/// streams.
Result<std::vector<std::string>> leave_out_real_ones(Context& context, cluster::Cluster& cluster,
                                                     const std::set<std::string>& nodes) {
  std::vector<std::string> real;
  std::vector<std::string> others;
  for (const auto& node : nodes)
    (cluster.is_there(node, kNamesakePatience) ? real : others).push_back(node);
  if (others.empty())
    return fail("all nodes of the show run already: there is nothing to simulate");
  if (!real.empty())
    context.out << fmt::format("not simulated, since they run: {}\n", fmt::join(real, ", "));
  return others;
}

void announce(Context& context, const show::Show& show, std::size_t nodes,
              const SimulateOptions& options) {
  context.out << fmt::format(
      "{} simulated nodes run the show \"{}\": {} submixes, {} streams, at {}\n", nodes, show.name,
      show.submixes.size(), show.streams.size(), context.url);
  context.out << fmt::format("look at it: submix-controller{0}, or: submix status{0}\n",
                             needs_telling(context.url) ? " --nats " + context.url : "");
  if (!options.seconds) context.out << "Ctrl-C ends it\n";
  context.out << std::flush;
}

Result<void> simulate(Context& context, const SimulateOptions& options, StopSignal& stop) {
  auto nats = start_nats_where_missing(context);
  SUBMIX_TRY(nats);
  auto connection = ClusterConnection::open(context);
  SUBMIX_TRY(connection);
  auto show = choose_show(connection->cluster(), options);
  SUBMIX_TRY(show);
  auto nodes = leave_out_real_ones(context, connection->cluster(), all_nodes_of(*show));
  SUBMIX_TRY(nodes);
  announce(context, *show, nodes->size(), options);
  const SteadyClock clock;
  simulation::SimulatedNodes simulated(connection->bus(), clock,
                                       {*std::move(nodes), options.seed, !options.is_calm});
  const std::chrono::milliseconds period(1000 / options.rate);
  const auto begin = clock.now();
  for (auto next = begin;
       !options.seconds || next - begin < std::chrono::seconds(*options.seconds);) {
    simulated.advance();
    next = std::max(next + period, clock.now());
    if (stop.wait_for(std::chrono::ceil<std::chrono::milliseconds>(next - clock.now()))) break;
  }
  return {};
}

}  // namespace

int run_simulate(Context& context, const SimulateOptions& options) {
  StopSignal stop;  // before the bus's threads
  const auto done = simulate(context, options, stop);
  return done ? kOk : failed(context, done.error().message);
}

}  // namespace submix::cli
