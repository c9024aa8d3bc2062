// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace submix::io {

/// Keeps the pictures of a live stream until they are due, so that the network's jitter is not
/// seen. When it is full, the oldest picture is due at once.
///
/// Shape    At most `pictures_max` pictures wait, and one more is shown.
/// Threads  Compatible.
class JitterBuffer {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Pixels = std::vector<std::uint8_t>;

  struct Picture {
    Pixels rgba;
    Time due;
    Time came;
  };
  struct Counts {
    std::uint64_t received = 0;
    std::uint64_t skipped = 0;   ///< never shown: a later picture was due as well
    std::uint64_t repeated = 0;  ///< frames for which no new picture was due
  };

  /// How long a picture is shown when no other comes.
  static constexpr std::chrono::seconds kHeld{2};
  /// When pictures are due at nearly the same times as frames, a picture may be taken this much
  /// early. Otherwise pictures would be due sometimes just before a frame and sometimes just after
  /// it.
  static constexpr std::chrono::milliseconds kTolerance{5};

  explicit JitterBuffer(std::size_t pictures_max) : pictures_max_(pictures_max) {}

  /// Memory for the next picture, of any size and content.
  [[nodiscard]] Pixels take_memory();
  void put(Picture picture);
  /// The picture for a frame at `now`: the newest that is due. Null: none was due yet, or none came
  /// for kHeld. Valid until the next call.
  [[nodiscard]] const Picture* take(Time now);

  [[nodiscard]] Counts counts() const { return counts_; }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

 private:
  void show_next();

  const std::size_t pictures_max_;
  std::deque<Picture> waiting_;  // in the order of arrival
  std::optional<Picture> shown_;
  bool was_taken_ = false;  // a frame has taken `shown_`
  bool is_close_ = false;   // pictures are due at nearly the same times as frames
  Time shown_since_;
  Counts counts_;
  std::vector<Pixels> memory_;
};

}  // namespace submix::io
