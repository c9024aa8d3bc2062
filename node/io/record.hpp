// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/media_folders.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugin `record`: writes every frame to a Matroska file, in line with the patch, so that none is
/// dropped; a disk or an encoder that is too slow slows the show down.
///
/// Shape    One picture in the file for each frame, at the show's rate. A file that is there already is set
///          aside as "name-1.mkv", …; with keep_last_seconds it is replaced. A file that
///          this process records to already is left alone until the first frame: a patch that is built may
///          take the place of the one that does.
/// Errors   A folder that cannot be written, a name that leads out of it or is no plain file, a full disk: an
///          event, the recording ends and plays up to there, the frames pass on. While it is wanted and not
///          written, trouble() says why; "recording" set again, or another file, begins a new one. With less
///          than a minute of room trouble() says so before. Creation fails only for a missing name or
///          encoder.
[[nodiscard]] plugin::Description record_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_record(const plugin::Setup& setup,
                                                                  const MediaFolders& folders);

/// Whether make_record() would begin a recording now: its encoder opens, its folder can be written, and its
/// name is free or a file's. Writes, renames and makes nothing. While "recording" is off, its file is not
/// looked at.
[[nodiscard]] Result<void> check_record(const plugin::Setup& setup, const MediaFolders& folders);

}  // namespace submix::io
