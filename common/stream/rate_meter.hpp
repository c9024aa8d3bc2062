// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <cstdint>
#include <optional>

namespace submix::stream {

/// How a link stands at one moment.
struct LinkLook {
  std::uint64_t carried_bytes = 0;  ///< all that has arrived since the link opened
  std::uint64_t queued_bytes = 0;   ///< on its way, or waiting to be
  std::uint64_t unsent_bytes = 0;   ///< of these, waiting
};

/// The rate at which a link carries while it has something to carry, from looks at it now and then.
///
/// Shape    A sample spans at least kSampleTime of one busy period, without its beginning, where queues on
/// the way
///          fill faster than they drain. Where nothing was waiting to leave, and in a period too short for a
///          sample, what was carried shows what was asked of the link, not what it can do: that may only
///          raise the rate. Otherwise the rate follows a change within a few samples, and a link that stands
///          still goes towards 0.
/// Threads  Compatible. Time is passed in.
class RateMeter {
 public:
  void observe(LocalTime now, const LinkLook& look);
  /// What came before is no part of the next sample: another connection, or this computer was held up. The
  /// rate stays.
  void restart() { start_.reset(); }

  /// Takes the rate for twice as much: what is hardly used cannot be measured.
  void hope() { bytes_per_second_ *= 2; }

  [[nodiscard]] double bytes_per_second() const { return bytes_per_second_; }  ///< 0: no sample yet
  /// When the link was last seen at its limit; empty: never, and the rate is a lower bound.
  [[nodiscard]] std::optional<LocalTime> measured_at() const { return measured_at_; }

 private:
  struct Start {
    LocalTime at;
    std::uint64_t carried_bytes = 0;
    bool is_beginning = false;  // of a busy period
    bool has_samples = false;   // of the same period, before it
    bool was_always_waiting = false;
  };

  [[nodiscard]] double rate_since_start(LocalTime now, const LinkLook& look) const;
  void take_sample(double bytes_per_second, bool may_lower);

  std::optional<Start> start_;  // of the sample; empty while idle
  double bytes_per_second_ = 0;
  std::optional<LocalTime> measured_at_;
};

}  // namespace submix::stream
