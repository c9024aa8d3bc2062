// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/show_sound.hpp"

#include "node/io/sound/sound_device.hpp"

#include <optional>
#include <utility>

namespace submix::agent {

ShowSound::ShowSound(std::string node, Tell tell, TimeAt time_at, EventSink& events,
                     const Clock& clock, io::ClipSounds clips)
    : node_(std::move(node)),
      tell_(std::move(tell)),
      time_at_(std::move(time_at)),
      clips_(clips.clips),
      latest_(clock),
      listening_({.events = &events,
                  .heard = [this](const auto& moment) { hear_here(moment); },
                  .clips = std::move(clips)}) {}

void ShowSound::follow(const show::Show& show) {
  const auto& input = show.sound;
  const bool is_mine = input.node == node_;
  {
    const MutexLock lock(mutex_);
    if (input_.node != input.node) latest_.store({});  // until the other PC is heard
    input_ = input;
  }
  listening_.listen(is_mine ? std::optional(input.device) : std::nullopt);
}

void ShowSound::hear(const cluster::HeardSound& heard) {
  if (heard.node != node_ && heard.node == input().node) latest_.store(heard.sound);
}

telemetry::SoundReading ShowSound::reading() const {
  const bool is_mine = input().node == node_;
  if (!is_mine) return {};
  return {.is_listening = true,
          .sound = latest_.at({}),
          .trouble = listening_.trouble(),
          .tempo = tempo()};
}

void ShowSound::hear_here(const io::HeardMoment& moment) {
  {
    const MutexLock lock(mutex_);
    moment_ = moment;
  }
  latest_.store(moment.sound);
  tell_({node_, moment.sound});
}

HeardTempo ShowSound::tempo() const {
  const MutexLock lock(mutex_);
  const auto& beat = moment_.beat;
  HeardTempo tempo{.confidence = beat.confidence};
  const auto since_last = std::chrono::duration_cast<std::chrono::nanoseconds>(beat.since_last);
  const auto last_beat = time_at_(moment_.end - since_last);
  if (beat.beats_per_minute <= 0.0 || !last_beat) return tempo;
  tempo.beats_per_minute = beat.beats_per_minute;
  tempo.last_beat = *last_beat;
  return tempo;
}

void ShowSound::look_for_devices(const std::stop_token& stop) {
  devices_.store(io::sound_devices(stop));
}

std::vector<CaptureDevice> ShowSound::devices() const {
  const auto found = devices_.load();
  auto devices = found ? *found : std::vector<CaptureDevice>();
  for (const auto& slot : clips_->slots()) {
    if (devices.size() < kCaptureDevicesMax)
      devices.push_back({show::sound_of_slot(slot), "clip in " + slot});
  }
  return devices;
}

show::SoundInput ShowSound::input() const {
  const MutexLock lock(mutex_);
  return input_;
}

}  // namespace submix::agent
