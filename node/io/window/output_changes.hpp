// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

union SDL_Event;

namespace submix::io {

/// Lets SDL 2 follow the outputs of an X server. SDL itself learns of displays that are plugged in and
/// unplugged, but not of those that are switched off, moved or given another resolution.
///
/// Threads  Confined (the thread that started SDL's video).

/// From now on SDL hands over the server's notices. Call it each time after SDL's video has started.
void hear_output_changes();
/// If `event` is a notice that an output has changed, SDL reads all displays again when it next looks
/// for events, and says so by SDL_DISPLAYEVENTs. Ignores other events, and other display servers.
void follow_output_change(const SDL_Event& event);

}  // namespace submix::io
