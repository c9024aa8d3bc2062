// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "node/io/clip/played_clips.hpp"
#include "node/io/media_folders.hpp"
#include "node/io/sound/clip_sound.hpp"
#include "node/io/sound/sound_stream.hpp"

#include <memory>
#include <string>

namespace submix::io {

/// The sources of clips' sound.
struct ClipSounds {
  std::shared_ptr<const PlayedClips> clips = std::make_shared<PlayedClips>();
  MediaFolders folders;
  ClipSoundOpener open;
};

/// The sound of the clip that plays in `slot`, such as "left.clip". It follows the clip through
/// jumps, loops, speeds and changes of its file. At another speed its pitch changes; backwards it
/// runs backwards. It is silence while the clip is paused or stands still, and until the sound of
/// another file is there. Sound that comes late is left out, never made up for.
///
/// Cost     next() waits up to 20 ms; the show waits for nothing here. A piece is read when the
///          clip shows its beginning, so it is known up to 11 ms early, and delay() is negative.
/// Errors   None end it: silence follows, and trouble() says why, if no such slot runs here, its
///          file has no sound or cannot be opened, or its decoder ended. `events` is told once of a
///          file's damage.
[[nodiscard]] std::unique_ptr<SoundStream> make_clip_stream(const std::string& slot,
                                                            const ClipSounds& sounds,
                                                            EventSink* events);

}  // namespace submix::io
