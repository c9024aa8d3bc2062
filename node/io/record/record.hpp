// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/media_folders.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugin `record`: writes every frame to a Matroska file, on the slot's own thread. No frame
/// is dropped: a slow disk or encoder slows the show down.
///
/// Shape    A film has one picture for each frame, at the show's rate. Each time "recording" is
///          switched on, a new film begins; with keep_last_seconds the former one is continued. An
///          existing file is renamed to "name-1.mkv", …; with keep_last_seconds it is replaced. A
///          file that this process is recording to is left alone until the first frame, because the
///          recording patch may be about to end.
/// Errors   Creation fails only for a missing name or encoder. All other failures end the recording
///          with an event: the folder cannot be written, the name leads out of the folder or is not
///          a plain file, the disk is full. The file plays up to this point, and frames pass on.
///          While a wanted recording is not written, trouble() says why. Setting "recording" again,
///          or another file, begins a new recording. trouble() also warns when the room is below a
///          minute. Once the file has the stated number of "frames", it is complete, and counted.
[[nodiscard]] plugin::Description record_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_record(const plugin::Setup& setup,
                                                                  const MediaFolders& folders);

/// Whether make_record() could begin a recording now: the encoder opens, the folder is writable,
/// and the name is free or belongs to a file. Changes nothing on the disk. While "recording" is
/// off, the file is not examined.
[[nodiscard]] Result<void> check_record(const plugin::Setup& setup, const MediaFolders& folders);

}  // namespace submix::io
