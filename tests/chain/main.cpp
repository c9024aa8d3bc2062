// SPDX-License-Identifier: GPL-3.0-or-later
// Measures a chain of frei0r filters in plain loops, in the engine, and in the engine with a
// process for each filter: CPU time of all processes for a frame, in turns. Other modes measure
// single plugins, or the effects of crashes.

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
using chain::ContestEntry;
using chain::Options;

class Chain {
 public:
  explicit Chain(Options options)
      : options_(std::move(options)),
        keeper_(host::HostKeeper::open(host::host_program()).value()) {
    catalog_.add({.id = "fixed", .kind = plugin::Kind::source},
                 [](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                   return std::make_unique<chain::FixedPicture>();
                 });
    host::host_plugins_of(catalog_, *keeper_);
  }

  /// The cost of the filters alone while this many cores compute.
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

  /// Frames of its slot that are held for each killed host. The hosts are killed in turn.
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
      // Ten slots in six seconds or more, so that no slot fails three times in ten seconds.
      std::this_thread::sleep_for(std::chrono::milliseconds(650));
      held.push_back(static_cast<double>(count(*patch, "held") - before));
    }
    crashes_ = count(*patch, "crashes");
    for (const auto spare : testing::plugin_hosts_of_this().spares)
      spare_kib_.push_back(static_cast<double>(chain::private_bytes_of(spare)) / 1024);
    patch->stop();
    return held;
  }
  /// The private memory of each spare at the end.
  [[nodiscard]] const std::vector<double>& spare_kib() const { return spare_kib_; }
  [[nodiscard]] std::uint64_t crashes() const { return crashes_; }

  [[nodiscard]] std::vector<std::string> events() const { return events_.lines(); }

 private:
  // In turn, so that no slot fails three times in ten seconds. A spare takes its predecessor's
  // position.
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
  /// Spares start while the first frames are already made.
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
  std::vector<ContestEntry> entries;
  entries.push_back({"traced", chain.engine(show::Hosting::in_process)});
  entries.push_back({"untraced", chain.engine(show::Hosting::in_process, false)});
  for (int round = 0; round < options.rounds; ++round)
    chain::contest(entries, std::chrono::duration<double>(options.seconds));
  chain::report_trace_cost(entries[0], entries[1], options);
  return chain.events().empty() ? 0 : 1;
}

int tell_costs(Chain& chain, const Options& options) {
  // As many cores as the engine keeps busy: a core is often slower while others compute too.
  const auto cores = std::min(chain::core_count(), options.filters.size());
  std::vector<ContestEntry> entries;
  entries.push_back({"loop", chain.loops(1)});
  entries.push_back({"loops", chain.loops(cores)});
  entries.push_back({"in-process", chain.engine(show::Hosting::in_process)});
  entries.push_back({"own-process", chain.engine(show::Hosting::own_process)});
  std::vector<double> distances;
  for (int round = 0; round < options.rounds; ++round) {
    chain::contest(entries, std::chrono::duration<double>(options.seconds));
    distances.push_back(chain::core_distance(options.size));
  }
  chain::report_costs(entries, distances, options);
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
         "Instead: cause this many crashes and hangs of nine kinds, and print what each costs its "
         "slot and another chain. Exit status 1, with a line on stderr, if a deed did not end, a "
         "slot does not work at the end, a slot of the other chain held a frame, the other chain's "
         "rate (stormy over quiet, median) is below 0.99, or a crash cost more than 2 frames at "
         "the 99th percentile")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--period", storm.period_seconds,
                 "With --storm: seconds of each quiet and each stormy period")
      ->check(CLI::Range(0.5, 60.0))
      ->capture_default_str();
  app.add_flag("--survival", storm.judges_survival_only,
               "With --storm: print the other chain's rate and the cost of crashes without judging "
               "them; for a machine with other work");
}

void add_instead(CLI::App& app, Instead& instead) {
  app.add_flag("--table", instead.is_table,
               "Instead: print the table of all frei0r plugins, node/plugin/FREI0R.md");
  add_storm(app, instead.storm);
  app.add_flag(
      "--scaling", instead.is_scaling,
      "Instead: compare the rates of heavy stages in a row, of one stage with helpers and of "
      "independent threads with the rate of one thread");
  app.add_option("--heavy", instead.scaling.filter,
                 "With --scaling: the frei0r filter of the heavy stages")
      ->check(chain::frei0r_filter())
      ->capture_default_str();
  app.add_option("--workers", instead.scaling.workers,
                 "With --scaling: number of stages, and of helpers")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  app.add_option("--caps", instead.caps.caps,
                 "Instead: measure rate and age of frames for these numbers of frames in flight "
                 "(0: the engine's own), in a row of stages that wait in place of computing, with "
                 "a short path beside it")
      ->check(CLI::Range(0, 64));
  app.add_option(
         "--punctuality", instead.punctuality.seconds,
         "Instead: measure for this many seconds how late the frames of a paced chain are; at "
         "--fps, or at 60")
      ->check(CLI::Range(1.0, 3600.0));
  app.add_option(
         "--burners", instead.punctuality.burners,
         "With --punctuality or --kills: number of ordinary threads that copy memory meanwhile")
      ->check(CLI::Range(0, 256));
  app.add_option("--edits", instead.punctuality.edits_per_second,
                 "With --punctuality: edits per second; each adds or removes a filter in its own "
                 "process beside the chain")
      ->check(CLI::Range(0.1, 30.0));
  app.add_flag("--realtime", instead.punctuality.is_realtime,
               "With --punctuality: use real-time priority, as a node does if permitted");
  app.add_option("--stages", instead.caps.stages, "With --caps: stages in the row")
      ->check(CLI::Range(1, 32))
      ->capture_default_str();
  app.add_option("--stage-ms", instead.caps.stage_ms, "With --caps: milliseconds of each stage")
      ->check(CLI::Range(0.1, 1000.0))
      ->capture_default_str();
  app.add_option("--jitter", instead.caps.jitter,
                 "With --caps: random share of a stage's time, 0 to 1")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
}

// The exit status, if a program mode was run in place of the comparison.
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
      "Measure the cost of a chain of frei0r filters, in turns: a plain loop, a loop on each core, "
      "the engine, and the engine with a process for each filter",
      "submix-chain");
  Options options;
  app.add_option("--filters", options.filters, "frei0r filters, in order")
      ->check(chain::frei0r_filter())
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "Rounds; each measures all of them")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Measured seconds of each, in each round")
      ->check(CLI::Range(0.1, 60.0))
      ->capture_default_str();
  app.add_option("--fps", options.fps, "Frame rate of the engine; 0: full speed")
      ->check(CLI::Range(0, 240));
  app.add_option(
         "--kills", options.kills,
         "Instead: kill this many hosts and print the frames that were held for each; with --fps")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--in-flight", options.in_flight,
                 "Frames in flight in the engine; 0: as in a node")
      ->check(CLI::Range(0, 64));
  app.add_option("--width", options.size.width, "Pixels of a frame")
      ->check(CLI::Range(16, 8192))
      ->capture_default_str();
  app.add_option("--height", options.size.height, "Pixels of a frame")
      ->check(CLI::Range(16, 8192))
      ->capture_default_str();
  app.add_flag(
      "--trace-cost", options.compares_trace,
      "Instead: compare the engine in process with and without its trace, which is normally "
      "always written");
  app.add_flag("--json", options.is_json, "Results as JSON, for scripts");
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
