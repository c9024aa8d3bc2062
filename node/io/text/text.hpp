// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/media_folders.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugins `text`, which writes over a picture, and `title`, a picture of the text alone with
/// transparency around it. Both have the same parameters. The text may come from a file of the media
/// folder, which is followed: see text_file.hpp.
///
/// Cost     The pixels of the text's box. A new text is painted on a thread of its own; until it is
///          there the former one stays, unless the patch has no pace.
/// Errors   None: another font takes the place of one that is not installed, and the last good text
///          that of a file which cannot be read.
[[nodiscard]] plugin::Description text_description();
[[nodiscard]] plugin::Description title_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_text(const plugin::Setup& setup,
                                                                const MediaFolders& folders = {});

}  // namespace submix::io
