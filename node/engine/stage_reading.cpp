// SPDX-License-Identifier: GPL-3.0-or-later
// The readings of a stage.
#include "node/engine/stage.hpp"

#include <algorithm>
#include <map>

namespace submix::engine {

using plugin::StageState;

namespace {

// Reserves memory first: nothing is allocated while the queue is locked.
telemetry::QueueReading queue_reading(const Wiring::Input& input) {
  telemetry::QueueReading reading{.from = input.from,
                                  .size = 0,
                                  .capacity = static_cast<std::uint32_t>(input.queue->capacity())};
  reading.frames.reserve(input.queue->capacity());
  const auto counts = input.queue->look_through([&reading](const media::Frame& frame) {
    reading.frames.push_back({frame.stamp().index.value, frame.references()});
  });
  reading.size = static_cast<std::uint32_t>(reading.frames.size());
  reading.frames_put = counts.put;
  reading.frames_taken = counts.taken;
  return reading;
}

// Counters of the same name are added up.
void add_plugin(const plugin::Plugin& plugin, telemetry::StageReading& reading) {
  if (reading.trouble.empty()) reading.trouble = plugin.trouble();
  for (auto& [name, count] : plugin.counters()) {
    const auto found = std::find_if(reading.counters.begin(), reading.counters.end(),
                                    [&](const auto& each) { return each.first == name; });
    if (found == reading.counters.end()) {
      reading.counters.emplace_back(name, count);
    } else {
      found->second += count;
    }
  }
}

}  // namespace

telemetry::StageReading Stage::reading() const {
  telemetry::StageReading reading;
  reading.slot = slot();
  reading.plugin = description().id;
  reading.helpers = static_cast<std::uint32_t>(workers_.size());
  reading.frames = frames_.load(std::memory_order_relaxed);
  for (const auto& worker : workers_) {
    const auto shares = worker.shares.totals(context_.clock.now());
    reading.working += shares[static_cast<std::size_t>(StageState::working)];
    reading.starved += shares[static_cast<std::size_t>(StageState::starved)];
    reading.blocked += shares[static_cast<std::size_t>(StageState::blocked)];
  }
  reading.frame_time = frame_times_.reading();
  reading.frames_passed_by = maker_.frames_passed_by();

  auto [wiring, ended] = control_.queue_history();
  for (std::size_t i = 0; i < wiring->inputs.size(); ++i) {
    auto& queue = reading.queues.emplace_back(queue_reading(wiring->inputs[i]));
    const auto& before = ended[wiring->edge(i)];
    queue.frames_put += before.put;
    queue.frames_taken += before.taken;
    queue.frames_dropped = before.put - before.taken;
  }

  const MutexLock lock(ending_);
  for (const auto& worker : workers_) {
    if (worker.plugin) add_plugin(*worker.plugin, reading);  // else it is retired
  }
  return reading;
}

void Stage::add_lateness(telemetry::SubmixReading& reading) const {
  const MutexLock lock(ending_);
  const auto& plugin = workers_.front().plugin;  // a single worker shows frames in order
  if (!plugin) return;
  const auto lateness = plugin->lateness();
  for (std::size_t i = 0; i < reading.jitter.frames.size(); ++i)
    reading.jitter.frames[i] += lateness.jitter.frames[i];
  reading.jitter.max = std::max(reading.jitter.max, lateness.jitter.max);
  for (auto* count : {&reading.late_frames, &reading.missed_frames})
    *count += lateness.missed_frames;
  for (auto* last : {&reading.late_frame, &reading.missed_frame})
    *last = std::max(*last, lateness.missed_frame);
}

std::vector<media::SeatNote> Stage::own_seats() const {
  const MutexLock lock(ending_);
  const auto& plugin = workers_.front().plugin;  // only sources have a pool, and a single worker
  return plugin ? plugin->own_seats() : std::vector<media::SeatNote>();
}

}  // namespace submix::engine
