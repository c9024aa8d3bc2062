// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/storm.hpp"

#include "common/base/clock.hpp"
#include "node/engine/patch.hpp"
#include "node/host/host_keeper.hpp"
#include "node/host/hosted_plugin.hpp"
#include "tests/support/event_log.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

// 1. Three crashes in ten seconds bypass a slot, so the clock of the crash records runs a hundred
//    times as fast.
// 2. A deed is for one frame (deeds.cpp), so the next host with the same parameters does not
//    repeat it.

namespace submix::chain {
namespace {

using std::chrono::milliseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

constexpr std::array kDeeds{"crash", "abort", "exit",         "overflow",   "compute",
                            "sleep", "leak",  "write-behind", "descriptors"};
constexpr FrameRate kRate{60, 1};
constexpr std::size_t kVictims = 4;
constexpr std::uint64_t kFramesAhead = 8;  // a deed is for a frame that its host has not begun
constexpr milliseconds kStormGlance(3);
constexpr std::chrono::seconds kDeedPatience(5);

class HurriedClock final : public Clock {
 public:
  [[nodiscard]] LocalTime now() const override {
    return LocalTime(std::chrono::steady_clock::now().time_since_epoch() * 100);
  }
};

/// Progress of a slot so far.
struct SlotProgress {
  std::uint64_t frames = 0;
  std::uint64_t held = 0;
  std::uint64_t ends = 0;  ///< crashes and hangs
  bool is_in_trouble = false;
};

SlotProgress progress_of(const engine::Patch& patch, std::string_view slot) {
  SlotProgress progress;
  for (const auto& stage : patch.telemetry().stages) {
    if (stage.slot != slot) continue;
    progress.frames = stage.frames;
    progress.is_in_trouble = !stage.trouble.empty();
    for (const auto& [name, value] : stage.counters) {
      if (name == "held") progress.held = value;
      if (name == "crashes" || name == "hangs") progress.ends += value;
    }
  }
  return progress;
}

/// One slot whose plugin does deeds, one at a time.
class Victim {
 public:
  explicit Victim(std::unique_ptr<engine::Patch> patch) : patch_(std::move(patch)) {
    patch_->start();
  }

  [[nodiscard]] bool is_idle() const { return deed_.empty(); }

  void begin(const std::string& deed) {
    deed_ = deed;
    before_ = progress_of(*patch_, "fx");
    given_up_ = std::chrono::steady_clock::now() + kDeedPatience;
    const auto when = std::chrono::duration<double>(kRate.time_of({before_.frames + kFramesAhead}));
    (void)patch_->set_parameter("fx", "deed", fmt::format("{}@{}", deed, when.count()));
  }

  /// When a deed is over, adds its cost to `gaps`. Tries again if its frame was missed.
  void look(std::map<std::string, std::vector<double>>& gaps) {
    if (is_idle()) return;
    const auto now = progress_of(*patch_, "fx");
    if (now.ends == before_.ends) {
      if (std::chrono::steady_clock::now() > given_up_) begin(deed_);
      return;
    }
    const auto made = (now.frames - before_.frames) - (now.held - before_.held);
    if (!has_struck_) made_before_ = made;
    has_struck_ = true;
    if (made < made_before_ + 3) return;  // the slot works again after some frames
    gaps[std::exchange(deed_, {})].push_back(static_cast<double>(now.held - before_.held));
    has_struck_ = false;
  }

  [[nodiscard]] SlotProgress progress() const { return progress_of(*patch_, "fx"); }

 private:
  std::unique_ptr<engine::Patch> patch_;
  std::string deed_;  // empty: no deed is active
  SlotProgress before_;
  SteadyTime given_up_{};
  bool has_struck_ = false;
  std::uint64_t made_before_ = 0;  // the plugin's frames before the deed
};

/// Of all its slots.
std::uint64_t held_by(const engine::Patch& patch) {
  std::uint64_t held = 0;
  for (const auto& stage : patch.telemetry().stages) {
    for (const auto& [name, value] : stage.counters)
      held += name == "held" ? value : 0;
  }
  return held;
}

/// 0 for an empty list.
double at(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values.at(static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5));
}

class Storm {
 public:
  explicit Storm(const StormOptions& options)
      : options_(options), keeper_(host::HostKeeper::open(host::host_program()).value()) {
    plugin::add_built_ins(catalog_);
    catalog_.host_with([this](const plugin::Description& description,
                              const std::filesystem::path& file, const plugin::Setup& setup) {
      auto hurried = setup;
      hurried.clock = &hurried_clock_;
      return host::make_hosted_plugin(*keeper_, description, file, hurried);
    });
    others_ = build({1280, 720}, {"frei0r/invert0r", "frei0r/gamma", "frei0r/contrast0r"});
    others_->start();
    for (std::size_t i = 0; i < kVictims; ++i)
      victims_.push_back(std::make_unique<Victim>(build({320, 240}, {"frei0r/deeds"})));
  }

  int run() {
    pass(2);
    while (begun_ < options_.deeds) {
      const auto quiet = rate_of([this] { pass(options_.period_seconds); });
      const auto stormy = rate_of([this] { rage(options_.period_seconds); });
      ratios_.push_back(stormy / quiet);
      settle();
    }
    return report();
  }

 private:
  std::unique_ptr<engine::Patch> build(Size size, const std::vector<std::string>& plugins) {
    show::Submix submix{.name = fmt::format("s{}", ++built_), .node = "", .slots = {}};
    const auto add = [&](std::string name, std::string plugin) {
      submix.slots.push_back(
          {.name = std::move(name), .plugin = std::move(plugin), .parameters = {}, .inputs = {}});
      submix.slots.back().hosting = show::Hosting::own_process;
    };
    add("pattern", "pattern");
    for (std::size_t i = 0; i < plugins.size(); ++i)
      add(i == 0 ? "fx" : fmt::format("fx{}", i), plugins[i]);
    add("end", "null");
    engine::PatchOptions options;
    options.size = size;
    options.rate = kRate;
    return engine::Patch::build(submix, options, {catalog_, events_, clock_, transport_}).value();
  }

  static void pass(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }

  template <typename Period>
  double rate_of(Period period) {
    const auto began = std::chrono::steady_clock::now();
    const auto before = others_->telemetry().frames;
    period();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
    return static_cast<double>(others_->telemetry().frames - before) / passed.count();
  }

  void rage(double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end && begun_ < options_.deeds) {
      for (auto& victim : victims_) {
        victim->look(gaps_);
        if (victim->is_idle() && begun_ < options_.deeds)
          victim->begin(kDeeds[static_cast<std::size_t>(begun_++) % kDeeds.size()]);
      }
      std::this_thread::sleep_for(kStormGlance);
    }
  }

  /// Waits for the end of deeds that have begun.
  void settle() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    const auto is_over = [this] {
      return std::all_of(victims_.begin(), victims_.end(),
                         [](const auto& each) { return each->is_idle(); });
    };
    while (!is_over() && std::chrono::steady_clock::now() < end) {
      for (auto& victim : victims_)
        victim->look(gaps_);
      std::this_thread::sleep_for(kStormGlance);
    }
  }

  int report() const {
    const auto outcome = this->outcome();
    nlohmann::json json{{"deeds", options_.deeds},
                        {"done", outcome.done},
                        {"ratio_median", outcome.ratio_median},
                        {"ratio_least", at(ratios_, 0)},
                        {"periods", ratios_.size()},
                        {"crash_gap_p99", outcome.crash_gap_p99},
                        {"others_held", outcome.others_held},
                        {"all_work", outcome.all_work},
                        {"missed", outcome.missed(options_)}};
    for (const auto& [deed, gaps] : gaps_) {
      json["gaps"][deed] = {{"count", gaps.size()},
                            {"p50", at(gaps, 0.5)},
                            {"p99", at(gaps, 0.99)},
                            {"max", at(gaps, 1)}};
    }
    fmt::print("{}\n", options_.is_json ? json.dump() : json.dump(2));
    for (const auto& what : outcome.missed(options_))
      fmt::print(stderr, "missed: {}\n", what);
    return outcome.missed(options_).empty() ? 0 : 1;
  }

  [[nodiscard]] StormOutcome outcome() const {
    StormOutcome outcome;
    std::vector<double> crash_gaps;
    for (const auto& [deed, gaps] : gaps_) {
      outcome.done += static_cast<int>(gaps.size());
      if (deed != "compute" && deed != "sleep")
        crash_gaps.insert(crash_gaps.end(), gaps.begin(), gaps.end());
    }
    outcome.ratio_median = at(ratios_, 0.5);
    outcome.periods = ratios_.size();
    outcome.crash_gap_p99 = at(crash_gaps, 0.99);
    outcome.others_held = held_by(*others_);
    outcome.all_work = std::none_of(victims_.begin(), victims_.end(), [](const auto& each) {
      return each->progress().is_in_trouble;
    });
    return outcome;
  }

  const StormOptions options_;
  const HurriedClock hurried_clock_;
  testing::EventLog events_;
  SteadyClock clock_;
  engine::Transport transport_;
  std::unique_ptr<host::HostKeeper> keeper_;
  plugin::Catalog catalog_{{SUBMIX_TEST_PLUGINS, "/usr/lib/frei0r-1"}};
  std::unique_ptr<engine::Patch> others_;
  std::vector<std::unique_ptr<Victim>> victims_;
  int built_ = 0;
  int begun_ = 0;
  std::map<std::string, std::vector<double>> gaps_;  // in frames, by deed
  std::vector<double> ratios_;                       // of the other chain's rate, stormy over quiet
};

}  // namespace

std::vector<std::string> StormOutcome::missed(const StormOptions& options) const {
  std::vector<std::string> missed;
  if (done != options.deeds)
    missed.push_back(fmt::format("{} of {} deeds came to an end", done, options.deeds));
  if (!all_work) missed.emplace_back("a slot whose plugin did them no longer works");
  if (others_held != 0)
    missed.push_back(
        fmt::format("the other chain held {} frames, and shall hold none", others_held));
  if (options.judges_survival_only) return missed;
  if (ratio_median < kRatioLeast) {
    missed.push_back(
        fmt::format("the other chain kept {:.4f} of its rate (median of {} periods), less than {}",
                    ratio_median, periods, kRatioLeast));
  }
  if (crash_gap_p99 > kCrashGapMost) {
    missed.push_back(
        fmt::format("a crash cost its slot {} frames at the 99th percentile, more than {}",
                    crash_gap_p99, kCrashGapMost));
  }
  return missed;
}

int run_storm(const StormOptions& options) {
  return Storm(options).run();
}

}  // namespace submix::chain
