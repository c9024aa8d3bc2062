// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/pipe/pipe_options.hpp"
#include "node/plugin/catalog.hpp"

namespace submix::io {

/// Adds the plugin `pipe-out`: writes each frame to the node's pipe and passes it on. A slow reader
/// holds its submix up, and nothing else, as the policy of its stream says.
///
/// Shape    A stand-in of an input is not written. Matroska's times have a gap where frames were
///          left out.
/// Errors   A reader that is gone, a full disk, and another size of the show end the pipe; the
///          status says so. The frames pass on.
void add_pipe_out(plugin::Catalog& catalog, const PipeOptions& options);

}  // namespace submix::io
