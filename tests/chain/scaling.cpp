// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/scaling.hpp"

#include "common/base/clock.hpp"
#include "node/engine/patch.hpp"
#include "node/plugin/catalog.hpp"
#include "tests/chain/contest.hpp"
#include "tests/chain/fixed_picture.hpp"
#include "tests/chain/plain_loops.hpp"
#include "tests/chain/running_patch.hpp"
#include "tests/chain/slot_in_process.hpp"
#include "tests/support/event_log.hpp"
#include "tests/throughput/statistics.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace submix::chain {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::chrono::seconds kScalingPatience(30);
constexpr auto kTurn = 2 * kShortTurn;  // of some heavy frames

/// The surroundings of a measured patch.
struct PatchEnvironment {
  testing::EventLog events;
  SteadyClock clock;
  plugin::Catalog catalog;

  PatchEnvironment() {
    plugin::add_built_ins(catalog);
    catalog.add({.id = "fixed", .kind = plugin::Kind::source},
                [](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                  return std::make_unique<FixedPicture>();
                });
  }

  std::unique_ptr<engine::Patch> start(const show::Submix& submix,
                                       const engine::PatchOptions& options,
                                       const engine::Transport& transport) {
    auto patch = engine::Patch::build(submix, options, {catalog, events, clock, transport}).value();
    patch->start();
    const auto deadline = Steady::now() + kScalingPatience;
    while (patch->telemetry().frames < 10) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      if (Steady::now() > deadline) throw std::runtime_error("the patch makes no frames");
    }
    return patch;
  }
};

double rate_of(const engine::Patch& patch, double seconds) {
  const auto before = patch.telemetry().frames;
  const auto begin = Steady::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const auto frames = patch.telemetry().frames - before;
  return static_cast<double>(frames) / std::chrono::duration<double>(Steady::now() - begin).count();
}

class Scaling {
 public:
  explicit Scaling(const ScalingOptions& options)
      : options_(options), plugin_("frei0r/" + options.filter) {
    patch_options_.size = options_.size;
    patch_options_.is_free_running = true;
  }

  /// On each of `threads` threads, this many filters one after the other.
  [[nodiscard]] std::unique_ptr<Contender> loops(std::size_t threads, std::size_t filters) {
    std::vector<PlainLoops::Filters> all(threads);
    for (auto& each : all) {
      while (each.size() < filters)
        each.push_back(make(plugin_));
    }
    return std::make_unique<PlainLoops>(options_.size, std::move(all));
  }

  [[nodiscard]] std::unique_ptr<Contender> stages() {
    show::Submix submix{.name = "row", .node = "", .slots = {slot_in_process("source", "fixed")}};
    for (std::size_t i = 0; i < options_.workers; ++i)
      submix.slots.push_back(slot_in_process(fmt::format("f{}", i), plugin_));
    submix.slots.push_back(slot_in_process("end", "null"));
    return start(submix);
  }

  [[nodiscard]] std::unique_ptr<Contender> helpers() {
    show::Submix submix{
        .name = "row",
        .node = "",
        .slots = {slot_in_process("source", "fixed"), slot_in_process("f", plugin_)}};
    submix.slots.back().helpers = static_cast<int>(options_.workers);
    submix.slots.push_back(slot_in_process("end", "null"));
    return start(submix);
  }

 private:
  [[nodiscard]] std::unique_ptr<Contender> start(const show::Submix& submix) {
    auto transport = std::make_unique<engine::Transport>();
    auto patch = environment_.start(submix, patch_options_, *transport);
    return std::make_unique<RunningPatch>(std::move(transport), std::move(patch));
  }
  std::unique_ptr<plugin::Plugin> make(const std::string& id) {
    plugin::Setup setup{
        .submix = "row", .slot = id, .size = options_.size, .rate = {30, 1}, .parameters = {}};
    setup.clock = &environment_.clock;
    return environment_.catalog.create(id, setup).value();
  }

  const ScalingOptions options_;
  const std::string plugin_;
  engine::PatchOptions patch_options_;
  PatchEnvironment environment_;
};

/// Waits without computing. The same frame takes the same time in each run.
class Waits final : public plugin::Plugin {
 public:
  Waits(const CapOptions& options, std::string_view slot)
      : options_(options), random_(static_cast<unsigned>(std::hash<std::string_view>()(slot))) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    const double share =
        1 + options_.jitter * (2 * std::generate_canonical<double, 32>(random_) - 1);
    std::this_thread::sleep_for(
        std::chrono::duration<double, std::milli>(options_.stage_ms * share));
    auto output = work.acquire_output();
    return output ? std::optional(std::move(*output).publish()) : std::nullopt;
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  const CapOptions& options_;
  std::mt19937 random_;
};

/// Notes the age of each frame on arrival.
class Ages final : public plugin::Plugin {
 public:
  Ages(std::vector<double>& ages, std::mutex& mutex, const Clock& clock)
      : ages_(ages), mutex_(mutex), clock_(clock) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    const std::chrono::duration<double, std::milli> age =
        clock_.now() - work.inputs[0].stamp().made;
    const std::lock_guard lock(mutex_);
    ages_.push_back(age.count());
    return work.inputs[0];
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  std::vector<double>& ages_;
  std::mutex& mutex_;
  const Clock& clock_;
};

/// Takes two frames and no time.
class Pair final : public plugin::Plugin {
 public:
  std::optional<media::Frame> process(plugin::Work& work) override {
    auto output = work.acquire_output();
    return output ? std::optional(std::move(*output).publish()) : std::nullopt;
  }
  void set(std::string_view, const show::ParameterValue&) override {}
};

// source -> w0 -> … -> mix <- source
show::Submix two_ways(const CapOptions& options, int cap) {
  show::Submix submix{.name = "ways", .node = "", .slots = {slot_in_process("source", "pattern")}};
  for (std::size_t i = 0; i < options.stages; ++i)
    submix.slots.push_back(slot_in_process(fmt::format("w{}", i), "waits"));
  submix.slots.push_back(slot_in_process("mix", "pair"));
  submix.slots.back().inputs = {{submix.slots[submix.slots.size() - 2].name, "source"}};
  submix.slots.push_back(slot_in_process("end", "ages"));
  submix.frames_in_flight = cap;
  return submix;
}

}  // namespace

void tell_scaling(const ScalingOptions& options) {
  Scaling scaling(options);
  std::vector<ContestEntry> entries;
  entries.push_back({"one_thread_for_all_stages", scaling.loops(1, options.workers)});
  entries.push_back({"stages", scaling.stages()});
  entries.push_back({"one_thread", scaling.loops(1, 1)});
  entries.push_back({"helpers", scaling.helpers()});
  entries.push_back({"threads", scaling.loops(options.workers, 1)});
  for (int round = 0; round < options.rounds; ++round)
    contest(entries, std::chrono::duration<double>(options.seconds), kTurn);
  const auto& [all, stages, one, helpers, threads] =
      std::tie(entries[0], entries[1], entries[2], entries[3], entries[4]);
  const auto over = [](const ContestEntry& entry, const ContestEntry& base) {
    return throughput::median(ratios(entry, base, &Figures::fps));
  };
  // A frame of all stages is as much work as one frame of each thread.
  const double stages_over_threads = over(stages, threads) * static_cast<double>(options.workers);
  nlohmann::json json{{"filter", options.filter},
                      {"workers", options.workers},
                      {"rounds", options.rounds},
                      {"seconds", options.seconds},
                      {"stages_over_one_thread", over(stages, all)},
                      {"helpers_over_one_thread", over(helpers, one)},
                      {"threads_over_one_thread", over(threads, one)},
                      {"stages_over_threads", stages_over_threads},
                      {"helpers_over_threads", over(helpers, threads)}};
  for (const auto& entry : entries) {
    json["fps"][entry.name] = median_of(entry, &Figures::fps);
    json["cpu_ms"][entry.name] = median_of(entry, &Figures::cpu_ms);
    for (const auto& round : entry.rounds)
      json["fps_of_rounds"][entry.name].push_back(round.fps);
  }
  if (options.is_json) return fmt::print("{}\n", json.dump());
  const auto line = [](const std::string& what, const ContestEntry& entry,
                       const std::string& ratios) {
    fmt::print("{:<36}{:8.1f} fps  {}\n", what, median_of(entry, &Figures::fps), ratios);
  };
  const auto n = options.workers;
  const auto of_one = [](double ratio) { return fmt::format("{:.3f} of one thread", ratio); };
  fmt::print("{}x{}, {}, medians of {} rounds\n", options.size.width, options.size.height,
             options.filter, options.rounds);
  line("one thread", one, "");
  line(fmt::format("{} threads with nothing in common", n), threads, of_one(over(threads, one)));
  line(
      fmt::format("a slot with {} helpers", n), helpers,
      fmt::format("{}, {:.3f} of the threads", of_one(over(helpers, one)), over(helpers, threads)));
  line(fmt::format("one thread for {} stages", n), all, "");
  line(fmt::format("{} stages", n), stages,
       fmt::format("{}, {:.3f} of the threads", of_one(over(stages, all)), stages_over_threads));
}

void tell_caps(const CapOptions& options) {
  PatchEnvironment environment;
  const engine::Transport transport;
  std::vector<double> ages;
  std::mutex mutex;
  const auto add = [&](const char* id, plugin::Kind kind, auto make) {
    environment.catalog.add(
        {.id = id, .kind = kind},
        [make](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
          return make(setup);
        });
  };
  add("waits", plugin::Kind::filter,
      [&](const plugin::Setup& setup) { return std::make_unique<Waits>(options, setup.slot); });
  add("pair", plugin::Kind::mixer2, [](const plugin::Setup&) { return std::make_unique<Pair>(); });
  add("ages", plugin::Kind::output,
      [&](const plugin::Setup&) { return std::make_unique<Ages>(ages, mutex, environment.clock); });
  engine::PatchOptions patch_options;
  patch_options.size = {64, 64};
  patch_options.is_free_running = options.fps == 0;
  if (options.fps > 0) patch_options.rate = {static_cast<std::uint32_t>(options.fps), 1};
  for (const int cap : options.caps) {
    const auto patch = environment.start(two_ways(options, cap), patch_options, transport);
    {
      const std::lock_guard lock(mutex);
      ages.clear();
    }
    const double fps = rate_of(*patch, options.seconds);
    patch->stop();
    std::sort(ages.begin(), ages.end());
    const auto at = [&](double share) {
      return ages.empty()
                 ? 0
                 : ages[static_cast<std::size_t>(share * static_cast<double>(ages.size() - 1))];
    };
    const nlohmann::json json{{"stages", options.stages},
                              {"stage_ms", options.stage_ms},
                              {"jitter", options.jitter},
                              {"cap", cap},
                              {"fps", fps},
                              {"age_ms_p50", at(0.5)},
                              {"age_ms_p99", at(0.99)}};
    fmt::print("{}\n", json.dump());
  }
}

}  // namespace submix::chain
