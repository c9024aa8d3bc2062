// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/telemetry/readings.hpp"
#include "common/telemetry/time_shares.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace submix::link {

/// What a local link calls its own end.
inline constexpr std::string_view kSharedMemory = "shared memory";

/// Idle: nothing to send. Blocked: the kernel takes no more.
enum class LinkActivity { idle, sending, blocked, count };

/// What one link of a stream has done, over all its connections.
///
/// Threads  The counters: one writer (net), any readers. The texts: Synchronized.
struct LinkStats {
  LinkStats(std::uint32_t link_index, LocalTime now)
      : index(link_index), shares(LinkActivity::idle, now) {}

  const std::uint32_t index;
  std::atomic<std::uint64_t> bytes{0};  // relaxed throughout: each figure stands alone
  std::atomic<std::uint64_t> stripes{0};
  std::atomic<std::uint64_t> stripes_damaged{0};  ///< came with a wrong checksum
  std::atomic<std::uint64_t> queue_bytes{0};
  std::atomic<std::uint64_t> queue_limit_bytes{0};  ///< what the plan commits to it at most
  std::atomic<std::uint64_t> bytes_per_second{0};   ///< as measured while it was busy, 0: not yet
  std::atomic<std::uint64_t> full_bytes{0};         ///< carried while it was at its limit
  std::atomic<std::uint64_t> full_ns{0};            ///< and in which time; each grows only
  std::atomic<std::uint64_t> connections{0};
  std::atomic<std::uint64_t> round_trip_us{0};  ///< smoothed by TCP; 0: none, or by shared memory
  std::atomic<std::uint64_t> segments_retransmitted{0};  ///< by TCP
  std::atomic<std::uint64_t> bytes_retransmitted{0};
  telemetry::TimeShares<LinkActivity> shares;

  void set_state(telemetry::LinkState state, std::string error) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    state_ = state;
    error_ = std::move(error);
  }
  /// Other addresses are another way: what was carried before says nothing of it. Ports are no part of a way.
  void set_ends(std::string local, std::string remote) SUBMIX_EXCLUDES(mutex_);
  /// True: it is another warning than before.
  bool set_warning(const std::string& warning) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (warning_ == warning) return false;
    warning_ = warning;
    return true;
  }
  [[nodiscard]] bool is_open() const SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return state_ == telemetry::LinkState::open;
  }
  /// To be called a few times a second: the greatest rate is found from one call to another.
  [[nodiscard]] telemetry::LinkReading reading(LocalTime now) const SUBMIX_EXCLUDES(mutex_);

 private:
  /// The greatest rate over a second at least.
  struct Greatest {
    LocalTime since{};
    std::uint64_t bytes_then = 0;
    std::uint64_t bytes_per_second = 0;
    bool has_begun = false;

    void follow(LocalTime now, std::uint64_t bytes_now);
  };
  /// What the link carried at its limit in the last seconds. It is remembered for a while: a link that is
  /// slow is given little, and is at its limit only now and then.
  class Limit {
   public:
    struct Totals {
      std::uint64_t bytes = 0;
      std::uint64_t full_bytes = 0;
      std::uint64_t full_ns = 0;
    };
    void follow(LocalTime now, const Totals& totals);
    [[nodiscard]] std::uint64_t bytes_per_second() const { return bytes_per_second_; }

   private:
    void judge(LocalTime now, const Totals& totals);
    void add_sample(double carried, double seconds);

    LocalTime since_{};
    Totals then_;
    // Of each second before, half as much as of the next one.
    double full_bytes_ = 0;
    double full_seconds_ = 0;
    LocalTime measured_{};
    std::uint64_t bytes_per_second_ = 0;
    bool has_begun_ = false;
  };

  mutable Mutex mutex_;
  mutable Greatest greatest_ SUBMIX_GUARDED_BY(mutex_);
  mutable Limit limit_ SUBMIX_GUARDED_BY(mutex_);
  telemetry::LinkState state_ SUBMIX_GUARDED_BY(mutex_) = telemetry::LinkState::connecting;
  std::string local_ SUBMIX_GUARDED_BY(mutex_);
  std::string remote_ SUBMIX_GUARDED_BY(mutex_);
  std::string error_ SUBMIX_GUARDED_BY(mutex_);
  std::string warning_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::link
