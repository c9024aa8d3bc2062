// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace submix::io {

/// Turns the time stamps of a stream into moments of this computer's clock.
///
/// A picture of a live stream came as fast as the network permits, or later. The clock therefore
/// follows the fastest pictures of the last ten seconds, and with them the drift of the far end's
/// clock. A file is sent as fast as it is read: there the first picture decides.
///
/// Threads  Compatible. Cost: O(1), no allocation.
class StreamClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Span = std::chrono::microseconds;
  enum class Pace { far_end, reader };

  /// A stamp that is this far from its moment begins a new count: the far end has started again.
  static constexpr std::chrono::seconds kJump{3};
  /// How fast moments may grow later, for each picture. Pictures keep their cadence meanwhile.
  static constexpr Span kStep{500};

  explicit StreamClock(Pace pace) : pace_(pace) {}

  /// The moment of a picture with the time stamp `stamp` that came at `arrival`. For the pace
  /// `far_end` it is never later than the arrival. Arrivals do not fall.
  [[nodiscard]] Time moment(Span stamp, Time arrival);

 private:
  struct Second {
    std::int64_t number = -1;
    Span least{};
  };
  static constexpr std::size_t kSeconds = 10;

  /// The shortest transit of the last ten seconds.
  [[nodiscard]] Span least_transit(Span transit, Time arrival);

  const Pace pace_;
  std::array<Second, kSeconds> seconds_{};
  std::optional<Span> base_;  // a stamp plus this is its moment
};

}  // namespace submix::io
