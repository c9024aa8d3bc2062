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

/// How a link stands at one moment.
struct LinkLook {
  std::uint64_t carried_bytes = 0;  ///< all that has arrived since the link opened
  std::uint64_t queued_bytes = 0;   ///< on its way, or waiting to be
  std::uint64_t unsent_bytes = 0;   ///< of these, waiting
  /// Of the way itself, there and back, without what queues on it.
  std::chrono::nanoseconds round_trip{0};
};

/// The rate at which a link carries while it has something to carry, from looks at it now and then.
///
/// Shape    A sample is a part of one busy period, without the beginning, where queues on the way fill faster
///          than they drain. It begins and ends where something has just arrived: acknowledgements come in
///          lumps. It counts by its length, and only for as long as more was queued when what arrives left:
///          the rate follows a change within a few samples, and a link that stands still loses half of it
///          each few milliseconds. Where nothing was queued, what was carried shows what was asked of the
///          link, not what it can do: that may only raise the rate.
/// Source   TCP_INFO's delivery rate is not used: it is the latest acknowledgement's alone, and does not tell
/// a
///          shaper's burst from the rate behind it.
/// Threads  Compatible. Time is passed in.
class RateMeter {
 public:
  void observe(LocalTime now, const LinkLook& look);
  /// What came before is no part of the next sample: another connection, or this computer was held up. The
  /// rate stays.
  void restart() { sample_.reset(); }

  /// Takes the rate for twice as much, at most for `limit`: what is hardly used cannot be measured.
  void hope(double limit) { bytes_per_second_ = std::min(bytes_per_second_ * 2, limit); }

  [[nodiscard]] double bytes_per_second() const { return bytes_per_second_; }  ///< 0: no sample yet
  /// When the link was last seen at its limit; empty: never, and the rate is a lower bound.
  [[nodiscard]] std::optional<LocalTime> measured_at() const { return measured_at_; }

  /// What a full link has carried, and in which time.
  struct Full {
    std::uint64_t bytes = 0;
    std::chrono::nanoseconds time{0};
  };
  /// Totals of all samples during which the link was at its limit. Hope does not change them.
  [[nodiscard]] const Full& full() const { return full_; }

 private:
  struct Mark {
    LocalTime at;
    std::uint64_t bytes = 0;
  };
  struct Sample {
    Mark begin;
    bool is_beginning = false;  // of a busy period
    bool is_full = true;        // the way was, at every look so far
    Mark last_move;
    Mark last_full_move;
    LocalTime lowered;  // when standing still was last held against it

    [[nodiscard]] LocalTime::duration time_until(const Mark& end) const {
      return end.at - begin.at;
    }
    [[nodiscard]] double bytes_per_second_until(const Mark& end) const;
  };

  void begin_sample(const Mark& mark, bool is_beginning);
  void end_sample();
  void end_period(const Mark& mark);
  void stand_still(LocalTime now);
  void remember_given(LocalTime now, const LinkLook& look);
  [[nodiscard]] bool is_full(LocalTime now, const LinkLook& look);
  void raise_to(double bytes_per_second);
  void approach(double bytes_per_second, double weight);

  std::optional<Sample> sample_;  // empty while idle
  std::array<Mark, 64> given_;  // a ring: when the link had been given how much, for one round trip
  std::size_t given_first_ = 0;  // both count on for ever
  std::size_t given_end_ = 0;
  double bytes_per_second_ = 0;
  std::optional<LocalTime> measured_at_;
  Full full_;
};

}  // namespace submix::stream
