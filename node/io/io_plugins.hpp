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

/// Adds the plugins of this folder, except those of streams. `opener` opens the files of `clip` and
/// `still`. All windows follow `output`. `displays` receives the machine's displays; null: not
/// needed. `clips` receives what the slots of `clip` play; null: not needed. Silences FFmpeg's own
/// log for the process.
void add_io_plugins(plugin::Catalog& catalog, const MediaFolders& folders,
                    const SourceOpener& opener = {},
                    std::shared_ptr<OutputControl> output = std::make_shared<OutputControl>(),
                    std::shared_ptr<Displays> displays = {},
                    std::shared_ptr<PlayedClips> clips = {});

}  // namespace submix::io
