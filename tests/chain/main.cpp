// SPDX-License-Identifier: GPL-3.0-or-later
// What a chain of frei0r filters costs in plain loops, in the engine, and in the engine with each filter in a
// process of its own: CPU time of all processes for a frame, in turns. Also what each plugin costs, and what
// crashes do.

#include "common/base/clock.hpp"
#include "node/engine/patch.hpp"
#include "node/host/host_keeper.hpp"
#include "node/host/hosted_plugin.hpp"
#include "tests/chain/arguments.hpp"
#include "tests/chain/burners.hpp"
#include "tests/chain/contest.hpp"
#include "tests/chain/core_distance.hpp"
#include "tests/chain/cost_report.hpp"
#include "tests/chain/fixed_picture.hpp"
#include "tests/chain/plain_loops.hpp"
#include "tests/chain/plugin_table.hpp"
#include "tests/chain/processes.hpp"
#include "tests/chain/punctuality.hpp"
#include "tests/chain/running_patch.hpp"
#include "tests/chain/scaling.hpp"
#include "tests/chain/storm.hpp"
#include "tests/support/event_log.hpp"
#include "tests/support/plugin_hosts.hpp"
#include "tests/throughput/statistics.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace submix;
using chain::Options;
using chain::Way;

class Chain {
 public:
  explicit Chain(Options options)
      : options_(std::move(options)),
        keeper_(host::HostKeeper::open(host::host_program_beside_this()).value()) {
    catalog_.add({.id = "fixed", .kind = plugin::Kind::source},
                 [](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                   return std::make_unique<chain::FixedPicture>();
                 });
    host::host_plugins_of(catalog_, *keeper_);
  }

  /// What the filters themselves cost while so many cores compute.
  [[nodiscard]] std::unique_ptr<chain::Contender> loops(std::size_t threads) {
    std::vector<chain::PlainLoops::Filters> filters;
    while (filters.size() < threads)
      filters.push_back(make_all());
    return std::make_unique<chain::PlainLoops>(options_.size, std::move(filters));
  }

  [[nodiscard]] std::unique_ptr<chain::Contender> engine(show::Hosting hosting,
                                                         bool is_traced = true) {
    auto transport = std::make_unique<engine::Transport>();
    auto patch = start(*transport, hosting, is_traced);
    if (hosting == show::Hosting::own_process) wait_for_spares();
    return std::make_unique<chain::RunningPatch>(std::move(transport), std::move(patch));
  }

  /// How many frames of its slot are held for each host that is killed; they are killed in turn.
  std::vector<double> held_frames(std::size_t burners) {
    const engine::Transport transport;
    const auto patch = start(transport, show::Hosting::own_process);
    wait_for_spares();
    const chain::Burners burn(burners);
    std::vector<double> held;
    for (int kill = 0; kill < options_.kills; ++kill) {
      const auto hosts = hosts_by_slot();
      const auto before = count(*patch, "held");
      ::kill(hosts.at(static_cast<std::size_t>(kill) % hosts.size()), SIGKILL);
      // Ten slots in six seconds and more: none of them fails three times in ten.
      std::this_thread::sleep_for(std::chrono::milliseconds(650));
      held.push_back(static_cast<double>(count(*patch, "held") - before));
    }
    crashes_ = count(*patch, "crashes");
    for (const auto spare : testing::plugin_hosts_of_this().spares)
      spare_kib_.push_back(static_cast<double>(chain::private_bytes_of(spare)) / 1024);
    patch->stop();
    return held;
  }
  /// What each spare had to itself at the end.
  [[nodiscard]] const std::vector<double>& spare_kib() const { return spare_kib_; }
  [[nodiscard]] std::uint64_t crashes() const { return crashes_; }

  [[nodiscard]] std::vector<std::string> events() const { return events_.lines(); }

 private:
  // In turn, so that none fails three times in ten seconds; a spare that takes over comes to the same place.
  static std::vector<pid_t> hosts_by_slot() {
    std::map<std::string, pid_t> found;
    for (const auto host : testing::plugin_hosts_of_this().at_work)
      found.emplace(chain::slot_of_host(host), host);
    std::vector<pid_t> hosts;
    for (const auto& [slot, host] : found)
      hosts.push_back(host);
    return hosts;
  }

  static std::uint64_t count(const engine::Patch& patch, std::string_view counter) {
    std::uint64_t sum = 0;
    for (const auto& stage : patch.telemetry().stages) {
      for (const auto& [name, value] : stage.counters)
        sum += name == counter ? value : 0;
    }
    return sum;
  }

  std::unique_ptr<engine::Patch> start(const engine::Transport& transport, show::Hosting hosting,
                                       bool is_traced = true) {
    show::Submix submix{.name = "chain", .node = "", .slots = {}};
    submix.frames_in_flight = options_.in_flight;
    submix.slots.push_back({.name = "source", .plugin = "fixed", .parameters = {}, .inputs = {}});
    for (std::size_t i = 0; i < options_.filters.size(); ++i) {
      show::Slot slot{.name = fmt::format("f{}", i),
                      .plugin = "frei0r/" + options_.filters[i],
                      .parameters = {},
                      .inputs = {}};
      slot.hosting = hosting;
      submix.slots.push_back(std::move(slot));
    }
    engine::PatchOptions patch_options;
    patch_options.size = options_.size;
    patch_options.is_free_running = options_.fps == 0;
    if (options_.fps > 0) patch_options.rate = {static_cast<std::uint32_t>(options_.fps), 1};
    auto patch =
        engine::Patch::build(submix, patch_options,
                             {catalog_, events_, clock_, transport, is_traced ? &trace_ : nullptr})
            .value();
    patch->start();
    wait_until([&] { return patch->telemetry().frames >= 30; });
    return patch;
  }

  std::unique_ptr<plugin::Plugin> make(const std::string& filter) {
    plugin::Setup setup{.submix = "chain",
                        .slot = filter,
                        .size = options_.size,
                        .rate = {30, 1},
                        .parameters = {}};
    setup.clock = &clock_;
    return catalog_.create("frei0r/" + filter, setup).value();
  }
  std::vector<std::unique_ptr<plugin::Plugin>> make_all() {
    std::vector<std::unique_ptr<plugin::Plugin>> plugins;
    for (const auto& filter : options_.filters)
      plugins.push_back(make(filter));
    return plugins;
  }
  /// They start while the first frames are made already.
  void wait_for_spares() const {
    wait_until(
        [&] { return testing::plugin_hosts_of_this().spares.size() == options_.filters.size(); });
  }
  static void wait_until(const std::function<bool()>& is_so) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > deadline)
        throw std::runtime_error("a patch does not start");
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  const Options options_;
  std::uint64_t crashes_ = 0;
  std::vector<double> spare_kib_;
  testing::EventLog events_;
  SteadyClock clock_;
  telemetry::Trace trace_;
  std::unique_ptr<host::HostKeeper> keeper_;
  plugin::Catalog catalog_;
};

int tell_held_frames(Chain& chain, const Options& options, std::size_t burners) {
  const auto held = throughput::distribution(chain.held_frames(burners));
  const nlohmann::json json{{"kills", options.kills},
                            {"crashes", chain.crashes()},
                            {"fps", options.fps},
                            {"held_p50", held.p50},
                            {"held_p99", held.p99},
                            {"held_max", held.max},
                            {"burners", burners},
                            {"spares", chain.spare_kib().size()},
                            {"spare_kib", throughput::median(chain.spare_kib())}};
  fmt::print("{}\n", json.dump());
  return chain.crashes() == static_cast<std::uint64_t>(options.kills) ? 0 : 1;
}

int tell_trace_cost(Chain& chain, const Options& options) {
  std::vector<Way> ways;
  ways.push_back({"traced", chain.engine(show::Hosting::in_process)});
  ways.push_back({"untraced", chain.engine(show::Hosting::in_process, false)});
  for (int round = 0; round < options.rounds; ++round)
    chain::contest(ways, std::chrono::duration<double>(options.seconds));
  chain::report_trace_cost(ways[0], ways[1], options);
  return chain.events().empty() ? 0 : 1;
}

int tell_costs(Chain& chain, const Options& options) {
  // As many as the engine keeps busy: a core is often slower while the others compute, too.
  const auto cores = std::min(chain::core_count(), options.filters.size());
  std::vector<Way> ways;
  ways.push_back({"loop", chain.loops(1)});
  ways.push_back({"loops", chain.loops(cores)});
  ways.push_back({"in-process", chain.engine(show::Hosting::in_process)});
  ways.push_back({"own-process", chain.engine(show::Hosting::own_process)});
  std::vector<double> distances;
  for (int round = 0; round < options.rounds; ++round) {
    chain::contest(ways, std::chrono::duration<double>(options.seconds));
    distances.push_back(chain::core_distance(options.size));
  }
  chain::report_costs(ways, distances, options);
  for (const auto& event : chain.events())
    fmt::print(stderr, "{}\n", event);
  return chain.events().empty() ? 0 : 1;
}

struct Instead {
  chain::PunctualityOptions punctuality;
  chain::ScalingOptions scaling;
  chain::CapOptions caps;
  chain::StormOptions storm{.deeds = 0};
  bool is_scaling = false;
  bool is_table = false;
};

void add_storm(CLI::App& app, chain::StormOptions& storm) {
  app.add_option(
         "--storm", storm.deeds,
         "Instead: that many crashes and hangs of nine kinds, what each costs its slot and another "
         "chain. Exit status 1, and a line on stderr, where one did not end, a slot does not work "
         "at "
         "the end, or any slot of the other chain held a frame; where that chain's rate of stormy "
         "over quiet periods, in the median of all pairs, is less than 0.99; or a crash cost more "
         "than 2 frames at the 99th percentile")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--period", storm.period_seconds,
                 "With --storm: of each quiet and each stormy period, in seconds")
      ->check(CLI::Range(0.5, 60.0))
      ->capture_default_str();
  app.add_flag(
      "--survival", storm.judges_survival_only,
      "With --storm: the rate and the frames that crashes cost are told, not judged: for a machine "
      "that does other things meanwhile");
}

void add_instead(CLI::App& app, Instead& instead) {
  app.add_flag("--table", instead.is_table,
               "Instead: the table of all frei0r plugins, node/plugin/FREI0R.md");
  add_storm(app, instead.storm);
  app.add_flag("--scaling", instead.is_scaling,
               "Instead: the rate of heavy stages in a row, of one with helpers, and of threads "
               "with nothing "
               "in common, over that of one thread");
  app.add_option("--heavy", instead.scaling.filter, "Their frei0r filter")
      ->check(chain::frei0r_filter())
      ->capture_default_str();
  app.add_option("--workers", instead.scaling.workers, "Stages, or helpers")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  app.add_option("--caps", instead.caps.caps,
                 "Instead: rate and age of frames with so many in flight (0: the engine's own), in "
                 "a row of stages "
                 "that wait instead of computing, and a short way beside it")
      ->check(CLI::Range(0, 64));
  app.add_option("--punctuality", instead.punctuality.seconds,
                 "Instead: how late the frames of a paced chain are, for so many seconds; with "
                 "--fps, else at 60")
      ->check(CLI::Range(1.0, 3600.0));
  app.add_option("--burners", instead.punctuality.burners,
                 "With --punctuality or --kills: ordinary threads that copy memory meanwhile")
      ->check(CLI::Range(0, 256));
  app.add_option("--edits", instead.punctuality.edits_per_second,
                 "With --punctuality: how often a second a filter in a process of its own comes or "
                 "goes beside "
                 "the chain")
      ->check(CLI::Range(0.1, 30.0));
  app.add_flag("--realtime", instead.punctuality.is_realtime,
               "With --punctuality: as a node that may have real-time priority");
  app.add_option("--stages", instead.caps.stages, "In that row")
      ->check(CLI::Range(1, 32))
      ->capture_default_str();
  app.add_option("--stage-ms", instead.caps.stage_ms, "Of each")
      ->check(CLI::Range(0.1, 1000.0))
      ->capture_default_str();
  app.add_option("--jitter", instead.caps.jitter, "Share of that which is left to chance")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
}

// The exit status, if it did something instead.
std::optional<int> run_instead(Instead instead, const Options& options) {
  if (instead.is_table) return chain::print_plugin_table();
  if (instead.storm.deeds > 0) {
    instead.storm.is_json = options.is_json;
    return chain::run_storm(instead.storm);
  }
  if (instead.punctuality.seconds > 0) {
    instead.punctuality.size = options.size;
    if (options.fps > 0) instead.punctuality.fps = options.fps;
    return chain::tell_punctuality(instead.punctuality);
  }
  instead.scaling.rounds = options.rounds;
  instead.scaling.seconds = instead.caps.seconds = options.seconds;
  instead.scaling.size = options.size;
  instead.scaling.is_json = options.is_json;
  instead.caps.fps = options.fps;
  if (instead.is_scaling) chain::tell_scaling(instead.scaling);
  if (!instead.caps.caps.empty()) chain::tell_caps(instead.caps);
  return instead.is_scaling || !instead.caps.caps.empty() ? std::optional(0) : std::nullopt;
}

int run(int argc, char** argv) {
  CLI::App app(
      "What a chain of frei0r filters costs, in turns: a plain loop, one on each core, the engine, "
      "the "
      "engine with a process for each filter",
      "submix-chain");
  Options options;
  app.add_option("--filters", options.filters, "frei0r filters, in order")
      ->check(chain::frei0r_filter())
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "Rounds of all")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Of each")
      ->check(CLI::Range(0.1, 60.0))
      ->capture_default_str();
  app.add_option("--fps", options.fps, "Pace of the engine; 0: as fast as it goes")
      ->check(CLI::Range(0, 240));
  app.add_option(
         "--kills", options.kills,
         "Instead: kill that many hosts, and tell how many frames were held for each; with --fps")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--in-flight", options.in_flight,
                 "Frames in flight in the engine; 0: as a node has them")
      ->check(CLI::Range(0, 64));
  app.add_option("--width", options.size.width, "Pixels")
      ->check(CLI::Range(16, 8192))
      ->check(chain::frei0r_length())
      ->capture_default_str();
  app.add_option("--height", options.size.height, "Pixels")
      ->check(CLI::Range(16, 8192))
      ->check(chain::frei0r_length())
      ->capture_default_str();
  app.add_flag("--trace-cost", options.compares_trace,
               "Instead: the engine in process with its trace, which is always written else, over "
               "without it");
  app.add_flag("--json", options.is_json, "For scripts");
  Instead instead;
  add_instead(app, instead);
  CLI11_PARSE(app, argc, argv);

  const auto burners = instead.punctuality.burners;
  if (const auto status = run_instead(std::move(instead), options)) return *status;
  Chain chain(options);
  if (options.kills > 0) return tell_held_frames(chain, options, burners);
  if (options.compares_trace) return tell_trace_cost(chain, options);
  return tell_costs(chain, options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "submix-chain: {}\n", error.what());
    return 1;
  }
}
