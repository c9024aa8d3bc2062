// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/capture_device.hpp"
#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/heard_tempo.hpp"
#include "common/base/latest_value.hpp"
#include "common/base/mutex.hpp"
#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "common/show/sound.hpp"
#include "common/telemetry/readings.hpp"
#include "node/agent/followed_sound.hpp"
#include "node/engine/latest_sound.hpp"
#include "node/io/sound/sound_listening.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::agent {

/// The show's sound on this node. If the show names this node, it listens and tells the others;
/// otherwise it receives the sound from the node that the show names. Without NATS, the node that
/// listens still has its own sound.
///
/// Threads  Synchronized.
class ShowSound final : public FollowedSound {
 public:
  using Tell = std::function<void(const cluster::HeardSound&)>;
  /// The cluster's time at a local time. Empty: it is not known yet.
  using TimeAt = std::function<std::optional<std::chrono::nanoseconds>(LocalTime)>;
  /// `tell` publishes what this node hears. `events` and `clock` outlive this object.
  ShowSound(std::string node, Tell tell, TimeAt time_at, EventSink& events, const Clock& clock,
            io::ClipSounds clips = {});

  void follow(const show::Show& show) override SUBMIX_EXCLUDES(mutex_);
  /// Another node's message. Believed only if the show names that node.
  void hear(const cluster::HeardSound& heard) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] const engine::SoundSource& source() const override { return latest_; }
  [[nodiscard]] telemetry::SoundReading reading() const override SUBMIX_EXCLUDES(mutex_);

  /// Asks this machine for its inputs. Waits up to a second for its sound server.
  void look_for_devices(const std::stop_token& stop);
  /// The inputs as last found, and the clips that play here now.
  [[nodiscard]] std::vector<CaptureDevice> devices() const;

 private:
  void hear_here(const io::HeardMoment& moment) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] HeardTempo tempo() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] show::SoundInput input() const SUBMIX_EXCLUDES(mutex_);

  const std::string node_;
  const Tell tell_;
  const TimeAt time_at_;
  const std::shared_ptr<const io::PlayedClips> clips_;
  engine::LatestSound latest_;
  LatestValue<std::vector<CaptureDevice>> devices_;
  mutable Mutex mutex_;
  show::SoundInput input_ SUBMIX_GUARDED_BY(mutex_);
  io::HeardMoment moment_ SUBMIX_GUARDED_BY(mutex_);  // as last heard here
  io::SoundListening listening_;                      // the last: its thread uses the others
};

}  // namespace submix::agent
