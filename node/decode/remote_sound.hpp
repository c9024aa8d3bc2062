// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/host/host_keeper.hpp"
#include "node/io/sound/clip_sound.hpp"

namespace submix::decode {

/// Opens the sound of each file in a decoder of its own, a confined process that `keeper` starts.
/// `keeper` outlives the sounds.
[[nodiscard]] io::ClipSoundOpener open_sound_in_decoders(host::HostKeeper& keeper);

}  // namespace submix::decode
