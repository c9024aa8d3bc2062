// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/link/link.hpp"
#include "common/link/link_supervisor.hpp"
#include "common/link/local/lender.hpp"
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
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::link {

/// The receiver of a stream.
struct Destination {
  std::string node;
  std::vector<DataEndpoint> endpoints;
  LocalEndpoint local_endpoint;
};

/// The state that a StreamSender and its links share.
///
/// Threads  Each group of functions says which. The striper is shared under a lock held for a few
///          instructions.
class SenderCore final : public LinkOwner,
                         private LinkSupervisor::Client,
                         public std::enable_shared_from_this<SenderCore> {
 public:
  SenderCore(StreamContext& context, SenderOptions options, MakeOutgoingLink make_link);

  // Called on any thread.
  [[nodiscard]] bool try_send(const media::Frame& frame, bool is_shared = false)
      SUBMIX_EXCLUDES(mutex_);
  /// Waits without limit when `deadline` is empty.
  [[nodiscard]] bool send_until(const media::Frame& frame, std::optional<LocalTime> deadline,
                                std::stop_token stop) SUBMIX_EXCLUDES(mutex_);
  bool send_latest(const media::Frame& frame, bool is_detached) SUBMIX_EXCLUDES(mutex_);
  /// Frames that could be sent now.
  [[nodiscard]] std::uint64_t credits() const SUBMIX_EXCLUDES(mutex_);
  /// See StreamSender::watch_credit().
  void watch_credit(std::function<void()> watcher) SUBMIX_EXCLUDES(watching_);
  [[nodiscard]] telemetry::StreamReading telemetry() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool is_superseded() const {
    return is_superseded_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] const SenderOptions& options() const override { return options_; }

  // Called on net by DataPlane and StreamSender.
  void start();
  void set_destination(Destination destination);
  void set_links(LinkSetup setup) { supervisor_.set_links(std::move(setup)); }
  void expect_successor() { supervisor_.expect_successor(); }
  /// The context's cards have changed.
  void follow_cards() { supervisor_.update(); }
  /// Closes all links. The core stays alive until the receiver has returned every lent frame.
  void shut_down();
  /// Releases lent frames at once: the data plane ends.
  void drop_lent();
  /// A newer sender has taken over. Called by LinkSupervisor.
  void supersede() override { is_superseded_.store(true, std::memory_order_relaxed); }

  // Called on net by links; see LinkOwner.
  void prepare_socket(int socket, const LinkPath& path) override;
  [[nodiscard]] wire::Hello hello(std::size_t link) override;
  [[nodiscard]] Result<void> welcomed(std::size_t link, const wire::Welcome& welcome) override;
  void opened(std::size_t link) override { supervisor_.opened(link); }
  void lost(std::size_t link, const LinkLoss& loss) override { supervisor_.lost(link, loss); }
  [[nodiscard]] std::optional<stream::Stripe> pull(std::size_t link,
                                                   const stream::LinkBacklog& backlog) override
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::optional<stream::Stripe> pull_whole(std::size_t link) override
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<void> acknowledged(const wire::Ack& ack) override;
  void answered(LocalTime sent, std::chrono::nanoseconds theirs) override SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] LinkPace pace(std::size_t link) const override SUBMIX_EXCLUDES(mutex_);
  void keep_lent(std::shared_ptr<LentFrames> frames) override {
    lent_.push_back(std::move(frames));
  }
  void count_copied_frame() override { copied_.fetch_add(1, std::memory_order_relaxed); }

 private:
  // Called on net by LinkSupervisor; see LinkSupervisor::Client.
  [[nodiscard]] std::shared_ptr<LinkOwner> link_owner() override { return shared_from_this(); }
  void open_link(std::size_t link) override SUBMIX_EXCLUDES(mutex_);
  void lose_link(std::size_t link) override SUBMIX_EXCLUDES(mutex_);
  void wake_links() override;

  enum class Waiting { no, yes, count };

  [[nodiscard]] bool has_credit_now() const SUBMIX_REQUIRES(mutex_) {
    return !newest_ && striper_.has_credit();
  }
  /// There is credit, and the links do not have plenty of work already.
  [[nodiscard]] bool has_room() const SUBMIX_REQUIRES(mutex_) {
    return has_credit_now() && !striper_.has_plenty();
  }
  [[nodiscard]] bool wait_for_room(const media::Frame& frame, std::optional<LocalTime> deadline,
                                   std::stop_token stop) SUBMIX_EXCLUDES(mutex_);
  /// Takes the frame of a waiting send_until() when there is room. True: it was taken.
  bool take_waiting_frame() SUBMIX_REQUIRES(mutex_);
  void offer(const media::Frame& frame, LocalTime at) SUBMIX_REQUIRES(mutex_);
  void offer_newest() SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] bool put_in_place_of_oldest(const media::Frame& frame, LocalTime at)
      SUBMIX_REQUIRES(mutex_);
  /// Books the time without credit, or in which a frame waits for room, as blocked.
  void book_waiting(LocalTime now) SUBMIX_REQUIRES(mutex_);
  void tell_credit() SUBMIX_EXCLUDES(watching_);
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

  Mutex watching_;  // held while the watcher runs, so that none runs after its end
  std::function<void()> watcher_ SUBMIX_GUARDED_BY(watching_);

  // Confined (net).
  StreamTrace trace_;
  const std::unique_ptr<Timer> tick_timer_;
  const std::unique_ptr<Timer> plan_timer_;
  bool is_plan_watched_ = false;
  const std::unique_ptr<Timer> wake_timer_;
  bool is_wake_due_ = false;
  LinkSupervisor supervisor_;
  std::optional<Destination> destination_;         // waits for the first frame
  std::vector<std::shared_ptr<LentFrames>> lent_;  // of the present and of former local links
  bool is_shut_down_ = false;
  std::atomic<std::uint64_t> copied_{0};
  std::atomic<bool> has_had_frame_{false};  // relaxed, as is_superseded_: each stands alone
  std::atomic<bool> is_superseded_{false};

  mutable Mutex mutex_;
  Condition taken_;
  stream::Striper striper_ SUBMIX_GUARDED_BY(mutex_);
  telemetry::TimeShares<Waiting> waiting_ SUBMIX_GUARDED_BY(mutex_);
  stream::PeerClock peer_clock_ SUBMIX_GUARDED_BY(mutex_);
  // when each retained frame was offered; a ring
  std::vector<LocalTime> offered_ SUBMIX_GUARDED_BY(mutex_);
  telemetry::Latencies latencies_ SUBMIX_GUARDED_BY(mutex_);
  // the frame of send_until(), until there is room
  media::Frame waiting_frame_ SUBMIX_GUARDED_BY(mutex_);
  // the frame of send_latest(), until there is credit
  media::Frame newest_ SUBMIX_GUARDED_BY(mutex_);
  LocalTime newest_at_ SUBMIX_GUARDED_BY(mutex_);
  // counted separately, so that the sum can be checked
  std::uint64_t produced_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t skipped_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t skipped_detached_ SUBMIX_GUARDED_BY(mutex_) = 0;  // part of skipped_
};

}  // namespace submix::link
