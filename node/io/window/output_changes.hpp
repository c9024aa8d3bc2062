// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

union SDL_Event;

namespace submix::io {

/// Lets SDL 2 follow the outputs of an X server. SDL itself notices displays that are plugged in
/// and unplugged, but not displays that are switched off, moved or given another resolution.
///
/// Threads  Confined (the thread that started SDL's video).

/// From now on SDL passes the server's notices on. Call it after each start of SDL's video.
void hear_output_changes();
/// If `event` is a notice that an output has changed, makes SDL read all displays again when it
/// next reads events, and report changes as SDL_DISPLAYEVENTs. Ignores other events and other
/// display servers.
void follow_output_change(const SDL_Event& event);

}  // namespace submix::io
