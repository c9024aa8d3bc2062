// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/sound.hpp"

#include <string>

namespace submix::show {

using submix::Sound;

/// Where the sound comes from that a show follows. One PC listens, and tells all others how loud
/// the sound is.
struct SoundInput {
  std::string node;    ///< the PC that listens; empty: no PC listens
  std::string device;  ///< of this PC, as its node lists them; empty: the default input

  friend bool operator==(const SoundInput&, const SoundInput&) = default;
};

}  // namespace submix::show
