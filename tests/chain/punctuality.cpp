// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/punctuality.hpp"

#include "common/base/clock.hpp"
#include "common/base/realtime.hpp"
#include "common/telemetry/jitter.hpp"
#include "node/engine/patch.hpp"
#include "node/host/host_keeper.hpp"
#include "node/host/hosted_plugin.hpp"
#include "node/plugin/catalog.hpp"
#include "tests/chain/burners.hpp"
#include "tests/chain/slot_in_process.hpp"
#include "tests/support/event_log.hpp"
#include "tests/throughput/statistics.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::chain {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr std::uint64_t kFramesToSettle = 60;

/// Arrival times of frames from a first frame on. Read after the thread has ended.
struct Arrivals {
  std::vector<std::pair<std::uint64_t, LocalTime>> frames;
};

/// A display that shows nothing and notes when it could have shown each frame.
class Shows final : public plugin::Plugin {
 public:
  explicit Shows(Arrivals& arrivals) : arrivals_(arrivals) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto& frame = work.inputs[0];
    const bool has_room = arrivals_.frames.size() < arrivals_.frames.capacity();
    if (frame.stamp().index.value >= kFramesToSettle && has_room)
      arrivals_.frames.emplace_back(frame.stamp().index.value, work.clock->now());
    return frame;
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  Arrivals& arrivals_;
};

using Moment = std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>>;

nlohmann::json summary(std::vector<double> late_ms) {
  const auto found = throughput::distribution(std::move(late_ms));
  return {{"p50", found.p50}, {"p99", found.p99}, {"max", found.max}};
}

struct Delays {
  std::vector<double> late_ms;
  std::size_t moves = 0;  ///< changes of the timetable
};

// No frame is early: the earliest frame defines when all are due. A frame that is late by more than
// a period moves the timetable, as in the governor: later frames are due by the new timetable.
Delays delays(const Arrivals& arrivals, FrameRate rate) {
  const auto offset = [&](const auto& arrival) {
    return Milliseconds(arrival.second.time_since_epoch() - rate.time_of({arrival.first})).count();
  };
  const auto period = Milliseconds(rate.time_of({1})).count();
  const auto& frames = arrivals.frames;
  Delays found;
  for (auto begin = frames.begin(); begin != frames.end();) {
    auto earliest = offset(*begin);
    auto end = begin;
    for (; end != frames.end() && offset(*end) - earliest <= period; ++end)
      earliest = std::min(earliest, offset(*end));
    for (auto each = begin; each != end; ++each)
      found.late_ms.push_back(offset(*each) - earliest);
    if (end == frames.end()) break;
    found.late_ms.push_back(offset(*end) -
                            earliest);  // by the old timetable; it defines the new one
    ++found.moves;
    begin = end;
  }
  return found;
}

show::Submix chain_with(std::vector<show::Slot> beside) {
  show::Submix submix{
      .name = "paced",
      .node = "",
      .slots = {slot_in_process("source", "pattern"), slot_in_process("a", "frei0r/gamma"),
                slot_in_process("b", "frei0r/invert0r"), slot_in_process("end", "shows")}};
  std::ranges::move(beside, std::back_inserter(submix.slots));
  return submix;
}

/// Edits at the requested rate until `end`. Returns the number of edits.
std::uint64_t edit_until(Moment end, engine::Patch& patch, double per_second) {
  auto glow = slot_in_process("beside", "frei0r/glow");
  glow.inputs = {{"a"}};
  glow.hosting = show::Hosting::own_process;
  const std::array submixes{chain_with({glow, slot_in_process("n", "null")}), chain_with({})};
  const std::chrono::duration<double> period(1 / per_second);
  std::uint64_t edits = 0;
  for (Moment next = std::chrono::steady_clock::now(); next < end; next += period, ++edits) {
    std::this_thread::sleep_until(next);
    if (const auto edited = patch.edit(submixes.at(edits % submixes.size())); !edited)
      throw std::runtime_error(edited.error().message);
    patch.tend();
  }
  return edits;
}

}  // namespace

int tell_punctuality(const PunctualityOptions& options) {
  const auto realtime = options.is_realtime ? allow_realtime_threads() : Result<void>();
  if (!realtime) {
    fmt::print(stderr, "{}\n", realtime.error().message);
    return 1;
  }
  Arrivals arrivals;
  arrivals.frames.reserve(static_cast<std::size_t>(options.seconds * 2 * options.fps) + 1);
  testing::EventLog events;
  SteadyClock clock;
  engine::Transport transport;
  plugin::Catalog catalog;
  plugin::add_built_ins(catalog);
  catalog.add({.id = "shows", .kind = plugin::Kind::output},
              [&](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                return std::make_unique<Shows>(arrivals);
              });
  const auto keeper = host::HostKeeper::open(host::host_program()).value();
  host::host_plugins_of(catalog, *keeper);
  engine::PatchOptions patch_options;
  patch_options.size = options.size;
  patch_options.rate = {static_cast<std::uint32_t>(options.fps), 1};
  const Burners burners(options.burners);
  const auto patch =
      engine::Patch::build(chain_with({}), patch_options, {catalog, events, clock, transport})
          .value();
  patch->start();
  const Moment end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds + 1);
  const auto edits =
      options.edits_per_second > 0 ? edit_until(end, *patch, options.edits_per_second) : 0;
  std::this_thread::sleep_until(end);
  patch->stop();
  const auto reading = patch->telemetry();
  if (arrivals.frames.empty()) {
    fmt::print(stderr, "no frame came within {} s\n", options.seconds + 1);
    return 1;
  }
  const auto missing =
      arrivals.frames.back().first - arrivals.frames.front().first + 1 - arrivals.frames.size();
  const auto shown = delays(arrivals, patch_options.rate);
  const nlohmann::json json{
      {"fps", options.fps},
      {"frames", arrivals.frames.size()},
      {"missing_frames", missing},
      {"edits", edits},
      {"burners", options.burners},
      {"realtime", options.is_realtime && !is_realtime_withdrawn()},
      {"late_frames", reading.late_frames},
      {"governor_late_ms",
       {{"within_p50", Milliseconds(telemetry::jitter_within(reading.jitter, 0.5)).count()},
        {"within_p99", Milliseconds(telemetry::jitter_within(reading.jitter, 0.99)).count()},
        {"max", Milliseconds(reading.jitter.max).count()}}},
      {"shown_late_ms", summary(shown.late_ms)},
      {"timetable_moves", shown.moves}};
  fmt::print("{}\n", json.dump());
  return 0;
}

}  // namespace submix::chain
