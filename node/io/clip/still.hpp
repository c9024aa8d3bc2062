// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/clip/picture_source.hpp"
#include "node/io/media_folders.hpp"
#include "node/plugin/plugin.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace submix::io {

/// Any image that FFmpeg decodes, as RGBA pixels of `size`, letterboxed.
[[nodiscard]] Result<std::vector<std::uint8_t>> load_still(OpenFile file, Size size,
                                                           const SourceOpener& opener = {});

/// The plugin `still`: one image, of any format that FFmpeg decodes. Its alpha is kept, for mixers.
/// An SVG is drawn in the size in which the frame shows it.
///
/// Cost     A copy of the frame. The image is decoded and scaled when it is set.
/// Errors   Creation: no such file, or no image in the file. If a later file cannot be shown, the
///          present image stays.
[[nodiscard]] plugin::Description still_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_still(const plugin::Setup& setup,
                                                                 const MediaFolders& folders,
                                                                 const SourceOpener& opener = {});

}  // namespace submix::io
