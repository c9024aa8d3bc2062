// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/clip/course.hpp"
#include "node/io/open_folder.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace submix::io {

/// How many samples of a clip's sound are read at a time: 11 ms.
inline constexpr std::size_t kClipSoundSamples = 512;

/// The sound track of a file, which another process reads.
///
/// Threads  Confined (one thread at a time).
class ClipSound {
 public:
  enum class Outcome {
    read,
    late,      ///< no answer in time: the samples are silent
    no_track,  ///< the file has no sound
  };

  ClipSound() = default;
  ClipSound(const ClipSound&) = delete;
  ClipSound& operator=(const ClipSound&) = delete;
  virtual ~ClipSound() = default;

  /// Fills `samples`, -1 to 1. `course` has the moment of the first sample and the step between
  /// samples. Silence where the file has no sound.
  ///
  /// Cost     Waits for 8 ms at most.
  /// Errors   The process crashed, hangs or refused the file. Then only destroy the object.
  [[nodiscard]] virtual Result<Outcome> read(const Course& course,
                                             std::span<float, kClipSoundSamples> samples) = 0;
  /// How long the file says that its pictures last, as of the last read; 0: it does not say.
  [[nodiscard]] virtual double length_seconds() const = 0;
  /// The moment of the first damage or gap found, in seconds. It was read as silence.
  [[nodiscard]] virtual std::optional<double> damaged_at() const = 0;
};

/// Opens the sound of a file for a slot, such as "left.clip". Never waits.
using ClipSoundOpener =
    std::function<Result<std::unique_ptr<ClipSound>>(OpenFile file, const std::string& slot)>;

}  // namespace submix::io
