// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/media_folders.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugins `text`, which writes over a picture, and `title`, a picture of the text alone on
/// transparency. Both have the same parameters. The text may come from a file of the media folder,
/// whose changes are followed: see text_file.hpp.
///
/// Cost     Drawing the pixels of the text's box. A new text is painted on a thread of its own; the
///          former text stays until then, unless the patch has no pace.
/// Errors   None. A missing font is replaced by another. If a file cannot be read, the last good
///          text stays.
[[nodiscard]] plugin::Description text_description();
[[nodiscard]] plugin::Description title_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_text(const plugin::Setup& setup,
                                                                const MediaFolders& folders = {});

}  // namespace submix::io
