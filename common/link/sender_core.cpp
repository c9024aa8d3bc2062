// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/sender_core.hpp"

#include "common/base/version.hpp"
#include "common/link/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace submix::link {
namespace {

constexpr int kQuickRetries = 10;  // one second's worth: what it takes until both nodes have read a new show

std::uint64_t epoch_by_wall_clock() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

SenderOptions with_epoch(SenderOptions options) {
  if (options.epoch == 0) options.epoch = epoch_by_wall_clock();
  return options;
}

unsigned seed() {
  const auto nonce = wire::random_nonce();
  unsigned value = 0;
  std::memcpy(&value, nonce.data(), sizeof value);
  return value;
}

}  // namespace

SenderCore::SenderCore(NetContext& context, SenderOptions options)
    : context_(context),
      options_(with_epoch(std::move(options))),
      wakeup_(context.io),
      timer_(context.io),
      random_(seed()),
      striper_({options_.size, options_.epoch, options_.frames_max, wire::kLinksMax, kStripePixels}) {}

// ---- the patch's thread
// ------------------------------------------------------------------------------------

bool SenderCore::try_send(const media::Frame& frame) {
  {
    MutexLock lock(mutex_);
    if (!striper_.has_credit()) return false;
    striper_.offer(frame);
  }
  wakeup_.notify();
  return true;
}

bool SenderCore::send(const media::Frame& frame, std::stop_token stop) {
  if (try_send(frame)) return true;
  waiting_.enter(Waiting::yes, SteadyClock().now());
  bool is_sent = false;
  {
    MutexLock lock(mutex_);
    const auto has_credit = [this]() SUBMIX_REQUIRES(mutex_) { return striper_.has_credit(); };
    is_sent = credit_.wait(mutex_, stop, has_credit) && !stop.stop_requested();
    if (is_sent) striper_.offer(frame);
  }
  waiting_.enter(Waiting::no, SteadyClock().now());
  if (is_sent) wakeup_.notify();
  return is_sent;
}

telemetry::StreamReading SenderCore::telemetry() const {
  const auto now = SteadyClock().now();
  telemetry::StreamReading reading;
  reading.stream = options_.stream;
  reading.is_sender = true;
  reading.epoch = options_.epoch;
  reading.blocked = waiting_.totals(now)[static_cast<std::size_t>(Waiting::yes)];
  MutexLock lock(mutex_);
  reading.peer = published_peer_;
  reading.frames = striper_.first_retained().value;
  reading.frames_produced = striper_.next_frame().value;
  reading.frames_queued = static_cast<std::uint32_t>(reading.frames_produced - reading.frames);
  reading.credits = static_cast<std::uint32_t>(striper_.credits());
  for (const auto& line : published_lines_)
    reading.links.push_back(line->reading(now));
  return reading;
}

// ---- net
// ---------------------------------------------------------------------------------------------------

void SenderCore::start() {
  if (is_shut_down_) return;
  wakeup_.start(shared_from_this(), [this] { wake_links(); });
  wait_for_tick();
}

void SenderCore::set_destination(std::string node, std::vector<DataEndpoint> endpoints) {
  if (is_shut_down_) return;
  const auto paths = pair_cards(context_.addresses, endpoints, options_.link_count, options_.routes);
  const bool is_same_node = node == peer_;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (is_same_node && i < paths.size() && lines_[i].path == paths[i]) continue;
    close_line(i, "the stream goes elsewhere");
  }
  peer_ = std::move(node);
  lines_.resize(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (lines_[i].link != nullptr || (lines_[i].stats && is_same_node && lines_[i].path == paths[i]))
      continue;
    lines_[i] = {paths[i], std::make_shared<LinkStats>(static_cast<std::uint32_t>(i)), nullptr, 0, 0, false};
    connect(i);
  }
  publish_lines();
}

void SenderCore::publish_lines() {
  MutexLock lock(mutex_);
  published_peer_ = peer_;
  published_lines_.clear();
  for (const auto& line : lines_)
    published_lines_.push_back(line.stats);
}

void SenderCore::connect(std::size_t index) {
  auto& line = lines_[index];
  line.link = std::make_shared<SenderLink>(shared_from_this(), index, line.path, line.stats);
  line.link->connect();
}

void SenderCore::close_line(std::size_t index, const std::string& reason) {
  const auto link = std::exchange(lines_[index].link, nullptr);
  if (link == nullptr) return;
  link->leave(wire::GoodbyeReason::stopped, reason);
  MutexLock lock(mutex_);
  striper_.lose_link(index);
}

void SenderCore::shut_down() {
  if (std::exchange(is_shut_down_, true)) return;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    close_line(i, "the sender has stopped");
  wakeup_.stop();
  timer_.cancel();
}

wire::Hello SenderCore::hello(std::size_t link) {
  wire::Hello hello;
  hello.software = version();
  hello.stream = options_.stream;
  hello.node = context_.node;
  hello.epoch = options_.epoch;
  hello.link_index = static_cast<std::uint8_t>(link);
  hello.link_count = static_cast<std::uint8_t>(lines_.size());
  hello.size = options_.size;
  hello.rate = options_.rate;
  hello.nonce = wire::random_nonce();
  MutexLock lock(mutex_);
  hello.first_retained = striper_.first_retained();
  return hello;
}

Result<void> SenderCore::welcomed(std::size_t link, const wire::Welcome& welcome) {
  bool is_other = false;
  {
    MutexLock lock(mutex_);
    is_other = striper_.instance() && striper_.instance() != welcome.instance;
    if (auto taken = striper_.welcome(welcome); !taken) return taken;
  }
  credit_.notify_all();
  if (!is_other) return {};
  for (std::size_t i = 0; i < lines_.size(); ++i) {  // these still lead to the receiver's former life
    if (i == link || lines_[i].link == nullptr || !lines_[i].link->is_open()) continue;
    close_line(i, "the receiver has restarted");
    lines_[i].ticks_to_retry = 1;
  }
  return {};
}

Result<void> SenderCore::acknowledged(const wire::Ack& ack) {
  {
    MutexLock lock(mutex_);
    if (auto taken = striper_.acknowledge(ack); !taken) return taken;
  }
  credit_.notify_all();
  wake_links();
  return {};
}

std::optional<stream::Stripe> SenderCore::pull(std::size_t link) {
  MutexLock lock(mutex_);
  return striper_.pull(link);
}

void SenderCore::opened(std::size_t link) {
  auto& line = lines_[link];
  if (std::exchange(line.is_reported, false)) {
    context_.events.report(Severity::note, "opened", fmt::format("stream {}, link {}", options_.stream, link),
                           "connected", SteadyClock().now());
  }
  line.failures = 0;
  line.stats->connections.fetch_add(1, std::memory_order_relaxed);
  line.stats->set_state(telemetry::LinkState::open, "");
}

void SenderCore::lost(std::size_t link, const std::string& reason) {
  auto& line = lines_[link];
  line.link = nullptr;
  const bool is_not_yet = last_refusal_ == wire::RefusalCode::stream;
  const auto state = last_refusal_ ? telemetry::LinkState::refused : telemetry::LinkState::connecting;
  last_refusal_.reset();
  line.stats->set_state(state, reason);
  ++line.failures;
  line.ticks_to_retry = ticks_to_retry(line.failures);
  {
    MutexLock lock(mutex_);
    striper_.lose_link(link);
  }
  wake_links();  // the others take over what it had
  // Said once when it is lost and once when it stays so; one that is only not there yet is no news at first.
  if (line.failures != kQuickRetries && (line.failures != 1 || is_not_yet)) return;
  line.is_reported = true;
  const auto left =
      std::count_if(lines_.begin(), lines_.end(), [](const Line& each) { return each.link != nullptr; });
  context_.events.report(Severity::warning, "lost", fmt::format("stream {}, link {}", options_.stream, link),
                         fmt::format("{} to {} ({}): {}; {} of {} links left, trying again", line.path.from,
                                     line.path.to.address, peer_, reason, left, lines_.size()),
                         SteadyClock().now());
}

int SenderCore::ticks_to_retry(int failures) {
  const auto doublings = std::clamp(failures - kQuickRetries, 0, 5);
  const auto pause = std::min<std::chrono::milliseconds>(kRetryFirst * (1 << doublings), kRetryMax);
  const auto ticks = static_cast<int>(pause / kTick);
  // Up to half as long again: many links that died together must not come back as one.
  return ticks + static_cast<int>(random_() % static_cast<unsigned>(ticks / 2 + 1));
}

void SenderCore::wake_links() {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const auto link = lines_[i].link;  // a failing one changes the line
    if (link != nullptr && link->is_open()) link->wake();
  }
}

void SenderCore::wait_for_tick() {
  timer_.expires_after(kTick);
  auto on_tick = [this, self = shared_from_this()](const boost::system::error_code& error) {
    if (error || is_shut_down_) return;
    tick();
    wait_for_tick();
  };
  timer_.async_wait(with_memory(timer_memory_, std::move(on_tick)));
}

void SenderCore::tick() {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (const auto link = lines_[i].link; link != nullptr) {
      link->tick();
    } else if (--lines_[i].ticks_to_retry <= 0) {
      connect(i);
    }
  }
  check_silence();
}

void SenderCore::check_silence() {
  const bool is_any_alive = std::any_of(lines_.begin(), lines_.end(), [](const Line& line) {
    return line.link != nullptr && line.link->is_open() && line.link->silent_ticks() == 0;
  });
  const int limit = is_any_alive ? kSilentTicksWithSibling : kSilentTicksAlone;
  for (const auto& line : lines_) {
    const auto link = line.link;
    if (link != nullptr && link->is_open() && link->silent_ticks() >= limit) link->give_up_silent();
  }
}

}  // namespace submix::link
