// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/pipe/pipe_options.hpp"
#include "node/plugin/catalog.hpp"

namespace submix::io {

/// Adds the plugin `pipe-out`: writes each frame to the node's pipe and passes it on. A slow reader
/// holds up its own submix only, as the stream's policy says.
///
/// Shape    Stand-in pictures of an input are not written. Matroska's times have a gap where frames
///          were left out.
/// Errors   The pipe ends when its reader is gone, the disk is full, or the show changes its size;
///          the status says so. Frames are still passed on.
void add_pipe_out(plugin::Catalog& catalog, const PipeOptions& options);

}  // namespace submix::io
