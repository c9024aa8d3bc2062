// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/sound/sound_stream.hpp"

#include <string>

namespace submix::io {

/// As open_sound(), by ALSA: "hw:1,0", or empty for ALSA's default input.
///
/// Errors   As open_sound(). ALSA's default is missing where the computer has no sound card.
[[nodiscard]] Result<std::unique_ptr<SoundStream>> open_alsa_stream(const std::string& device);

}  // namespace submix::io
