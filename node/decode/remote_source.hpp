// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/host/host_keeper.hpp"
#include "node/io/clip/picture_source.hpp"

namespace submix::decode {

/// Opens each file in its own decoder, a confined process that `keeper` starts. A file that crashes
/// its decoder, or keeps it busy for long, costs the show a held picture. `keeper` outlives the
/// sources.
///
/// A picture that takes longer than the setup's patience is `late`. From then on the caller does
/// not wait until the decoder has caught up. A decoder that crashes or hangs is replaced; the new
/// decoder goes on at the requested moment. After three crashes in ten seconds, or three hangs in a
/// row, the source gives up.
[[nodiscard]] io::SourceOpener open_in_decoders(host::HostKeeper& keeper);

}  // namespace submix::decode
