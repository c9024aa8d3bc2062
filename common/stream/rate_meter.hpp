// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace submix::stream {

/// The state of a link at one moment.
struct LinkObservation {
  std::uint64_t carried_bytes = 0;  ///< all bytes that have arrived since the link opened
  std::uint64_t queued_bytes = 0;   ///< bytes in flight or still waiting to leave
  std::uint64_t unsent_bytes = 0;   ///< part of queued_bytes: still waiting to leave
  /// Round trip of the path alone, without queueing delay.
  std::chrono::nanoseconds round_trip{0};
};

/// Measures the rate of a link while the link is busy, from observations made now and then.
///
/// Shape    A sample is a part of one busy period. The first part of the period is left out,
///          because queues on the path fill faster than they drain. A sample begins and ends at an
///          arrival, because acknowledgements come in lumps. Its weight follows its length, and
///          only time counts in which more data was queued when the arriving bytes left. The rate
///          follows a change within a few samples. A stalled link loses half of its rate each few
///          milliseconds. Bytes that arrive while nothing was queued show the demand, not the
///          link's limit, so they may only raise the rate.
/// Source   TCP_INFO's delivery rate is not used. It describes only the latest acknowledgement and
///          does not tell a shaper's burst from the rate behind the burst.
/// Threads  Compatible. Time is passed in.
class RateMeter {
 public:
  void observe(LocalTime now, const LinkObservation& link);
  /// Starts a new sample: the connection is new, or this computer was held up. The rate stays.
  void restart() { sample_.reset(); }

  [[nodiscard]] double bytes_per_second() const { return bytes_per_second_; }  ///< 0: no sample yet
  /// When the link was last seen at its limit. Empty: never, and the rate is a lower bound.
  [[nodiscard]] std::optional<LocalTime> measured_at() const { return measured_at_; }

  /// Bytes carried by a link at its limit, and the time this took.
  struct Full {
    std::uint64_t bytes = 0;
    std::chrono::nanoseconds time{0};
  };
  /// Totals over all samples in which the link was at its limit.
  [[nodiscard]] const Full& full() const { return full_; }

 private:
  struct Mark {
    LocalTime at;
    std::uint64_t bytes = 0;
  };
  struct Sample {
    Mark begin;
    bool is_beginning = false;  // whether this is the start of a busy period
    bool is_full = true;        // whether the link was at its limit in each observation so far
    Mark last_move;
    Mark last_full_move;
    LocalTime lowered;  // when a stall last lowered the rate

    [[nodiscard]] LocalTime::duration time_until(const Mark& end) const {
      return end.at - begin.at;
    }
    [[nodiscard]] double bytes_until(const Mark& end) const;
    [[nodiscard]] double bytes_per_second_until(const Mark& end) const;
  };

  void begin_sample(const Mark& mark, bool is_beginning);
  void end_sample();
  void end_period(const Mark& mark);
  void stand_still(LocalTime now);
  void remember_given(LocalTime now, const LinkObservation& link);
  [[nodiscard]] bool is_full(LocalTime now, const LinkObservation& link);
  void raise_to(double bytes_per_second);
  void approach(double bytes_per_second, double weight);

  std::optional<Sample> sample_;  // empty while the link is idle
  // A ring: total bytes given to the link at each time, for one round trip
  std::array<Mark, 64> given_;
  std::size_t given_first_ = 0;  // counters, never reset to the ring's size
  std::size_t given_end_ = 0;
  double bytes_per_second_ = 0;
  std::optional<LocalTime> measured_at_;
  Full full_;
};

}  // namespace submix::stream
