// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/patch.hpp"

#include "common/show/text.hpp"
#include "controller/simulation/seed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace submix::simulation {
namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

constexpr std::uint64_t kQueueCapacity = 2;
constexpr std::size_t kSpansKept = 256;
constexpr int kPassesMax = 4;  // frames that a slot may make in one call

nanoseconds times(nanoseconds time, double factor) {
  return nanoseconds(static_cast<std::int64_t>(static_cast<double>(time.count()) * factor));
}

// The usual computing time of a plugin kind, varied by the slot's name; the same at each start.
nanoseconds frame_time_of(const show::Slot& slot, std::uint64_t seed) {
  if (slot.plugin == show::kStreamInPlugin || slot.is_bypassed) return 100us;
  if (slot.plugin == show::kStreamOutPlugin) return 1200us;
  if (slot.plugin == "window" || slot.plugin == "null") return 900us;
  constexpr auto kLeast = 1500us;
  constexpr auto kSpread = 6500us;
  return kLeast + times(kSpread, fraction(spread(spread(seed, slot.plugin), slot.name)));
}

std::uint64_t delay_of(std::string_view input) {
  const auto at = input.find('@');
  std::uint64_t delay = 0;
  if (at != std::string_view::npos)
    std::from_chars(input.data() + at + 1, input.data() + input.size(), delay);
  return delay;
}

bool is_source(std::string_view plugin) {
  constexpr std::string_view kSources[] = {"clip",
                                           "pattern",
                                           "still",
                                           show::kStreamInPlugin,
                                           "frei0r/plasma",
                                           "frei0r/ising0r",
                                           "frei0r/nois0r",
                                           "frei0r/lissajous0r",
                                           "frei0r/onecol0r",
                                           "frei0r/partik0l"};
  return std::ranges::find(kSources, plugin) != std::end(kSources) ||
         plugin.starts_with("frei0r/test_pat");
}

}  // namespace

Patch::Patch(show::Submix submix, std::uint64_t seed) : stated_(std::move(submix)) {
  for (const auto& wished : stated_.slots) {
    Slot slot;
    slot.name = wished.name;
    slot.plugin = wished.plugin;
    slot.frame_time = slot.usual_time = frame_time_of(wished, spread(seed, stated_.name));
    slot.helpers = std::max(1, wished.helpers);
    slot.is_in = wished.plugin == show::kStreamInPlugin;
    slot.is_out = wished.plugin == show::kStreamOutPlugin;
    slots_.push_back(std::move(slot));
  }
  for (std::size_t i = 0; i < slots_.size(); ++i)
    connect_inputs(i);
  for (auto& slot : slots_)
    slot.is_terminal = slot.readers.empty();
}

void Patch::connect(const std::vector<Stream>& streams) {
  for (auto& slot : slots_) {
    slot.streams.clear();
    const show::Port port{stated_.name, slot.name};
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if ((slot.is_out && streams[i].stated().from == port) ||
          (slot.is_in && streams[i].stated().to == port))
        slot.streams.push_back(i);
    }
  }
}

void Patch::connect_inputs(std::size_t slot) {
  const auto& inputs = stated_.slots[slot].inputs;
  if (inputs) {
    for (const auto& input : *inputs)
      add_queue(slot, input);
  } else if (slot > 0 && !is_source(slots_[slot].plugin)) {
    add_queue(slot, slots_[slot - 1].name);
  }
}

void Patch::add_queue(std::size_t slot, std::string_view input) {
  const auto from = find_slot(input.substr(0, input.find('@')));
  if (!from) return;
  const auto delay = delay_of(input);
  slots_[*from].readers.push_back({slot, slots_[slot].queues.size()});
  slots_[slot].queues.push_back({*from, kQueueCapacity + delay, delay, 0});
}

std::optional<std::size_t> Patch::find_slot(std::string_view name) const {
  const auto found = std::ranges::find(slots_, name, &Slot::name);
  if (found == slots_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - slots_.begin());
}

void Patch::inherit(const Patch& former) {
  for (auto& slot : slots_) {
    const auto place = former.find_slot(slot.name);
    if (!place || former.slots_[*place].plugin != slot.plugin) continue;
    const auto& before = former.slots_[*place];
    slot.frames = before.frames;
    slot.working = before.working;
    slot.starved = before.starved;
    slot.blocked = before.blocked;
    slot.accounted = before.accounted;
  }
  jitter_ = former.jitter_;
  late_frames_ = former.late_frames_;
  late_frame_ = former.late_frame_;
}

double Patch::cores_at(FrameRate rate) const {
  nanoseconds sum{0};
  for (const auto& slot : slots_)
    sum += slot.frame_time;
  return std::chrono::duration<double>(sum).count() * rate.frames_per_second();
}

void Patch::set_trouble(std::size_t slot, std::string why) {
  slots_.at(slot).trouble = std::move(why);
}

void Patch::set_load(std::string_view slot, double factor) {
  if (const auto found = find_slot(slot))
    slots_[*found].frame_time = times(slots_[*found].usual_time, factor);
}

nanoseconds Patch::time_of(const Slot& slot) const {
  return slot.trouble.empty() ? times(slot.frame_time, slowness_) : 100us;
}

// The show's rate paces slots that an audience sees, and outputs that nothing holds back.
bool Patch::is_paced(const Slot& slot, const std::vector<Stream>& streams) const {
  if (!slot.is_terminal) return false;
  return std::ranges::all_of(slot.streams, [&](std::size_t i) {
    return streams[i].is_detached() || streams[i].stated().policy == show::InputPolicy::latest;
  });
}

void Patch::advance(const Conditions& conditions, std::vector<Stream>& streams) {
  slowness_ = conditions.slowness;
  if (conditions.is_paused != std::exchange(is_paused_, conditions.is_paused)) {
    for (auto& slot : slots_)
      slot.due = 0;
  }
  for (auto& slot : slots_)
    begin(slot, conditions, streams);
  for (int pass = 0; pass < kPassesMax; ++pass) {
    bool has_fired = false;
    // Ends first, because they make room.
    for (auto slot = slots_.rbegin(); slot != slots_.rend(); ++slot)
      has_fired = fire(*slot, conditions, streams) || has_fired;
    if (!has_fired) break;
  }
  for (auto& slot : slots_)
    end(slot, conditions, streams);
}

void Patch::begin(Slot& slot, const Conditions& conditions, const std::vector<Stream>& streams) {
  const auto more = conditions.time * slot.helpers;
  slot.ready = std::min(slot.ready + more, std::max(time_of(slot), more));
  if (!is_paced(slot, streams)) return;
  if (conditions.is_paused) {
    slot.due += static_cast<double>(conditions.steps);
    return;
  }
  const double seconds = std::chrono::duration<double>(conditions.time).count();
  slot.due += conditions.rate.frames_per_second() * seconds;
  if (slot.due < 2) return;
  slot.due = 1;  // so late that the rate is lowered: missed frames are not made up for
  ++late_frames_;
  late_frame_ = slot.frames;
}

bool Patch::has_input(const Slot& slot, const std::vector<Stream>& streams) const {
  if (slot.is_in) {
    if (slot.streams.empty()) return true;  // the input shows black
    return std::ranges::any_of(slot.streams, [&](std::size_t i) {
      return streams[i].has_frame() || streams[i].may_repeat();
    });
  }
  return std::ranges::all_of(slot.queues, [](const Queue& queue) { return queue.size() > 0; });
}

bool Patch::has_room(const Slot& slot, const std::vector<Stream>& streams) const {
  const bool is_due = !is_paced(slot, streams) || slot.due >= 1;
  return is_due &&
         std::ranges::all_of(slot.streams,
                             [&](std::size_t i) { return slot.is_in || streams[i].may_send(); }) &&
         std::ranges::all_of(slot.readers, [this](const Reader& reader) {
           const auto& queue = slots_[reader.slot].queues[reader.queue];
           return queue.size() < queue.capacity;
         });
}

bool Patch::fire(Slot& slot, const Conditions& conditions, std::vector<Stream>& streams) {
  const bool has_frame = has_input(slot, streams);
  slot.waits_for = !has_frame                ? WaitsFor::input
                   : has_room(slot, streams) ? WaitsFor::nothing
                                             : WaitsFor::room;
  if (slot.waits_for != WaitsFor::nothing || slot.ready < time_of(slot)) return false;
  const auto time = time_of(slot);
  slot.ready -= time;
  slot.working += time;
  slot.accounted += time;
  cpu_ += slot.frame_time;
  slot.spans.push_back({conditions.now, time, slot.frames});
  if (slot.spans.size() > kSpansKept) slot.spans.pop_front();
  pass_on(slot, conditions, streams);
  return true;
}

void Patch::pass_on(Slot& slot, const Conditions& conditions, std::vector<Stream>& streams) {
  if (is_paced(slot, streams)) {
    const double late = std::max(0.0, (slot.due - 1) / conditions.rate.frames_per_second());
    const auto delay = std::max<nanoseconds>(
        30us, std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(late)) -
                  conditions.time);
    ++jitter_.frames.at(telemetry::jitter_bucket(delay));
    jitter_.max = std::max(jitter_.max, delay);
    slot.due -= 1;
  }
  ++slot.frames;
  for (auto& queue : slot.queues)
    ++queue.taken;
  for (const auto& reader : slot.readers)
    ++slots_[reader.slot].queues[reader.queue].put;
  for (const auto i : slot.streams) {
    auto& stream = streams[i];
    if (slot.is_out) {
      stream.send(conditions.now);
    } else if (stream.has_frame()) {
      stream.take(conditions.now);
    } else {
      stream.repeat();
    }
  }
}

// Time not spent computing counts as waiting for whatever the slot waits for now.
void Patch::end(Slot& slot, const Conditions& conditions, std::vector<Stream>& streams) {
  const auto life = conditions.time * slot.helpers;
  slot.accounted -= life;  // below 0: time that is not accounted for yet
  for (const auto i : slot.streams) {
    if (slot.is_in && slot.waits_for == WaitsFor::input) streams[i].starve(conditions.time);
    const bool has_other_streams =
        slot.streams.size() > 1 &&
        std::ranges::any_of(slot.streams, [&](std::size_t k) { return streams[k].may_send(); });
    if (slot.is_out && slot.waits_for == WaitsFor::room && !streams[i].may_send())
      streams[i].hold_up(conditions.time, has_other_streams && !conditions.is_paused);
  }
  if (slot.accounted.count() >= 0 || slot.waits_for == WaitsFor::nothing) return;
  (slot.waits_for == WaitsFor::input ? slot.starved : slot.blocked) -= slot.accounted;
  slot.accounted = nanoseconds(0);
}

std::optional<std::uint64_t> Patch::frames_of(std::string_view slot) const {
  if (slots_.empty()) return std::nullopt;
  const auto place = slot.empty() ? slots_.size() - 1 : find_slot(slot).value_or(slots_.size());
  if (place == slots_.size()) return std::nullopt;
  return slots_[place].frames;
}

telemetry::SubmixReading Patch::reading() const {
  telemetry::SubmixReading reading;
  reading.name = stated_.name;
  std::optional<std::uint64_t> done;
  for (const auto& slot : slots_) {
    if (slot.is_terminal) done = std::min(done.value_or(slot.frames), slot.frames);
    telemetry::StageReading stage{.slot = slot.name,
                                  .plugin = slot.plugin,
                                  .frames = slot.frames,
                                  .working = slot.working,
                                  .starved = slot.starved,
                                  .blocked = slot.blocked,
                                  .queues = {},
                                  .counters = {},
                                  .trouble = slot.trouble};
    stage.frame_time = {time_of(slot), times(time_of(slot), 1.2), times(time_of(slot), 1.5)};
    stage.helpers = static_cast<std::uint32_t>(slot.helpers);
    if (slot.plugin == "checker")
      stage.counters = {{"checked", slot.frames}, {"lost", 0}, {"reordered", 0}};
    for (const auto& queue : slot.queues) {
      telemetry::QueueReading each{slots_[queue.from].name,
                                   static_cast<std::uint32_t>(queue.size()),
                                   static_cast<std::uint32_t>(queue.capacity)};
      for (auto frame = queue.taken; frame < queue.put; ++frame)
        each.frames.push_back({frame, 1});
      each.frames_put = queue.put;
      each.frames_taken = queue.taken;
      stage.queues.push_back(std::move(each));
    }
    reading.stages.push_back(std::move(stage));
  }
  reading.frames = done.value_or(0);
  reading.late_frames = late_frames_;
  reading.late_frame = late_frame_;
  reading.missed_frames = late_frames_;  // the simulation has no wake-ups to miss
  reading.missed_frame = late_frame_;
  reading.jitter = jitter_;
  add_pools(reading);
  return reading;
}

void Patch::add_pools(telemetry::SubmixReading& reading) const {
  for (const auto& slot : slots_) {
    if (slot.readers.empty()) continue;
    telemetry::PoolReading pool{slot.name, 1, {{telemetry::SeatPlace::making, slot.name, 1}}};
    for (const auto& reader : slot.readers) {
      const auto& queue = slots_[reader.slot].queues[reader.queue];
      const auto used = static_cast<std::uint32_t>(std::min(queue.size(), queue.capacity));
      const auto free = static_cast<std::uint32_t>(queue.capacity) - used;
      pool.capacity += used + free;
      pool.seats.push_back({telemetry::SeatPlace::queue,
                            fmt::format("{} to {}", slot.name, slots_[reader.slot].name), used});
      pool.seats.push_back({telemetry::SeatPlace::free, "", free});
    }
    for (const auto& each : pool.seats)
      pool.taken += each.place == telemetry::SeatPlace::free ? 0 : each.seats;
    pool.is_steady = true;
    reading.pools.push_back(std::move(pool));
  }
}

}  // namespace submix::simulation
