// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/sender_core.hpp"

#include "common/base/version.hpp"
#include "common/link/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace submix::link {
namespace {

std::uint64_t epoch_by_wall_clock() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

SenderOptions with_epoch(SenderOptions options) {
  if (options.epoch == 0) options.epoch = epoch_by_wall_clock();
  return options;
}

}  // namespace

SenderCore::SenderCore(StreamContext& context, SenderOptions options, MakeOutgoingLink make_link)
    : context_(context),
      options_(with_epoch(std::move(options))),
      wakeup_(context.loop.make_wakeup([this] { wake_links(); })),
      trace_(context.trace, fmt::format("stream {}, sent", options_.stream)),
      tick_timer_(context.loop.make_timer([this] { tick(); })),
      plan_timer_(context.loop.make_timer([this] {
        is_plan_watched_ = false;
        wake_links();
      })),
      wake_timer_(context.loop.make_timer([this] {
        is_wake_due_ = false;
        wake_links();
      })),
      supervisor_(context, options_, *this, std::move(make_link)),
      striper_({options_.size, options_.epoch, options_.frames_max, kStripeCellsMin,
                kStripeCellsMax, options_.format}),
      waiting_(Waiting::yes, context.now()),
      offered_(options_.frames_max) {}

// Called on the patch's thread.

bool SenderCore::try_send(const media::Frame& frame, bool is_shared) {
  note_frame();
  {
    MutexLock lock(mutex_);
    if (!(is_shared ? has_credit_now() : has_room())) return false;
    offer(frame, context_.now());
    ++produced_;
  }
  wakeup_->notify();
  return true;
}

bool SenderCore::send_until(const media::Frame& frame, std::optional<LocalTime> deadline,
                            std::stop_token stop) {
  return try_send(frame) || wait_for_room(frame, deadline, std::move(stop));
}

// `net` takes the frame when there is room. So no link waits until this thread runs again.
bool SenderCore::wait_for_room(const media::Frame& frame, std::optional<LocalTime> deadline,
                               std::stop_token stop) {
  MutexLock lock(mutex_);
  waiting_frame_ = frame;
  if (take_waiting_frame()) {  // room appeared since try_send()
    wakeup_->notify();
    return true;
  }
  book_waiting(context_.now());
  const auto is_taken = [this]() SUBMIX_REQUIRES(mutex_) { return !waiting_frame_; };
  const bool is_sent = deadline ? taken_.wait_until(mutex_, stop, *deadline, is_taken)
                                : taken_.wait(mutex_, stop, is_taken);
  waiting_frame_ = {};
  book_waiting(context_.now());
  return is_sent;
}

bool SenderCore::take_waiting_frame() {
  if (!waiting_frame_ || !has_room()) return false;
  offer(std::exchange(waiting_frame_, {}), context_.now());
  ++produced_;
  return true;
}

bool SenderCore::send_latest(const media::Frame& frame, bool is_detached) {
  note_frame();
  const auto now = context_.now();
  bool is_none_skipped = true;
  {
    MutexLock lock(mutex_);
    ++produced_;
    if (has_credit_now()) {
      offer(frame, now);
    } else {
      is_none_skipped = put_in_place_of_oldest(frame, now);
    }
    if (!is_none_skipped && is_detached) ++skipped_detached_;
  }
  wakeup_->notify();
  return is_none_skipped;
}

// A frame that waits for credit is newer than all frames in the striper. It exists only while the
// links have begun all of those.
bool SenderCore::put_in_place_of_oldest(const media::Frame& frame, LocalTime at) {
  const auto oldest = newest_ ? std::nullopt : striper_.replace_oldest_unsent(frame);
  const bool is_skipping = newest_ || oldest;
  if (is_skipping) ++skipped_;
  if (!oldest) {
    newest_ = frame;
    newest_at_ = at;
    return !is_skipping;
  }
  const auto time_of = [this](std::uint64_t index) SUBMIX_REQUIRES(mutex_) -> LocalTime& {
    return offered_[index % offered_.size()];
  };
  const auto last = striper_.next_frame().value - 1;
  for (auto index = oldest->value; index < last; ++index)
    time_of(index) = time_of(index + 1);
  time_of(last) = at;
  return false;
}

void SenderCore::note_frame() {
  if (has_had_frame_.load(std::memory_order_relaxed)) return;
  has_had_frame_.store(true, std::memory_order_relaxed);
  wakeup_->notify();
}

std::uint64_t SenderCore::credits() const {
  MutexLock lock(mutex_);
  return newest_ ? 0 : striper_.credits();
}

void SenderCore::watch_credit(std::function<void()> watcher) {
  const MutexLock lock(watching_);
  watcher_ = std::move(watcher);
}

void SenderCore::tell_credit() {
  const MutexLock lock(watching_);
  if (watcher_) watcher_();
}

void SenderCore::book_waiting(LocalTime now) {
  const bool is_blocked = waiting_frame_ || !has_credit_now();
  waiting_.enter(is_blocked ? Waiting::yes : Waiting::no, now);
}

void SenderCore::offer(const media::Frame& frame, LocalTime at) {
  offered_[striper_.next_frame().value % offered_.size()] = at;
  striper_.offer(frame);
  book_waiting(at);
}

void SenderCore::offer_newest() {
  if (!newest_ || !striper_.has_credit()) return;
  offer(newest_, newest_at_);
  newest_ = {};
}

telemetry::StreamReading SenderCore::telemetry() const {
  const auto now = context_.now();
  telemetry::StreamReading reading;
  reading.stream = options_.stream;
  reading.is_sender = true;
  reading.size = options_.size;
  reading.rate = options_.rate;
  reading.epoch = options_.epoch;
  supervisor_.report(reading, now);
  MutexLock lock(mutex_);
  reading.blocked = waiting_.totals(now)[static_cast<std::size_t>(Waiting::yes)];
  reading.frames = striper_.first_retained().value;
  const auto taken = striper_.next_frame().value + (newest_ ? 1 : 0);
  reading.frames_skipped = skipped_;
  reading.frames_copied = copied_.load(std::memory_order_relaxed);
  reading.frames_produced = produced_;
  reading.frames_queued = static_cast<std::uint32_t>(taken - reading.frames);
  reading.frames_unsent = static_cast<std::uint32_t>(striper_.frames_unbegun() + (newest_ ? 1 : 0));
  reading.epochs.push_back({.epoch = options_.epoch,
                            .first_frame = 0,
                            .next_frame = striper_.next_frame().value,
                            .frames_lost = 0,
                            .frames_acknowledged = reading.frames,
                            .frames_skipped = skipped_,
                            .frames_skipped_detached = skipped_detached_});
  reading.credits = static_cast<std::uint32_t>(striper_.credits());
  reading.latency = latencies_.reading();
  reading.round_trip = peer_clock_.round_trip();
  reading.clock_offset = peer_clock_.offset().value_or(std::chrono::nanoseconds(0));
  return reading;
}

// Called on net.

void SenderCore::start() {
  if (is_shut_down_) return;
  wakeup_->start(shared_from_this());
  tick_timer_->set(kTick, shared_from_this());
}

void SenderCore::set_destination(Destination destination) {
  destination_ = std::move(destination);
  look_for_receiver();
}

void SenderCore::look_for_receiver() {
  if (!destination_ ||
      (options_.waits_for_frame && !has_had_frame_.load(std::memory_order_relaxed)))
    return;
  auto destination = std::exchange(destination_, std::nullopt);
  supervisor_.set_destination(std::move(destination->node), std::move(destination->endpoints),
                              destination->local_endpoint);
}

void SenderCore::shut_down() {
  if (std::exchange(is_shut_down_, true)) return;
  supervisor_.shut_down();
  wakeup_->stop();
  plan_timer_->cancel();
  tick_lent();
  if (lent_.empty()) tick_timer_->cancel();
}

void SenderCore::drop_lent() {
  lent_.clear();
  tick_timer_->cancel();
}

void SenderCore::prepare_socket(int socket, const LinkPath& path) {
  supervisor_.bind_to_card(socket, path);
  supervisor_.control_congestion(socket);
}

wire::Hello SenderCore::hello(std::size_t link) {
  wire::Hello hello;
  hello.software = version();
  hello.stream = options_.stream;
  hello.node = context_.node;
  hello.epoch = options_.epoch;
  hello.link_index = static_cast<std::uint8_t>(link);
  hello.link_count = static_cast<std::uint8_t>(supervisor_.count_on_wire());
  hello.format = options_.format;
  hello.size = options_.size;
  hello.rate = options_.rate;
  hello.nonce = wire::random_nonce();
  MutexLock lock(mutex_);
  hello.first_retained = striper_.first_retained();
  return hello;
}

Result<void> SenderCore::welcomed(std::size_t link, const wire::Welcome& welcome) {
  bool is_other = false;
  bool is_taken = false;
  {
    MutexLock lock(mutex_);
    is_other = striper_.instance() && striper_.instance() != welcome.instance;
    if (is_other) peer_clock_.forget();
    if (auto taken = striper_.welcome(welcome); !taken) return taken;
    offer_newest();
    is_taken = take_waiting_frame();
    book_waiting(context_.now());
  }
  tell_credit();
  // The receiver, or this run of it, has met no newer sender.
  is_superseded_.store(false, std::memory_order_relaxed);
  if (is_taken) taken_.notify_one();
  if (is_other) supervisor_.reopen_all_but(link);
  return {};
}

void SenderCore::open_link(std::size_t link) {
  MutexLock lock(mutex_);
  striper_.open_link(link);
}

void SenderCore::lose_link(std::size_t link) {
  MutexLock lock(mutex_);
  striper_.lose_link(link);
}

Result<void> SenderCore::acknowledged(const wire::Ack& ack) {
  bool is_progress = false;
  bool is_taken = false;
  bool has_work = false;
  {
    MutexLock lock(mutex_);
    const auto begin = striper_.first_retained();
    if (auto taken = striper_.acknowledge(ack); !taken) return taken;
    is_progress = begin < ack.released;
    record_latencies(begin, ack);
    offer_newest();
    is_taken = take_waiting_frame();
    book_waiting(context_.now());
    has_work = striper_.has_queued();
  }
  tell_credit();
  if (is_progress)
    trace_.note(telemetry::TraceKind::released, FrameIndex{ack.released.value - 1}, 0,
                context_.now());
  if (is_taken) taken_.notify_one();
  if (has_work) wake_links();
  return {};
}

// An acknowledgement of several frames has the time of the last one. For the frames before it this
// time is an upper bound.
void SenderCore::record_latencies(FrameIndex begin, const wire::Ack& ack) {
  const auto released_at = peer_clock_.local_time_of(ack.released_at);
  if (!released_at || ack.released_at.count() == 0) return;
  for (auto index = begin; index < ack.released; index = index.next())
    latencies_.add(*released_at - offered_[index.value % offered_.size()]);
}

void SenderCore::answered(LocalTime sent, std::chrono::nanoseconds theirs) {
  const auto now = context_.now();
  MutexLock lock(mutex_);
  peer_clock_.observe(sent, theirs, now);
}

std::optional<stream::Stripe> SenderCore::pull(std::size_t link,
                                               const stream::LinkBacklog& backlog) {
  const auto now = context_.now();
  std::optional<stream::Stripe> stripe;
  bool is_taken = false;
  {
    MutexLock lock(mutex_);
    striper_.observe(link, now, backlog);
    is_taken = take_waiting_frame();
    stripe = striper_.pull(link, now);
  }
  if (is_taken) {
    taken_.notify_one();
    wake_links_soon();
  }
  if (stripe) trace_.note(telemetry::TraceKind::sent, stripe->header.frame, link, now);
  return stripe;
}

std::optional<stream::Stripe> SenderCore::pull_whole(std::size_t link) {
  const auto now = context_.now();
  std::optional<stream::Stripe> whole;
  {
    MutexLock lock(mutex_);
    whole = striper_.pull_whole(link);
  }
  if (whole) trace_.note(telemetry::TraceKind::sent, whole->header.frame, link, now);
  return whole;
}

LinkPace SenderCore::pace(std::size_t link) const {
  MutexLock lock(mutex_);
  return {static_cast<std::uint64_t>(striper_.bytes_per_second(link)),
          static_cast<std::uint64_t>(striper_.queue_limit_bytes(link)), striper_.full(link)};
}

void SenderCore::tick_lent() {
  std::erase_if(lent_, [](const std::shared_ptr<LentFrames>& frames) {
    frames->collect();
    return frames.use_count() == 1 && frames->is_over();
  });
}

/// Wakes the other links later; the calling link is at work now.
void SenderCore::wake_links_soon() {
  if (!std::exchange(is_wake_due_, true)) wake_timer_->set(0ms, shared_from_this());
}

void SenderCore::wake_links() {
  look_for_receiver();
  supervisor_.wake();
  watch_plan();
}

/// A link that the plan left idle gets no event when another link becomes late or when its own
/// queue runs empty. So the plan is renewed by a timer.
void SenderCore::watch_plan() {
  if (is_plan_watched_ || is_shut_down_ || !observe_links()) return;
  is_plan_watched_ = true;
  plan_timer_->set(kPlanPeriod, shared_from_this());
}

bool SenderCore::observe_links() {
  const auto now = context_.now();
  MutexLock lock(mutex_);
  for (std::size_t i = 0; i < wire::kLinksMax; ++i) {
    if (auto* link = supervisor_.carrier(i)) striper_.observe(i, now, link->backlog());
  }
  return striper_.is_under_way();
}

void SenderCore::tick() {
  tick_lent();
  if (is_shut_down_ && lent_.empty()) return;
  if (!is_shut_down_) look_for_receiver();
  if (!is_shut_down_) supervisor_.tick();
  tick_timer_->set(kTick, shared_from_this());
}

}  // namespace submix::link
