// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/base/network.hpp"
#include "common/telemetry/readings.hpp"
#include "common/telemetry/time_shares.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace submix::link {

/// idle: nothing to send. blocked: the kernel takes no more bytes.
enum class LinkActivity { idle, sending, blocked, count };

/// Counters and states of one link of a stream, over all its connections.
///
/// Threads  The counters: one writer (net), any readers. The texts: Synchronized.
struct LinkStats {
  LinkStats(std::uint32_t link_index, LocalTime now)
      : index(link_index), shares(LinkActivity::idle, now) {}

  const std::uint32_t index;
  std::atomic<std::uint64_t> bytes{0};  // all counters are relaxed: each stands alone
  std::atomic<std::uint64_t> stripes{0};
  std::atomic<std::uint64_t> stripes_damaged{0};         ///< received with a wrong checksum or tag
  std::atomic<Protection> protection{Protection::none};  ///< of the newest connection's stripes
  std::atomic<std::uint64_t> queue_bytes{0};
  std::atomic<std::uint64_t> queue_limit_bytes{0};  ///< the most that the plan commits to the link
  std::atomic<std::uint64_t> bytes_per_second{0};  ///< measured while the link was busy; 0: not yet
  std::atomic<std::uint64_t> full_bytes{0};        ///< carried while the link was at its limit
  std::atomic<std::uint64_t> full_ns{0};           ///< time at the limit; these two only grow
  std::atomic<std::uint64_t> connections{0};
  std::atomic<std::uint64_t> round_trip_us{0};  ///< smoothed by TCP; 0: unknown, or shared memory
  std::atomic<std::uint64_t> segments_retransmitted{0};  ///< by TCP
  std::atomic<std::uint64_t> bytes_retransmitted{0};
  telemetry::TimeShares<LinkActivity> shares;

  void set_state(telemetry::LinkState state, std::string error) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    state_ = state;
    error_ = std::move(error);
  }
  /// A change of addresses resets the greatest rate and the limit: the link uses another path now.
  /// Ports do not count.
  void set_ends(std::string local, std::string remote) SUBMIX_EXCLUDES(mutex_);
  /// True: the warning differs from the last one.
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
  /// Call it a few times a second: the greatest rate is measured between two calls.
  [[nodiscard]] telemetry::LinkReading reading(LocalTime now) const SUBMIX_EXCLUDES(mutex_);

 private:
  /// The greatest rate over at least a second.
  struct GreatestRate {
    LocalTime since{};
    std::uint64_t bytes_then = 0;
    std::uint64_t bytes_per_second = 0;
    bool has_begun = false;

    void follow(LocalTime now, std::uint64_t bytes_now);
  };
  /// The rate of the link at its limit during the last seconds. The result is kept for a while,
  /// because a slow link is given little work and reaches its limit only now and then.
  class LimitRate {
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
    void begin_sample(LocalTime now, const Totals& totals);

    LocalTime since_{};
    std::uint64_t bytes_then_ = 0;
    LocalTime sample_began_{};
    Totals sampled_;  // when the sample began
    // Decaying sums: each sample counts half as much as the sample after it.
    double full_bytes_ = 0;
    double full_seconds_ = 0;
    std::uint64_t bytes_per_second_ = 0;
    bool has_begun_ = false;
  };

  mutable Mutex mutex_;
  mutable GreatestRate greatest_ SUBMIX_GUARDED_BY(mutex_);
  mutable LimitRate limit_ SUBMIX_GUARDED_BY(mutex_);
  telemetry::LinkState state_ SUBMIX_GUARDED_BY(mutex_) = telemetry::LinkState::connecting;
  std::string local_ SUBMIX_GUARDED_BY(mutex_);
  std::string remote_ SUBMIX_GUARDED_BY(mutex_);
  std::string error_ SUBMIX_GUARDED_BY(mutex_);
  std::string warning_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::link
