// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/clip/picture_source.hpp"
#include "node/io/clip/played_clips.hpp"
#include "node/io/media_folders.hpp"
#include "node/io/window/displays.hpp"
#include "node/io/window/output_control.hpp"
#include "node/plugin/catalog.hpp"

#include <memory>

namespace submix::io {

/// Adds the plugins of this folder, but for those of streams. `opener` reads the files of clip and
/// still; all windows follow `output`. `displays` gets the machine's displays; null: nobody asks for
/// them. `clips` gets what the slots of clip play; null: nobody listens to them. Silences FFmpeg's
/// own log for the process.
void add_io_plugins(plugin::Catalog& catalog, const MediaFolders& folders,
                    const SourceOpener& opener = {},
                    std::shared_ptr<OutputControl> output = std::make_shared<OutputControl>(),
                    std::shared_ptr<Displays> displays = {},
                    std::shared_ptr<PlayedClips> clips = {});

}  // namespace submix::io
