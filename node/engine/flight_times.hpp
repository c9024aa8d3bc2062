// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/telemetry/latencies.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace submix::engine {

/// How old frames are when they leave the patch: the time from the start of the frame's first
/// source until the frame is shown, recorded or sent.
///
/// Threads  Synchronized.
/// Cost     A short lock; allocates nothing. Of more than kKept frames in flight, the oldest are
///          not measured.
class FlightTimes {
 public:
  /// A source began frame `position` at `time`.
  void begin(std::uint64_t position, LocalTime time) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    auto& flight = flights_[position % kKept];
    if (flight.number != position + 1) flight = {position + 1, time, time};
    flight.began = std::min(flight.began, time);
  }
  /// A slot that does not keep the show's time has finished frame `position`.
  void pass(std::uint64_t position, LocalTime time) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    auto& flight = flights_[position % kKept];
    if (flight.number == position + 1) flight.ready = std::max(flight.ready, time);
  }
  /// For how long before `time` all slots that do not keep the show's time had finished frame
  /// `position`; 0: unknown.
  [[nodiscard]] std::chrono::nanoseconds wait_until(std::uint64_t position, LocalTime time)
      SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    const auto& flight = flights_[position % kKept];
    if (flight.number != position + 1) return {};
    return std::max(time - flight.ready, std::chrono::nanoseconds::zero());
  }
  /// A slot that keeps the show's time has used frame `position`.
  void end(std::uint64_t position, LocalTime time) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    const auto& flight = flights_[position % kKept];
    if (flight.number == position + 1) times_.add(time - flight.began);
  }
  [[nodiscard]] telemetry::LatencyReading reading() const { return times_.reading(); }

 private:
  static constexpr std::size_t kKept = 128;
  struct Flight {
    std::uint64_t number = 0;  // the frame's position + 1; 0: none
    LocalTime began;
    LocalTime ready;  // the last slot that does not keep the show's time finished it
  };

  Mutex mutex_;
  std::array<Flight, kKept> flights_ SUBMIX_GUARDED_BY(mutex_);
  telemetry::Latencies times_;
};

}  // namespace submix::engine
