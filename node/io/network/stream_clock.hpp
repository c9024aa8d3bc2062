// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace submix::io {

/// Converts the time stamps of a stream to this computer's clock.
///
/// The network can delay a picture of a live stream, but not speed it up. So the clock follows the
/// fastest pictures of the last ten seconds, and with them the drift of the far end's clock. A file
/// is sent as fast as it is read: there the first picture decides.
///
/// Threads  Compatible. Cost: O(1), no allocation.
class StreamClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Span = std::chrono::microseconds;
  enum class Pace { far_end, reader };

  /// A stamp this far from its expected time starts a new count: the far end has restarted.
  static constexpr std::chrono::seconds kJump{3};
  /// How much later each picture may become while the clock follows a drift. Pictures keep their
  /// cadence.
  static constexpr Span kStep{500};

  explicit StreamClock(Pace pace) : pace_(pace) {}

  /// The time of a picture with the time stamp `stamp`, which came at `arrival`. For the pace
  /// `far_end` it is never later than the arrival. Arrivals never go back.
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
  std::optional<Span> base_;  // stamp + base_ = time by this computer's clock
};

}  // namespace submix::io
