// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/show_sound.hpp"

#include "node/io/sound/sound_device.hpp"

#include <optional>
#include <utility>

namespace submix::agent {

ShowSound::ShowSound(std::string node, Tell tell, EventSink& events, const Clock& clock)
    : node_(std::move(node)),
      tell_(std::move(tell)),
      ear_(clock),
      listening_({.events = &events, .heard = [this](const Sound& sound) {
                    ear_.hear(sound);
                    tell_({node_, sound});
                  }}) {}

void ShowSound::follow(const show::SoundInput& input) {
  const bool is_mine = input.node == node_;
  {
    const MutexLock lock(mutex_);
    if (input_.node != input.node) ear_.hear({});  // until the other PC is heard
    input_ = input;
  }
  listening_.listen(is_mine ? std::optional(input.device) : std::nullopt);
}

void ShowSound::hear(const cluster::HeardSound& heard) {
  if (heard.node != node_ && heard.node == input().node) ear_.hear(heard.sound);
}

telemetry::SoundReading ShowSound::reading() const {
  const bool is_mine = input().node == node_;
  if (!is_mine) return {};
  return {.is_listening = true, .sound = ear_.latest(), .trouble = listening_.trouble()};
}

void ShowSound::look_for_devices(const std::stop_token& stop) {
  devices_.store(io::sound_devices(stop));
}

std::vector<CaptureDevice> ShowSound::devices() const {
  const auto found = devices_.load();
  return found ? *found : std::vector<CaptureDevice>();
}

show::SoundInput ShowSound::input() const {
  const MutexLock lock(mutex_);
  return input_;
}

}  // namespace submix::agent
