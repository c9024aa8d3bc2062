// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace submix::simulation {

/// One link of a simulated stream, with a fixed maximum rate.
///
/// Shape    It reports what real senders report. A slowed link looks idle, and its capacity is the
///          rate that the sender expects; only the limit shows what the link carries while more
///          data waits.
/// Threads  Compatible.
class Link {
 public:
  Link(std::uint32_t index, double bytes_per_second)
      : index_(index), bytes_per_second_(bytes_per_second) {}

  void set_ends(std::string local, std::string remote);
  /// Share of the full rate; 1: full speed; 0.1: a tenth, as behind a bad cable.
  void set_speed(double share) { speed_ = share; }
  [[nodiscard]] double speed() const { return speed_; }
  /// Why the link is not open. Empty: it is open.
  void set_trouble(std::string why);
  [[nodiscard]] bool is_open() const { return trouble_.empty(); }

  [[nodiscard]] double bytes_per_second() const {
    return is_open() ? bytes_per_second_ * speed_ : 0.0;
  }
  /// Carries `bytes` in `time`. `has_more`: a faster link would have carried more.
  void carry(double bytes, bool has_more, std::chrono::nanoseconds time);
  [[nodiscard]] telemetry::LinkReading reading(bool is_sender) const;
  [[nodiscard]] std::uint64_t bytes() const { return static_cast<std::uint64_t>(bytes_); }

 private:
  [[nodiscard]] bool is_slowed() const { return speed_ < kSlowed; }
  void end_second();

  static constexpr double kSlowed = 0.5;

  const std::uint32_t index_;
  const double bytes_per_second_;
  double speed_ = 1;
  std::string local_;
  std::string remote_;
  std::string trouble_;
  double bytes_ = 0;
  double retransmitted_bytes_ = 0;
  double queue_bytes_ = 0;
  // The greatest rate over a second, and the present second.
  double greatest_ = 0;
  double second_bytes_ = 0;
  std::chrono::nanoseconds second_{0};
  double limit_ = 0;  // rate carried while the link was busy lately
  int hope_ = 1;      // the sender takes the link for this many times as fast
  std::uint64_t reconnects_ = 0;
  std::chrono::nanoseconds sending_{0};
  std::chrono::nanoseconds blocked_{0};
  std::chrono::nanoseconds idle_{0};
};

}  // namespace submix::simulation
