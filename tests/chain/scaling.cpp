// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/scaling.hpp"

#include "common/base/clock.hpp"
#include "node/engine/patch.hpp"
#include "node/plugin/catalog.hpp"
#include "tests/chain/fixed_picture.hpp"
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
#include <thread>
#include <utility>

namespace submix::chain {
namespace {

using Steady = std::chrono::steady_clock;

show::Slot slot(std::string name, std::string plugin) {
  show::Slot slot{.name = std::move(name), .plugin = std::move(plugin), .parameters = {}, .inputs = {}};
  slot.hosting = show::Hosting::in_process;
  return slot;
}

/// What a patch is measured in.
struct Room {
  testing::EventLog events;
  SteadyClock clock;
  engine::Transport transport;
  plugin::Catalog catalog;

  Room() {
    plugin::add_built_ins(catalog);
    catalog.add({.id = "fixed", .kind = plugin::Kind::source},
                [](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                  return std::make_unique<FixedPicture>();
                });
  }

  std::unique_ptr<engine::Patch> start(const show::Submix& submix, const engine::PatchOptions& options) {
    auto patch = engine::Patch::build(submix, options, {catalog, events, clock, transport}).value();
    patch->start();
    while (patch->telemetry().frames < 10)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
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
  explicit Scaling(const ScalingOptions& options) : options_(options), plugin_("frei0r/" + options.filter) {
    patch_options_.size = options_.size;
    patch_options_.is_free_running = true;
  }

  // `times` of the filter's work for each frame.
  double one_thread(std::size_t times) {
    media::FramePool pool(options_.size, 3);
    auto source = make("fixed");
    auto filter = make(plugin_);
    plugin::Work work;
    work.pool = &pool;
    work.clock = &room_.clock;
    const auto picture = source->process(work).value();
    work.inputs = {&picture, 1};
    std::uint64_t frames = 0;
    const auto begin = Steady::now();
    const auto end = begin + std::chrono::duration<double>(options_.seconds);
    for (; Steady::now() < end; ++frames) {
      for (std::size_t i = 0; i < times; ++i)
        static_cast<void>(filter->process(work));
    }
    return static_cast<double>(frames) / std::chrono::duration<double>(Steady::now() - begin).count();
  }

  double stages() {
    show::Submix submix{.name = "row", .node = "", .slots = {slot("source", "fixed")}};
    for (std::size_t i = 0; i < options_.workers; ++i)
      submix.slots.push_back(slot(fmt::format("f{}", i), plugin_));
    submix.slots.push_back(slot("end", "null"));
    return rate_of(*room_.start(submix, patch_options_), options_.seconds);
  }

  double helpers() {
    show::Submix submix{.name = "row", .node = "", .slots = {slot("source", "fixed"), slot("f", plugin_)}};
    submix.slots.back().helpers = static_cast<int>(options_.workers);
    submix.slots.push_back(slot("end", "null"));
    return rate_of(*room_.start(submix, patch_options_), options_.seconds);
  }

 private:
  std::unique_ptr<plugin::Plugin> make(const std::string& id) {
    plugin::Setup setup{
        .submix = "row", .slot = id, .size = options_.size, .rate = {30, 1}, .parameters = {}};
    setup.clock = &room_.clock;
    return room_.catalog.create(id, setup).value();
  }

  const ScalingOptions options_;
  const std::string plugin_;
  engine::PatchOptions patch_options_;
  Room room_;
};

/// Takes its time without computing; the same frame takes the same time each run.
class Waits final : public plugin::Plugin {
 public:
  Waits(const CapOptions& options, std::string_view slot)
      : options_(options), random_(static_cast<unsigned>(std::hash<std::string_view>()(slot))) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    const double share = 1 + options_.jitter * (2 * std::generate_canonical<double, 32>(random_) - 1);
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(options_.stage_ms * share));
    auto output = work.acquire_output();
    return output ? std::optional(std::move(*output).publish()) : std::nullopt;
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  const CapOptions& options_;
  std::mt19937 random_;
};

/// Notes how old frames are when they come.
class Ages final : public plugin::Plugin {
 public:
  Ages(std::vector<double>& ages, std::mutex& mutex, const Clock& clock)
      : ages_(ages), mutex_(mutex), clock_(clock) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    const std::chrono::duration<double, std::milli> age = clock_.now() - work.inputs[0].stamp().made;
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
  show::Submix submix{.name = "ways", .node = "", .slots = {slot("source", "pattern")}};
  for (std::size_t i = 0; i < options.stages; ++i)
    submix.slots.push_back(slot(fmt::format("w{}", i), "waits"));
  submix.slots.push_back(slot("mix", "pair"));
  submix.slots.back().inputs = {{submix.slots[submix.slots.size() - 2].name, "source"}};
  submix.slots.push_back(slot("end", "ages"));
  submix.frames_in_flight = cap;
  return submix;
}

}  // namespace

void tell_scaling(const ScalingOptions& options) {
  Scaling scaling(options);
  std::vector<double> all;
  std::vector<double> stages;
  std::vector<double> one;
  std::vector<double> helpers;
  std::vector<double> stage_ratios;
  std::vector<double> helper_ratios;
  for (int round = 0; round < options.rounds; ++round) {
    all.push_back(scaling.one_thread(options.workers));
    stages.push_back(scaling.stages());
    one.push_back(scaling.one_thread(1));
    helpers.push_back(scaling.helpers());
    stage_ratios.push_back(stages.back() / all.back());
    helper_ratios.push_back(helpers.back() / one.back());
  }
  const nlohmann::json json{{"filter", options.filter},
                            {"workers", options.workers},
                            {"rounds", options.rounds},
                            {"seconds", options.seconds},
                            {"fps",
                             {{"one_thread_for_all_stages", throughput::median(all)},
                              {"stages", throughput::median(stages)},
                              {"one_thread", throughput::median(one)},
                              {"helpers", throughput::median(helpers)}}},
                            {"stages_over_one_thread", throughput::median(stage_ratios)},
                            {"helpers_over_one_thread", throughput::median(helper_ratios)}};
  fmt::print("{}\n", json.dump());
}

void tell_caps(const CapOptions& options) {
  Room room;
  std::vector<double> ages;
  std::mutex mutex;
  const auto add = [&](const char* id, plugin::Kind kind, auto make) {
    room.catalog.add({.id = id, .kind = kind},
                     [make](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
                       return make(setup);
                     });
  };
  add("waits", plugin::Kind::filter,
      [&](const plugin::Setup& setup) { return std::make_unique<Waits>(options, setup.slot); });
  add("pair", plugin::Kind::mixer2, [](const plugin::Setup&) { return std::make_unique<Pair>(); });
  add("ages", plugin::Kind::output,
      [&](const plugin::Setup&) { return std::make_unique<Ages>(ages, mutex, room.clock); });
  engine::PatchOptions patch_options;
  patch_options.size = {64, 64};
  patch_options.is_free_running = options.fps == 0;
  if (options.fps > 0) patch_options.rate = {static_cast<std::uint32_t>(options.fps), 1};
  for (const int cap : options.caps) {
    const auto patch = room.start(two_ways(options, cap), patch_options);
    {
      const std::lock_guard lock(mutex);
      ages.clear();
    }
    const double fps = rate_of(*patch, options.seconds);
    patch->stop();
    std::sort(ages.begin(), ages.end());
    const auto at = [&](double share) {
      return ages.empty() ? 0 : ages[static_cast<std::size_t>(share * static_cast<double>(ages.size() - 1))];
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
