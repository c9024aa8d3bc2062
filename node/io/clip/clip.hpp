// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/clip_bank.hpp"
#include "node/io/clip/picture_source.hpp"
#include "node/io/clip/played_clips.hpp"
#include "node/io/media_folders.hpp"
#include "node/plugin/plugin.hpp"

#include <cstddef>
#include <memory>

namespace submix::io {

/// The plugin `clip`: plays any video file that FFmpeg decodes, or a series of numbered pictures.
///
/// Shape    Frame n shows the clip at n / rate * speed, in its part of the bank. The moment
///          depends on n only, so after a pause, a rewind or a node's restart the same pictures are
///          shown. If the header does not state the clip's length, this holds once the end was
///          reached.
/// Errors   Creation: no such file, or no video in the file. A bypassed slot needs no file until
///          the bypass is lifted. While running: damage and a truncated file are reported once for
///          each clip. The last good picture is held, and a truncated clip ends where the file
///          ends. If a decoder in another process is late, the previous picture is shown.
/// Sound    Not played. `clips` is told each frame's moment, so that others can follow the sound;
///          null: not needed.
[[nodiscard]] plugin::Description clip_description();
/// The clip of the bank, from 1, that plays with these complete parameters. A number beyond the
/// bank means its first clip.
[[nodiscard]] std::size_t clip_number(const show::Parameters& parameters,
                                      const show::ClipBank& bank);
/// What plays of clip `number`, of which only the length is known. Of clips 2 to 8 a part that lies
/// behind the clip's end is left out; the points of clip 1 are refused elsewhere.
[[nodiscard]] ClipRange range_of_clip(const show::Parameters& parameters, std::size_t number,
                                      ClipLength length);
/// The number of the sound track, as in OpenFile.
[[nodiscard]] int sound_track_number(const show::Parameters& parameters);
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_clip(
    const plugin::Setup& setup, const MediaFolders& folders, const SourceOpener& opener = {},
    const std::shared_ptr<PlayedClips>& clips = {});

}  // namespace submix::io
