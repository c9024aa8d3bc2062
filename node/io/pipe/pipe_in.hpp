// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/pipe/pipe_options.hpp"
#include "node/plugin/catalog.hpp"

namespace submix::io {

/// Adds the plugin `pipe-in`: shows the pictures that come by the node's pipe. A thread reads the
/// first picture at once, so wrong bytes are noticed before the show changes.
///
/// Shape    Pictures of another size are fitted, with transparent bars. Each is shown at its time
///          in the stream, and is left out if it is more than 150 ms late while a newer one waits.
///          A frame does not wait for a late picture: the previous picture stays. `is_lossless`:
///          each picture is one frame, and the frame waits for it. At the end the last picture
///          stays; the status reports the end after it was shown for a second.
/// Errors   Wrong or missing bytes end the pipe; the status has the reason.
void add_pipe_in(plugin::Catalog& catalog, const PipeOptions& options);

}  // namespace submix::io
