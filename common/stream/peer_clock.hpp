// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>

namespace submix::stream {

/// Estimates the peer's monotonic clock from pings and their answers.
///
/// Shape    Keeps the last kKept answers and uses the answer with the shortest round trip. Its two
///          directions differ least, and the error is at most half of the round trip.
/// Threads  Compatible. Time is passed in.
/// Source   The clock offset of NTP with its clock filter (RFC 5905, clause 8).
class PeerClock {
 public:
  static constexpr std::size_t kKept = 32;

  /// A ping was sent at `sent` and its answer arrived at `received`. `theirs`: the peer's clock in
  /// the answer.
  void observe(LocalTime sent, std::chrono::nanoseconds theirs, LocalTime received);
  /// Forgets all answers. To be called when the peer was replaced or restarted.
  void forget() { count_ = 0; }

  /// Converts a time of the peer's clock to local time. Empty before the first answer.
  [[nodiscard]] std::optional<LocalTime> local_time_of(std::chrono::nanoseconds theirs) const;
  /// The peer's clock minus the local clock. Empty before the first answer.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> offset() const;
  /// The shortest of the kept answers; 0: none yet
  [[nodiscard]] std::chrono::nanoseconds round_trip() const;

 private:
  struct Answer {
    std::chrono::nanoseconds round_trip;
    std::chrono::nanoseconds offset;
  };

  [[nodiscard]] const Answer* best() const;

  std::array<Answer, kKept> answers_{};
  std::size_t count_ = 0;  // answers so far, kept or not
};

}  // namespace submix::stream
