// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>

namespace submix::stream {

/// What the peer's monotonic clock shows, by pings and their answers.
///
/// Shape    Of the last kKept answers the one that took least counts: its way there and back were most alike.
/// The
///          error is at most half of that round trip.
/// Threads  Compatible. Time is passed in.
/// Source   The offset of NTP (RFC 5905, clause 8), with its clock filter.
class PeerClock {
 public:
  static constexpr std::size_t kKept = 32;

  /// A ping left at `sent`, the peer's clock showed `theirs` when it answered, the answer came at `received`.
  void observe(LocalTime sent, std::chrono::nanoseconds theirs, LocalTime received);
  /// The peer is another now, or was restarted.
  void forget() { count_ = 0; }

  /// When it was here what the peer's clock calls `theirs`; empty before the first answer.
  [[nodiscard]] std::optional<LocalTime> local_time_of(std::chrono::nanoseconds theirs) const;
  /// The peer's clock less this one's.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> offset() const;
  [[nodiscard]] std::chrono::nanoseconds round_trip()
      const;  ///< the least of those kept; 0: none yet

 private:
  struct Answer {
    std::chrono::nanoseconds round_trip;
    std::chrono::nanoseconds offset;
  };

  [[nodiscard]] const Answer* best() const;

  std::array<Answer, kKept> answers_{};
  std::size_t count_ = 0;  // counts on for ever
};

}  // namespace submix::stream
