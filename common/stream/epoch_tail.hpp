// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame.hpp"

#include <cstddef>
#include <vector>

namespace submix::stream {

/// Frames that were complete when their epoch ended, or before a gap. They are released already,
/// but the patch has not taken them yet.
///
/// Shape    The oldest frame is taken first. More than `capacity` frames only if many epochs end
///          with foreign frames, which occupy no pool.
/// Threads  Compatible.
/// Cost     No allocation for up to `capacity` frames. add(): O(size()), once for each frame left
///          over when an epoch ends. take_oldest(): O(1).
class EpochTail {
 public:
  explicit EpochTail(std::size_t capacity) { newest_first_.reserve(capacity); }

  /// Adds a frame that is newer than all others.
  void add(media::Frame frame);
  /// Only if not empty.
  [[nodiscard]] media::Frame take_oldest();

  [[nodiscard]] bool is_empty() const { return newest_first_.empty(); }
  [[nodiscard]] std::size_t size() const { return newest_first_.size(); }
  /// Frames whose pixels are in another process's memory.
  [[nodiscard]] std::size_t foreign_frames() const;

 private:
  std::vector<media::Frame> newest_first_;
};

}  // namespace submix::stream
