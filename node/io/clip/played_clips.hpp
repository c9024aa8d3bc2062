// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "node/io/clip/course.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::io {

/// What a slot of plugin `clip` shows in a frame.
struct PlayedMoment {
  std::shared_ptr<const std::string> file;  ///< as the show names it
  Course course;
  std::chrono::nanoseconds frame_time{};
  LocalTime made{};     ///< when the slot had the frame's picture
  int sound_track = 0;  ///< as in OpenFile
};

/// The latest moment of one slot. Synchronized; the lock is held for a copy of the moment.
class PlayedSlot {
 public:
  void tell(const PlayedMoment& moment) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    moment_ = moment;
  }
  /// Empty: the slot has made no frame yet.
  [[nodiscard]] std::optional<PlayedMoment> latest() const SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return moment_;
  }

 private:
  mutable Mutex mutex_;
  std::optional<PlayedMoment> moment_ SUBMIX_GUARDED_BY(mutex_);
};

/// The slots of plugin `clip` that this node runs, by name. Their sound follows what they play.
///
/// Threads  Synchronized.
class PlayedClips {
 public:
  /// The slot's entry, by which the slot tells its moments. The slot is listed as long as somebody
  /// holds the entry. The instances of one slot share it.
  [[nodiscard]] std::shared_ptr<PlayedSlot> join(const std::string& slot) SUBMIX_EXCLUDES(mutex_);
  /// Null: no such slot runs. Do not keep the result: the slot would stay listed.
  [[nodiscard]] std::shared_ptr<const PlayedSlot> find(const std::string& slot) const
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<std::string> slots() const SUBMIX_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::weak_ptr<PlayedSlot>> slots_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::io
