// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/link/link.hpp"
#include "common/link/link_stats.hpp"
#include "common/link/stream_context.hpp"
#include "common/link/stream_receiver.hpp"
#include "common/link/stream_trace.hpp"
#include "common/media/borrowed_frames.hpp"
#include "common/stream/frame_window.hpp"
#include "common/stream/reassembler.hpp"
#include "common/telemetry/ended_epochs.hpp"
#include "common/telemetry/readings.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::link {

/// The state that a StreamReceiver and its links share.
///
/// Threads  Each group of functions says which. The reassembler is shared under a lock held for a
///          few instructions; pixels are unpacked outside the lock.
class ReceiverCore : public std::enable_shared_from_this<ReceiverCore> {
 public:
  ReceiverCore(StreamContext& context, ReceiverOptions options);

  // Called on any thread.
  [[nodiscard]] std::optional<media::Frame> try_receive() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::optional<media::Frame> receive_until(std::optional<LocalTime> deadline,
                                                          std::stop_token stop)
      SUBMIX_EXCLUDES(mutex_);
  void count_repeated_frame() { repeated_.fetch_add(1, std::memory_order_relaxed); }
  /// See StreamReceiver::set_removed().
  void set_removed(bool is_removed) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool is_removed() const { return is_removed_.load(std::memory_order_relaxed); }
  void set_detached(std::string why) SUBMIX_EXCLUDES(mutex_);
  /// See StreamReceiver::set_frames_least().
  void set_frames_least(std::size_t frames) SUBMIX_EXCLUDES(mutex_);
  /// See StreamReceiver::doubt_epoch().
  void doubt_epoch() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] telemetry::StreamReading telemetry() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<media::SeatNote> seats() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] const ReceiverOptions& options() const { return options_; }

  // Called on net by DataPlane and StreamReceiver.
  void start();
  /// The context's cards have changed.
  void follow_cards();
  void shut_down();

  // Called on net by pending connections.
  /// Why this Hello must be refused; empty: it is welcome.
  [[nodiscard]] std::optional<wire::Refusal> objection(const wire::Hello& hello) const;
  [[nodiscard]] wire::Welcome welcome(const wire::Hello& hello) const;
  /// The handshake is complete. `make` makes the link; it is not called when a newer sender has
  /// come meanwhile.
  void admit(const wire::Hello& hello, const MakeIncomingLink& make);

  // Called on net by links.
  /// Binds a connected socket to its card, see bind_where_needed().
  void bind_to_card(int socket, const LinkPath& path);
  [[nodiscard]] std::uint32_t pixels_due(std::size_t link) const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::span<std::uint8_t> room(std::size_t link) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<void> begin_stripe(std::size_t link, const wire::StripeHeader& stripe);
  void advance(std::size_t link, std::uint32_t pixels) SUBMIX_EXCLUDES(mutex_);
  /// Number of released frames that the patch may go on reading in the sender's memory. Further
  /// frames are copied.
  void set_frames_lent(std::uint32_t frames) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<void> put_whole(media::BorrowedPlace loan) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] wire::Ack ack() const SUBMIX_EXCLUDES(mutex_);
  /// For people at both ends: which stripe is damaged, how, and where to look. `found`: the
  /// checksum; empty: the cipher's tag is wrong.
  [[nodiscard]] std::string describe_damage(const LinkPath& path, const wire::StripeHeader& stripe,
                                            std::optional<std::uint64_t> found) const;
  void lost(std::size_t link, const std::string& reason);
  void said_goodbye(std::size_t link, const std::string& text);

 private:
  enum class Waiting { no, yes, count };

  /// The reassembler's next frame, and where to copy it if it must be copied.
  struct TakenFrame {
    std::optional<media::Frame> frame;
    std::optional<media::WritableFrame> room;
  };

  [[nodiscard]] TakenFrame take() SUBMIX_REQUIRES(mutex_);
  void note_use(LocalTime completed, LocalTime now) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] bool carries_frames() const SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] std::optional<media::Frame> copy_if_needed(TakenFrame taken);
  void begin_epoch(const wire::Hello& hello);
  void drop_link(std::size_t index, wire::GoodbyeReason reason, const std::string& text);
  void wake_links();
  void tick();
  void close_outdated_links();
  [[nodiscard]] std::string about(std::size_t link) const;

  StreamContext& context_;
  const ReceiverOptions options_;
  const std::uint64_t instance_;
  const std::unique_ptr<Wakeup> wakeup_;
  telemetry::TimeShares<Waiting> waiting_;
  std::atomic<std::uint64_t> repeated_{0};
  std::atomic<std::uint64_t> copied_{0};
  std::atomic<bool> is_removed_{false};  // written with mutex_, for a wait to end
  media::BorrowedFrames borrowed_;

  // Confined (net).
  StreamTrace trace_;
  const std::unique_ptr<Timer> tick_timer_;
  std::array<std::shared_ptr<IncomingLink>, wire::kLinksMax> links_;
  bool is_shut_down_ = false;

  mutable Mutex mutex_;
  Condition ready_;
  stream::Reassembler reassembler_ SUBMIX_GUARDED_BY(mutex_);
  stream::FrameWindow window_ SUBMIX_GUARDED_BY(mutex_);  // of the frames with credit
  // when the patch asked for the next frame in vain; empty: it has not
  std::optional<LocalTime> wanted_since_ SUBMIX_GUARDED_BY(mutex_);
  std::array<std::shared_ptr<LinkStats>, wire::kLinksMax> stats_ SUBMIX_GUARDED_BY(mutex_);
  telemetry::EndedEpochs ended_ SUBMIX_GUARDED_BY(mutex_);
  std::string peer_ SUBMIX_GUARDED_BY(mutex_);
  std::string detached_ SUBMIX_GUARDED_BY(mutex_);  // why the patch does not wait; empty: it waits
  std::size_t frames_lent_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t frames_taken_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::chrono::nanoseconds released_at_ SUBMIX_GUARDED_BY(mutex_){0};
};

}  // namespace submix::link
