// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "node/io/clip/picture_source.hpp"
#include "node/io/clip/picture_store.hpp"
#include "node/io/clip/playhead.hpp"
#include "node/io/clip/read_plan.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

namespace submix::io {

/// The decoded pictures that a clip keeps at most. In 4:2:0 of 8 bits these are 190 pictures of
/// 1280x720, 85 of 1920x1080 or 21 of 3840x2160.
inline constexpr std::size_t kStoreBytesMax = std::size_t{256} << 20U;

/// Decodes a file ahead of the clip that plays it.
///
/// Threads  Confined (one thread at a time); has a thread of its own, "decode".
/// Cost     find() does not wait for decoding if the request may hold.
class DecodeAhead {
 public:
  explicit DecodeAhead(std::unique_ptr<Playhead> playhead, std::size_t bytes_max = kStoreBytesMax);

  struct Found {
    /// Null: hold the previous picture, or stopped.
    std::shared_ptr<const ClipPicture> picture;
    /// The picture of the moment is not decoded yet.
    bool is_late = false;
  };
  /// The picture of the course's moment. If it is late, the latest one that the course has passed
  /// since it jumped. Without `may_hold`, waits until the picture is there or `stop` is requested.
  [[nodiscard]] Found find(const Course& course, bool may_hold, const std::stop_token& stop)
      SUBMIX_EXCLUDES(mutex_);
  /// What is known about the file, without the fields of a single picture.
  [[nodiscard]] SourceReport report() const SUBMIX_EXCLUDES(mutex_);

 private:
  void follow(const Course& course) SUBMIX_REQUIRES(mutex_);
  void run(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] ReadPlan::Choice next_choice(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  void take(const ReadPlan::Choice& choice) SUBMIX_EXCLUDES(mutex_);
  void look_at_file() SUBMIX_REQUIRES(mutex_);

  const std::unique_ptr<Playhead> playhead_;  // of the own thread
  ReadPlan plan_;                             // of the own thread
  mutable Mutex mutex_;
  Condition changed_;
  PictureStore store_ SUBMIX_GUARDED_BY(mutex_);
  Course course_ SUBMIX_GUARDED_BY(mutex_);
  double frames_since_jump_ SUBMIX_GUARDED_BY(mutex_) = 0;
  SourceReport report_ SUBMIX_GUARDED_BY(mutex_);
  /// When the present step began. Empty: the thread rests.
  std::optional<std::chrono::steady_clock::time_point> step_begun_ SUBMIX_GUARDED_BY(mutex_);
  std::chrono::nanoseconds cpu_time_before_{0};  // the present step; of the own thread
  std::jthread thread_;                          // last: it uses all members above
};

}  // namespace submix::io
