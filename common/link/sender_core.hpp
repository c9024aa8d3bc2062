// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/link/lender.hpp"
#include "common/link/sender_lines.hpp"
#include "common/link/stream_context.hpp"
#include "common/link/stream_sender.hpp"
#include "common/link/stream_trace.hpp"
#include "common/stream/peer_clock.hpp"
#include "common/stream/striper.hpp"
#include "common/telemetry/latencies.hpp"
#include "common/telemetry/readings.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::link {

/// How fast the plan takes a link to be.
struct LinkPace {
  std::uint64_t bytes_per_second = 0;   ///< measured; 0: not yet
  std::uint64_t queue_limit_bytes = 0;  ///< what is committed to it at most
  stream::RateMeter::Full full = {};    ///< what it has carried while it was at its limit
};

/// Where a stream goes.
struct Destination {
  std::string node;
  std::vector<DataEndpoint> endpoints;
  LocalEndpoint door;
};

/// What a StreamSender and its links share.
///
/// Threads  Each function says which; the striper is shared under a lock held for a few instructions.
class SenderCore : public std::enable_shared_from_this<SenderCore> {
 public:
  SenderCore(StreamContext& context, SenderOptions options, MakeOutgoingLink make_link);

  // -- any thread
  [[nodiscard]] bool try_send(const media::Frame& frame) SUBMIX_EXCLUDES(mutex_);
  /// Without a deadline: for as long as it takes.
  [[nodiscard]] bool send_until(const media::Frame& frame, std::optional<LocalTime> deadline,
                                std::stop_token stop) SUBMIX_EXCLUDES(mutex_);
  bool send_latest(const media::Frame& frame, bool is_detached) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool has_credit() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] telemetry::StreamReading telemetry() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool is_superseded() const {
    return is_superseded_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] const SenderOptions& options() const { return options_; }

  // -- net, for the DataPlane and the StreamSender
  void start();
  void set_destination(Destination destination);
  [[nodiscard]] SenderLines& lines() { return lines_; }
  /// Closes all links. It stays until nobody reads its frames any more.
  void shut_down();
  /// Does not wait for that: the data plane ends.
  void give_up_lent();

  // -- net, for the links
  [[nodiscard]] wire::Hello hello(std::size_t link);
  [[nodiscard]] Result<void> welcomed(std::size_t link, const wire::Welcome& welcome);
  [[nodiscard]] Result<void> acknowledged(const wire::Ack& ack);
  [[nodiscard]] std::optional<stream::Stripe> pull(std::size_t link,
                                                   const stream::LinkBacklog& backlog)
      SUBMIX_EXCLUDES(mutex_);
  /// For a local link: whole frames.
  [[nodiscard]] std::optional<stream::Stripe> pull_whole(std::size_t link) SUBMIX_EXCLUDES(mutex_);
  /// Frames of a local link, which must stay after it is gone until nobody reads them.
  void keep_lent(std::shared_ptr<LentFrames> frames) { lent_.push_back(std::move(frames)); }
  void count_copied_frame() { copied_.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] LinkPace pace(std::size_t link) const SUBMIX_EXCLUDES(mutex_);
  /// The receiver's clock showed `theirs` when it answered what was sent at `sent`.
  void answered(LocalTime sent, std::chrono::nanoseconds theirs) SUBMIX_EXCLUDES(mutex_);

  // -- net, for its lines
  void open_link(std::size_t link) SUBMIX_EXCLUDES(mutex_);
  /// What it had goes over the others.
  void lose_link(std::size_t link) SUBMIX_EXCLUDES(mutex_);
  void wake_links();
  void supersede() { is_superseded_.store(true, std::memory_order_relaxed); }

 private:
  enum class Waiting { no, yes, count };

  [[nodiscard]] bool has_credit_now() const SUBMIX_REQUIRES(mutex_) {
    return !newest_ && striper_.has_credit();
  }
  /// There is credit, and the links have no more to do than keeps them busy.
  [[nodiscard]] bool has_room() const SUBMIX_REQUIRES(mutex_) {
    return has_credit_now() && !striper_.has_plenty();
  }
  [[nodiscard]] bool wait_at_the_door(const media::Frame& frame, std::optional<LocalTime> deadline,
                                      std::stop_token stop) SUBMIX_EXCLUDES(mutex_);
  /// Whoever waits at the door, if there is room.
  bool take_in() SUBMIX_REQUIRES(mutex_);
  void offer(const media::Frame& frame, LocalTime at) SUBMIX_REQUIRES(mutex_);
  void offer_newest() SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] bool put_in_place_of_oldest(const media::Frame& frame, LocalTime at)
      SUBMIX_REQUIRES(mutex_);
  void record_latencies(FrameIndex begin, const wire::Ack& ack) SUBMIX_REQUIRES(mutex_);
  void note_frame();
  void look_for_receiver();
  void wake_links_soon();
  void watch_plan();
  [[nodiscard]] bool observe_links() SUBMIX_EXCLUDES(mutex_);
  void tick();
  void tick_lent();

  StreamContext& context_;
  const SenderOptions options_;
  const std::unique_ptr<Wakeup> wakeup_;
  telemetry::TimeShares<Waiting> waiting_;

  // -- net
  StreamTrace trace_;
  const std::unique_ptr<Timer> tick_timer_;
  const std::unique_ptr<Timer> plan_timer_;
  bool is_plan_watched_ = false;
  const std::unique_ptr<Timer> wake_timer_;
  bool is_wake_due_ = false;
  SenderLines lines_;
  std::optional<Destination> destination_;         // until there is a frame
  std::vector<std::shared_ptr<LentFrames>> lent_;  // of this local link and of former ones
  bool is_shut_down_ = false;
  std::atomic<std::uint64_t> copied_{0};
  std::atomic<bool> has_had_frame_{false};  // relaxed, both: they stand alone
  std::atomic<bool> is_superseded_{false};

  mutable Mutex mutex_;
  Condition taken_;
  stream::Striper striper_ SUBMIX_GUARDED_BY(mutex_);
  stream::PeerClock peer_clock_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<LocalTime> offered_ SUBMIX_GUARDED_BY(mutex_);  // a ring, as the retained frames are
  telemetry::Latencies latencies_ SUBMIX_GUARDED_BY(mutex_);
  media::Frame at_the_door_ SUBMIX_GUARDED_BY(mutex_);  // of send_until(), until there is room
  media::Frame newest_ SUBMIX_GUARDED_BY(mutex_);       // of send_latest(), until there is credit
  LocalTime newest_at_ SUBMIX_GUARDED_BY(mutex_);
  std::uint64_t produced_ SUBMIX_GUARDED_BY(mutex_) =
      0;  // counted by itself, so that the sum can be checked
  std::uint64_t skipped_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t skipped_detached_ SUBMIX_GUARDED_BY(mutex_) = 0;  // of these
};

}  // namespace submix::link
