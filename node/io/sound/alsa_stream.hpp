// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/sound/sound_stream.hpp"

#include <string>

namespace submix::io {

/// As open_sound(), by ALSA. `device`: "hw:1,0", or empty for the first card with an input.
[[nodiscard]] Result<std::unique_ptr<SoundStream>> open_alsa_stream(const std::string& device);
/// The same for `pcm.input` as defined by `definition`, in ALSA's configuration language. `device`
/// is for errors.
[[nodiscard]] Result<std::unique_ptr<SoundStream>> open_alsa_input(const std::string& device,
                                                                   const std::string& definition);

}  // namespace submix::io
