// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/clip/picture_source.hpp"
#include "node/io/media_folders.hpp"
#include "node/plugin/catalog.hpp"

namespace submix::io {

/// Adds clip, still, record and window. `opener` reads the files of clip and still. Silences
/// FFmpeg's own log for the process.
void add_io_plugins(plugin::Catalog& catalog, const MediaFolders& folders,
                    const SourceOpener& opener = {});

}  // namespace submix::io
