// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/host/host_keeper.hpp"
#include "node/io/picture_source.hpp"

namespace submix::decode {

/// Opens each file in a decoder of its own, a confined process that `keeper` starts: a file which crashes its
/// decoder, or makes it compute for long, costs the show a held picture. `keeper` outlives the sources.
///
/// A picture that is not there within kShowPatience is `late`. From then on the caller is not kept waiting
/// until the decoder has caught up. A decoder that crashes, or hangs, gives way to another one, which goes on
/// at the moment that is asked for; three crashes in ten seconds, or three hangs in a row, end that.
[[nodiscard]] io::SourceOpener open_in_decoders(host::HostKeeper& keeper);

/// How long the show waits for a picture, once.
inline constexpr std::chrono::milliseconds kShowPatience{1000};

}  // namespace submix::decode
