// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/sound/sound_stream.hpp"

#include <stop_token>
#include <string>

namespace submix::io {

/// As open_sound(), from a running JACK server. `device`: a name for show::jack_ports().
///
/// Cost     Waits up to 3 s for a server that hangs; the destructor up to 100 ms.
/// Errors   No server runs, or a port is missing or is no sound output. The stream ends when a port
///          disappears; open it again when the port is back.
[[nodiscard]] Result<std::unique_ptr<SoundStream>> open_jack_stream(const std::string& device,
                                                                    const std::stop_token& stop);

}  // namespace submix::io
