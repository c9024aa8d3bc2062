// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"
#include "node/agent/followed_sound.hpp"
#include "node/engine/sound_source.hpp"
#include "node/io/media_folders.hpp"
#include "node/io/sound/clip_sound.hpp"

#include <memory>
#include <string>

namespace submix::agent {

/// The sound that a film follows: that of a clip of the show. Each frame has the sound up to its
/// own moment, however fast the film is made, so two films of a show are equal.
///
/// The clip plays as its slot states it: what moves its numbers during the film is not heard.
///
/// Threads  Synchronized.
/// Cost     at() decodes and measures the sound up to the frame, once; each frame keeps 40 bytes.
/// Errors   A file that is missing, cannot be decoded, or has no sound: silence, and the reading
///          has the reason.
class FilmSound final : public FollowedSound, public engine::SoundSource {
 public:
  FilmSound(io::MediaFolders folders, io::ClipSoundOpener opener);
  ~FilmSound() override;

  /// From now on, frames follow the sound that `show` names; silence where it is no clip's.
  void follow(const show::Show& show) override SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] const engine::SoundSource& source() const override { return *this; }
  [[nodiscard]] Sound at(FrameIndex frame) const override SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] telemetry::SoundReading reading() const override SUBMIX_EXCLUDES(mutex_);

 private:
  class Hearing;

  const io::MediaFolders folders_;
  const io::ClipSoundOpener opener_;
  mutable Mutex mutex_;
  std::unique_ptr<Hearing> hearing_ SUBMIX_GUARDED_BY(mutex_);  // null: the show follows no clip
};

}  // namespace submix::agent
