// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/receiver_core.hpp"

#include "common/base/version.hpp"
#include "common/link/cards/card_checks.hpp"
#include "common/link/timing.hpp"
#include "common/media/pixels.hpp"
#include "common/wire/epoch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace submix::link {
namespace {

/// The most borrowed frames at one time: waiting frames of two epochs, lent frames, and frames just
/// being copied.
std::size_t borrowed_max(const ReceiverOptions& options) {
  return 2 * options.credits + wire::kFramesLentMax + 2;
}

// While the patch holds more frames than announced, credit waits for one to come back. No event
// reports the return.
constexpr auto kFrameReturnPoll = 2ms;

// Longer than a patch's (Credits), so that the performer's own window adapts first.
constexpr auto kWindowPatience = 1500ms;

// An epoch this far ahead of the time of day is doubted. Clocks of healthy nodes differ by less.
constexpr std::chrono::hours kEpochLeadUsual(24);

telemetry::EpochReading reading_of(const stream::EpochProgress& progress) {
  telemetry::EpochReading reading;
  reading.epoch = progress.epoch;
  reading.first_frame = progress.first.value;
  reading.next_frame = progress.next.value;
  reading.frames_lost = progress.frames_lost;
  return reading;
}

std::uint64_t random_instance() {
  const auto nonce = wire::random_nonce();
  std::uint64_t value = 0;
  std::memcpy(&value, nonce.data(), sizeof value);
  return value;
}

}  // namespace

ReceiverCore::ReceiverCore(StreamContext& context, ReceiverOptions options)
    : context_(context),
      options_(std::move(options)),
      instance_(random_instance()),
      wakeup_(context.loop.make_wakeup([this] { wake_links(); })),
      waiting_(Waiting::no, context.now()),
      borrowed_(options_.size, borrowed_max(options_)),
      trace_(context.trace, fmt::format("stream {}, received", options_.stream)),
      tick_timer_(context.loop.make_timer([this] { tick(); })),
      reassembler_({options_.size, options_.credits, options_.frames_held, options_.format,
                    options_.backing}),
      window_(1, options_.credits, kWindowPatience) {}

// Called on the patch's thread.

ReceiverCore::TakenFrame ReceiverCore::take() {
  reassembler_.grant_credit();
  auto [frame, room, completed] = reassembler_.take_with_room();
  TakenFrame taken{std::move(frame), std::move(room)};
  const auto now = context_.now();
  if (!taken.frame) {
    if (!wanted_since_) wanted_since_ = now;
    return taken;
  }
  ++frames_taken_;
  released_at_ = now.time_since_epoch();
  note_use(completed, now);
  // The sender's memory has room for the lent frames only. Frames that the patch keeps beyond that
  // number are copied into this process's memory.
  const auto with_patch =
      borrowed_.frames_out() - std::min(borrowed_.frames_out(), reassembler_.foreign_frames());
  if (with_patch <= frames_lent_ && taken.frame->format() == options_.format) taken.room.reset();
  return taken;
}

// The credit follows the time that frames need to come: more credit would only make them older.
void ReceiverCore::note_use(LocalTime completed, LocalTime now) {
  const auto wanted_since = std::exchange(wanted_since_, std::nullopt);
  const bool is_left_over = completed == LocalTime{};
  if (is_left_over) return;
  if (!window_.note(wanted_since ? *wanted_since - now : now - completed, now)) return;
  reassembler_.set_window(window_.frames());
  reassembler_.grant_credit();
}

std::optional<media::Frame> ReceiverCore::copy_if_needed(TakenFrame taken) {
  if (!taken.frame || !taken.room) return std::move(taken.frame);
  taken.room->stamp() = taken.frame->stamp();
  const auto from = taken.frame->rgba();
  if (options_.format == media::PixelFormat::rgb24) {
    media::pack_rgb24(from, taken.room->pixels());
  } else {
    std::copy(from.begin(), from.end(), taken.room->rgba().begin());
  }
  copied_.fetch_add(1, std::memory_order_relaxed);
  return std::move(*taken.room).publish();
}

std::optional<media::Frame> ReceiverCore::try_receive() {
  TakenFrame taken;
  {
    MutexLock lock(mutex_);
    taken = take();
  }
  if (taken.frame) wakeup_->notify();  // its credit goes to the sender
  return copy_if_needed(std::move(taken));
}

std::optional<media::Frame> ReceiverCore::receive_until(std::optional<LocalTime> deadline,
                                                        std::stop_token stop) {
  if (auto frame = try_receive()) return frame;
  waiting_.enter(Waiting::yes, context_.now());
  const bool was_removed = is_removed();
  TakenFrame taken;
  {
    MutexLock lock(mutex_);
    const auto is_removed_now = [&] { return !was_removed && is_removed(); };
    const auto is_ready = [&]() SUBMIX_REQUIRES(mutex_) {
      return reassembler_.frames_ready() > 0 || is_removed_now();
    };
    for (taken = take(); !taken.frame && !stop.stop_requested() && !is_removed_now();
         taken = take()) {
      const auto now = context_.now();
      if (deadline && now >= *deadline) break;
      if (reassembler_.is_short_of_frames()) {
        const auto poll = now + kFrameReturnPoll;
        static_cast<void>(
            ready_.wait_until(mutex_, stop, deadline ? std::min(*deadline, poll) : poll, is_ready));
        if (reassembler_.grant_credit()) wakeup_->notify();
      } else if (deadline) {
        static_cast<void>(ready_.wait_until(mutex_, stop, *deadline, is_ready));
      } else {
        static_cast<void>(ready_.wait(mutex_, stop, is_ready));
      }
    }
  }
  waiting_.enter(Waiting::no, context_.now());
  if (taken.frame) wakeup_->notify();
  return copy_if_needed(std::move(taken));
}

std::vector<media::SeatNote> ReceiverCore::seats() const {
  const MutexLock lock(mutex_);
  return reassembler_.seats();
}

void ReceiverCore::set_removed(bool is_removed) {
  {
    const MutexLock lock(mutex_);
    is_removed_.store(is_removed, std::memory_order_relaxed);
  }
  ready_.notify_all();
}

void ReceiverCore::set_detached(std::string why) {
  const MutexLock lock(mutex_);
  detached_.swap(why);  // the old text is freed after the lock
}

// New credit goes out with the next acknowledgement or tick.
void ReceiverCore::set_frames_least(std::size_t frames) {
  const MutexLock lock(mutex_);
  window_.set_limits(std::clamp<std::uint64_t>(frames, 1, options_.credits), options_.credits);
  reassembler_.set_window(window_.frames());
}

bool ReceiverCore::carries_frames() const {
  const auto progress = reassembler_.progress();
  const bool has_link = std::any_of(stats_.begin(), stats_.end(), [](const auto& stats) {
    return stats != nullptr && stats->is_open();
  });
  return has_link && progress.next > progress.first;
}

void ReceiverCore::doubt_epoch() {
  const auto usual = context_.time_of_day() + kEpochLeadUsual;
  const MutexLock lock(mutex_);
  const auto epoch = reassembler_.ack().epoch;
  const bool is_usual = usual.count() >= 0 && epoch <= static_cast<std::uint64_t>(usual.count());
  if (!is_usual && !carries_frames()) reassembler_.give_up_epoch();
}

telemetry::StreamReading ReceiverCore::telemetry() const {
  const auto now = context_.now();
  telemetry::StreamReading reading;
  reading.stream = options_.stream;
  reading.size = options_.size;
  reading.rate = options_.rate;
  reading.blocked = waiting_.totals(now)[static_cast<std::size_t>(Waiting::yes)];
  reading.frames_copied = copied_.load(std::memory_order_relaxed);
  reading.frames_duplicated = repeated_.load(std::memory_order_relaxed);
  MutexLock lock(mutex_);
  const auto ack = reassembler_.ack();
  const auto ready = reassembler_.frames_ready();
  reading.peer = peer_;
  reading.detached = detached_;
  reading.epoch = ack.epoch;
  reading.frames = frames_taken_;
  reading.frames_produced = frames_taken_ + ready;
  reading.frames_dropped = reassembler_.frames_lost();
  reading.frames_queued = static_cast<std::uint32_t>(ready);
  reading.frames_left_over = static_cast<std::uint32_t>(reassembler_.frames_left_over());
  reading.credits = static_cast<std::uint32_t>(ack.credit_limit.value - ack.released.value);
  reading.epochs = ended_.kept();
  if (ack.epoch != 0) reading.epochs.push_back(reading_of(reassembler_.progress()));
  reading.frames_forgotten = ended_.frames_forgotten();
  for (const auto& stats : stats_) {
    if (stats) reading.links.push_back(stats->reading(now));
  }
  return reading;
}

// Called on net by pending connections.

std::optional<wire::Refusal> ReceiverCore::objection(const wire::Hello& hello) const {
  const auto& own = options_;
  if (hello.size != own.size || hello.rate != own.rate) {
    return wire::Refusal{
        wire::RefusalCode::shape,
        fmt::format("stream \"{}\" is {}x{} at {}/{} fps here, but {}x{} at {}/{} fps at its "
                    "sender; both nodes must run the same show",
                    own.stream, own.size.width, own.size.height, own.rate.numerator,
                    own.rate.denominator, hello.size.width, hello.size.height, hello.rate.numerator,
                    hello.rate.denominator)};
  }
  const auto believed_max = wire::believed_epoch_max(context_.time_of_day());
  if (hello.epoch > believed_max) {
    return wire::Refusal{
        wire::RefusalCode::malformed,
        fmt::format(
            "stream \"{}\": epoch {} of node {} is greater than {}, more than ten years ahead "
            "of the clock here; set the clocks of both machines",
            own.stream, hello.epoch, hello.node, believed_max)};
  }
  MutexLock lock(mutex_);
  if (reassembler_.position_for(hello.epoch, hello.first_retained)) return std::nullopt;
  return wire::Refusal{
      wire::RefusalCode::epoch,
      fmt::format("stream \"{}\": a newer sender (epoch {}) has taken over from epoch {}",
                  own.stream, reassembler_.ack().epoch, hello.epoch)};
}

wire::Welcome ReceiverCore::welcome(const wire::Hello& hello) const {
  wire::Welcome welcome;
  welcome.software = version();
  welcome.node = context_.node;
  welcome.instance = instance_;
  welcome.nonce = wire::random_nonce();
  MutexLock lock(mutex_);
  const auto position =
      reassembler_.position_for(hello.epoch, hello.first_retained).value_or(wire::Ack{});
  welcome.next_frame = position.released;
  welcome.credit_limit = position.credit_limit;
  return welcome;
}

void ReceiverCore::admit(const wire::Hello& hello, const MakeIncomingLink& make) {
  // A newer sender may have come between the Welcome and the Proof.
  if (is_shut_down_ || objection(hello)) return;
  begin_epoch(hello);
  const std::size_t index = hello.link_index;
  // A second link with this index: the sender has given up the first one, unnoticed here.
  drop_link(index, wire::GoodbyeReason::replaced, "another connection has taken this link's place");
  std::shared_ptr<LinkStats> stats;
  {
    MutexLock lock(mutex_);
    if (!stats_[index])
      stats_[index] = std::make_shared<LinkStats>(hello.link_index, context_.now());
    stats = stats_[index];
    peer_ = hello.node;
  }
  stats->connections.fetch_add(1, std::memory_order_relaxed);
  links_[index] = make(stats);
  stats->set_state(telemetry::LinkState::open, "");
  const auto link = links_[index];  // begin() may lose the link at once
  link->begin();
}

// Otherwise acknowledgements could leave by another card.
void ReceiverCore::bind_to_card(int socket, const LinkPath& path) {
  const auto bound = bind_where_needed(socket, path, context_.cards);
  if (bound) return;
  context_.events.report(Severity::note, "bind", fmt::format("stream {}", options_.stream),
                         bound.error().message);
}

void ReceiverCore::begin_epoch(const wire::Hello& hello) {
  const auto current = ack().epoch;
  if (hello.epoch != current) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      drop_link(i, wire::GoodbyeReason::replaced, "a newer sender has taken over");
    }
  }
  std::uint64_t lost = 0;
  {
    MutexLock lock(mutex_);
    if (hello.epoch != current) stats_.fill(nullptr);
    lost = reassembler_.frames_lost();
    const auto ended = reassembler_.begin_epoch(hello.epoch, hello.first_retained);
    if (ended) ended_.add(reading_of(*ended));
    lost = reassembler_.frames_lost() - lost;
  }
  ready_.notify_all();
  if (lost == 0) return;
  context_.events.report(Severity::fault, "gap", about(hello.link_index),
                         fmt::format("{} frames before {} can never come: node {} has them no more",
                                     lost, hello.first_retained.value, hello.node));
}

// Called on net by links.

std::uint32_t ReceiverCore::pixels_due(std::size_t link) const {
  MutexLock lock(mutex_);
  return reassembler_.pixels_due(link);
}

std::span<std::uint8_t> ReceiverCore::room(std::size_t link) {
  MutexLock lock(mutex_);
  return reassembler_.room(link);
}

Result<void> ReceiverCore::begin_stripe(std::size_t link, const wire::StripeHeader& stripe) {
  trace_.note(telemetry::TraceKind::received, stripe.frame, link, context_.now());
  MutexLock lock(mutex_);
  return reassembler_.begin_stripe(link, stripe);
}

void ReceiverCore::advance(std::size_t link, std::uint32_t pixels) {
  const auto now = context_.now();
  bool is_ready = false;
  {
    MutexLock lock(mutex_);
    is_ready = reassembler_.advance(link, pixels, now);
  }
  if (is_ready) ready_.notify_all();  // after the lock, so that the woken thread finds it free
}

void ReceiverCore::set_frames_lent(std::uint32_t frames) {
  MutexLock lock(mutex_);
  frames_lent_ = std::min(frames, wire::kFramesLentMax);
}

Result<void> ReceiverCore::put_whole(media::BorrowedPlace loan) {
  const auto epoch = loan.stamp.epoch;
  const auto index = loan.stamp.index;
  trace_.note(telemetry::TraceKind::received, index, 0, context_.now());
  auto frame = borrowed_.borrow(std::move(loan));
  if (!frame) return fail("loan: {} frames are out already", borrowed_.frames_out());
  bool is_ready = false;
  {
    MutexLock lock(mutex_);
    const auto is_next = reassembler_.put_whole(epoch, index, std::move(*frame), context_.now());
    SUBMIX_TRY(is_next);
    is_ready = *is_next;
  }
  if (is_ready) ready_.notify_all();
  return {};
}

wire::Ack ReceiverCore::ack() const {
  MutexLock lock(mutex_);
  auto ack = reassembler_.ack();
  ack.released_at = released_at_;
  return ack;
}

std::string ReceiverCore::about(std::size_t link) const {
  return fmt::format("stream {}, link {}", options_.stream, link);
}

std::string ReceiverCore::describe_damage(const LinkPath& path, const wire::StripeHeader& stripe,
                                          std::optional<std::uint64_t> found) const {
  const auto* card = find_address(path.from, context_.cards);
  const auto here =
      path.from + (card == nullptr ? std::string() : fmt::format(" (card {})", card->name));
  const auto difference =
      found ? fmt::format("checksum {:016x} found at {}, {:016x} expected by {}", *found, here,
                          stripe.checksum, path.to.address)
            : fmt::format("the cipher's tag is wrong at {}, sent by {}", here, path.to.address);
  return fmt::format(
      "frame {}, pixels {} to {}: {}: bits were flipped on the way{}, these pixels are sent again. "
      "Try another cable, then less work for the cards at both ends (ethtool -K CARD rx off tx off "
      "tso off gro off), then a test of both machines' memory",
      stripe.frame.value, stripe.offset_pixels, std::uint64_t{stripe.offset_pixels} + stripe.pixels,
      difference, found ? "" : ", or somebody changes them");
}

void ReceiverCore::lost(std::size_t link, const std::string& reason) {
  const auto gone = std::exchange(links_[link], nullptr);
  const auto left =
      std::count_if(links_.begin(), links_.end(), [](const auto& each) { return each != nullptr; });
  {
    MutexLock lock(mutex_);
    reassembler_.lose_link(link);
    if (stats_[link]) stats_[link]->set_state(telemetry::LinkState::connecting, reason);
  }
  context_.events.report(
      Severity::warning, "lost", about(link),
      fmt::format("from {}: {}: link closed, {} left", gone ? gone->peer() : "?", reason, left));
}

void ReceiverCore::said_goodbye(std::size_t link, const std::string& text) {
  const auto gone = std::exchange(links_[link], nullptr);
  const bool has_others =
      std::any_of(links_.begin(), links_.end(), [](const auto& each) { return each != nullptr; });
  {
    MutexLock lock(mutex_);
    reassembler_.lose_link(link);
    if (stats_[link]) stats_[link]->set_state(telemetry::LinkState::connecting, text);
    if (has_others) stats_[link] = nullptr;  // the stream goes on without it
  }
  context_.events.report(Severity::note, "goodbye", fmt::format("stream {}", options_.stream),
                         text);
}

void ReceiverCore::drop_link(std::size_t index, wire::GoodbyeReason reason,
                             const std::string& text) {
  const auto link = std::exchange(links_[index], nullptr);
  if (link == nullptr) return;
  link->leave(reason, text);
  MutexLock lock(mutex_);
  reassembler_.lose_link(index);
}

void ReceiverCore::wake_links() {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto link = links_[i];  // a failing link removes itself
    if (link != nullptr) link->wake();
  }
}

void ReceiverCore::start() {
  if (is_shut_down_) return;
  wakeup_->start(shared_from_this());
  tick_timer_->set(kTick, shared_from_this());
}

// A link whose card is lost is dead, and its sender may learn of it late.
void ReceiverCore::follow_cards() {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (links_[i] == nullptr || links_[i]->path().is_local()) continue;
    const auto obstacle = obstacle_here(links_[i]->path(), context_.cards);
    if (obstacle.empty()) continue;
    std::exchange(links_[i], nullptr)->abandon();
    MutexLock lock(mutex_);
    reassembler_.lose_link(i);
    if (stats_[i]) stats_[i]->set_state(telemetry::LinkState::connecting, obstacle);
  }
}

void ReceiverCore::shut_down() {
  if (std::exchange(is_shut_down_, true)) return;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    drop_link(i, wire::GoodbyeReason::stopped, "the receiver has stopped");
  }
  wakeup_->stop();
  tick_timer_->cancel();
}

// A sender that still has a former key no longer belongs to the show. A link by shared memory
// stays: the kernel vouches that its sender is on this machine.
void ReceiverCore::close_outdated_links() {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto link = links_[i];
    if (link == nullptr || link->path().is_local()) continue;
    if (context_.keys.is_valid(link->show_key(), context_.now())) continue;
    context_.events.report(
        Severity::warning, "key", about(i),
        fmt::format("from {}: the show has a new key, its sender does not: link closed",
                    link->peer()));
    drop_link(i, wire::GoodbyeReason::stopped, "the show has a new key");
    MutexLock lock(mutex_);
    if (stats_[i])
      stats_[i]->set_state(telemetry::LinkState::connecting, "its sender lacks the show's new key");
  }
}

void ReceiverCore::tick() {
  tick_timer_->set(kTick, shared_from_this());
  close_outdated_links();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto link = links_[i];
    if (link != nullptr) link->tick();
  }
  bool is_changed = false;
  {
    MutexLock lock(mutex_);
    is_changed = reassembler_.grant_credit();
  }
  if (is_changed) wake_links();
}

}  // namespace submix::link
