// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/frame_mark.hpp"

#include <cstdint>
#include <vector>

namespace submix::throughput {

struct FrameFaults {
  std::uint64_t lost = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t reordered = 0;  ///< arrived after a later frame
  std::uint64_t torn = 0;       ///< parts of it belong to another frame or stream

  friend bool operator==(const FrameFaults&, const FrameFaults&) = default;
  FrameFaults& operator+=(const FrameFaults& other);
  [[nodiscard]] bool is_none() const { return *this == FrameFaults{}; }
};

/// Compares the received frames of one stream with 0, 1, 2, …
///
/// Shape    A bit for each of `frames_max` frames.
/// Threads  Compatible.
/// Cost     take(): O(1), no allocation.
class SequenceCheck {
 public:
  SequenceCheck(std::uint32_t stream, std::uint64_t frames_max)
      : stream_(stream), has_come_(frames_max) {}

  void take(const MarkReading& reading);
  [[nodiscard]] std::uint64_t frames() const { return frames_; }
  /// `frames_sent`: frames 0 to `frames_sent` - 1 were sent.
  [[nodiscard]] FrameFaults faults(std::uint64_t frames_sent) const;

 private:
  std::uint32_t stream_;
  std::vector<bool> has_come_;
  std::uint64_t frames_ = 0;  // valid or not
  std::uint64_t distinct_ = 0;
  std::uint64_t next_ = 0;  // after the latest received frame
  FrameFaults found_;
};

}  // namespace submix::throughput
