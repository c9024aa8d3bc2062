// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/sound.hpp"
#include "common/base/units.hpp"

namespace submix::engine {

/// The sound that a frame's moving parameters follow. Synchronized.
class SoundSource {
 public:
  SoundSource() = default;
  SoundSource(const SoundSource&) = delete;
  SoundSource& operator=(const SoundSource&) = delete;
  virtual ~SoundSource() = default;

  /// `frame`: as the show numbers it.
  [[nodiscard]] virtual Sound at(FrameIndex frame) const = 0;
};

}  // namespace submix::engine
