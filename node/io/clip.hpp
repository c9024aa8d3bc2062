// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/media_folders.hpp"
#include "node/io/picture_source.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugin `clip`: plays a video file, any that FFmpeg decodes.
///
/// Shape    Frame n shows the clip at n / rate * speed, in the range from `in` to `out`: a pure function of
///          n, so that pause, rewind and a restarted node show the same. Where the header does not say how
///          long the clip is, that holds once its end was reached.
/// Errors   Creation: no such file, no video in it. While running: damage and a cut-off end are reported
///          once for each clip, the last good picture is held, and a cut-off clip ends where it is cut off.
///          A picture that a decoder elsewhere has not in time is held back: the one before is shown.
[[nodiscard]] plugin::Description clip_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_clip(const plugin::Setup& setup,
                                                                const MediaFolders& folders,
                                                                const SourceOpener& opener = {});

}  // namespace submix::io
