// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/result.hpp"
#include "common/show/sound.hpp"
#include "node/io/retrying.hpp"
#include "node/io/sound/beat_tracking.hpp"
#include "node/io/sound/clip_stream.hpp"
#include "node/io/sound/sound_stream.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace submix::io {

/// The sound at one moment.
struct HeardMoment {
  show::Sound sound;
  Beat beat;
  LocalTime end{};  ///< the end of the sound heard so far, corrected by the input's delay
};

/// Listens to a sound input of this computer, or to a clip that it plays, on a thread of its own.
/// Measures its loudness and its beat. A missing or unplugged input is tried again every two
/// seconds.
///
/// Threads  Synchronized.
/// Cost     listen() waits for no device. The destructor waits for a call of `heard`, for the
///          kernel to open or close a card, and up to 100 ms; with JACK up to 200 ms.
class SoundListening {
 public:
  struct Options {
    EventSink* events = nullptr;  ///< outlives this; null: nobody listens
    /// Called on the own thread, about 94 times a second and at most every 8 ms. Called at least
    /// once with silence when the input fails, gives nothing, is replaced, or is no longer wanted.
    std::function<void(const HeardMoment&)> heard;
    ClipSounds clips = {};  ///< for clips as inputs
  };
  explicit SoundListening(Options options);

  /// `device`: as for show::check_sound_name(). Empty: rests.
  void listen(std::optional<std::string> device) { attempts_.work_for(std::move(device)); }
  /// Why nothing is heard. Empty while samples come, even silent ones, and during the first
  /// attempt.
  [[nodiscard]] std::string trouble() const { return attempts_.trouble(); }

 private:
  using Attempts = Retrying<std::string>;

  /// Listens until another input is wanted. Fails with the reason when the input fails.
  [[nodiscard]] Result<void> carry_out(const Attempts::Task& task);
  [[nodiscard]] Result<std::unique_ptr<SoundStream>> open(const Attempts::Task& task) const;
  [[nodiscard]] Result<void> follow(SoundStream& stream, const Attempts::Task& task);

  const Options options_;
  Attempts attempts_;  // the last: its thread uses all others
};

}  // namespace submix::io
