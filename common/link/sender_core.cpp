// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/sender_core.hpp"

#include "common/base/version.hpp"
#include "common/link/card_checks.hpp"
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
      plan_timer_(context.io),
      wish_{options_.link_count, options_.routes, options_.is_local_allowed},
      local_way_(context.machine),
      random_(seed()),
      striper_({options_.size, options_.epoch, options_.frames_max, kStripeCellsMin, kStripeCellsMax}),
      offered_(options_.frames_max) {
  local_way_.allow(wish_.is_local_allowed);
}

// ---- the patch's thread
// ------------------------------------------------------------------------------------

bool SenderCore::try_send(const media::Frame& frame) {
  {
    MutexLock lock(mutex_);
    if (!has_room()) return false;
    offer(frame, SteadyClock().now());
  }
  wakeup_.notify();
  return true;
}

bool SenderCore::send_until(const media::Frame& frame, std::optional<LocalTime> deadline,
                            std::stop_token stop) {
  if (try_send(frame)) return true;
  waiting_.enter(Waiting::yes, SteadyClock().now());
  bool is_sent = false;
  {
    MutexLock lock(mutex_);
    const auto is_ready = [this]() SUBMIX_REQUIRES(mutex_) { return has_room(); };
    is_sent = deadline ? credit_.wait_until(mutex_, stop, *deadline, is_ready)
                       : credit_.wait(mutex_, stop, is_ready);
    is_sent = is_sent && !stop.stop_requested();
    if (is_sent) offer(frame, SteadyClock().now());
  }
  waiting_.enter(Waiting::no, SteadyClock().now());
  if (is_sent) wakeup_.notify();
  return is_sent;
}

bool SenderCore::send_latest(const media::Frame& frame) {
  const auto now = SteadyClock().now();
  bool is_none_skipped = true;
  {
    MutexLock lock(mutex_);
    if (has_room()) {
      offer(frame, now);
    } else {
      is_none_skipped = put_in_place_of_oldest(frame, now);
    }
  }
  wakeup_.notify();
  return is_none_skipped;
}

// What waits for credit came after all that the striper has, so it is only there while the links have begun
// with all of that.
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

bool SenderCore::has_credit() const {
  MutexLock lock(mutex_);
  return has_room();
}

void SenderCore::offer(const media::Frame& frame, LocalTime at) {
  offered_[striper_.next_frame().value % offered_.size()] = at;
  striper_.offer(frame);
}

void SenderCore::offer_newest() {
  if (!newest_ || !striper_.has_credit()) return;
  offer(newest_, newest_at_);
  newest_ = {};
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
  const auto taken = striper_.next_frame().value + (newest_ ? 1 : 0);
  reading.frames_skipped = skipped_;
  reading.frames_copied = copied_.load(std::memory_order_relaxed);
  reading.frames_produced = taken + skipped_;
  reading.frames_queued = static_cast<std::uint32_t>(taken - reading.frames);
  reading.credits = static_cast<std::uint32_t>(striper_.credits());
  reading.latency = latencies_.reading();
  reading.round_trip = peer_clock_.round_trip();
  reading.clock_offset = peer_clock_.offset().value_or(std::chrono::nanoseconds(0));
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

void SenderCore::set_destination(std::string node, std::vector<DataEndpoint> endpoints,
                                 const LocalDoor& door) {
  if (is_shut_down_) return;
  if (node != peer_) {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      remove_line(i, "the stream goes elsewhere");
    attempts_.fill({});
  }
  peer_ = std::move(node);
  endpoints_ = std::move(endpoints);
  local_way_.set_door(door);
  update_lines();
}

void SenderCore::set_links(LinkWish wish) {
  if (is_shut_down_) return;
  wish_ = std::move(wish);
  wish_.count = std::clamp<std::size_t>(wish_.count, 1, wire::kLinksMax);
  local_way_.allow(wish_.is_local_allowed);
  update_lines();
}

void SenderCore::follow_cards() {
  if (!is_shut_down_) update_lines();
}

void SenderCore::update_lines() {
  const auto before = places();
  const auto after = place_links(before, wanted_paths(before));
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (before[i] && !(after[i] && is_same_way(*before[i], *after[i]))) {
      remove_line(i, "the stream has this link no more");
    }
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!after[i]) continue;
    if (lines_[i].stats) {
      lines_[i].path = *after[i];  // what is known of the far end may have changed
    } else {
      add_line(i, *after[i]);
    }
  }
  publish_lines();
  look_at_obstacles();
  for (std::size_t i = 0; i < lines_.size(); ++i)
    check_way(i);
}

// By shared memory alone, once that works. Until then links by TCP that are there stay, and none is opened
// unless shared memory has failed.
std::vector<LinkPath> SenderCore::wanted_paths(const LinkPlaces& now) const {
  auto paths = local_way_.is_open() ? std::vector<LinkPath>() : wanted_tcp_paths(now);
  if (!local_way_.needs_others()) {
    std::erase_if(paths, [&](const LinkPath& path) {
      return std::none_of(now.begin(), now.end(),
                          [&](const auto& place) { return place && is_same_way(*place, path); });
    });
  }
  if (!local_way_.is_wanted()) return paths;
  paths.emplace_back();
  paths.back().local_socket = local_way_.door().socket;
  return paths;
}

std::vector<LinkPath> SenderCore::wanted_tcp_paths(const LinkPlaces& now) const {
  std::vector<OwnAddress> own;
  for (const auto& address : context_.addresses)
    own.push_back({address, is_usable(address, context_.cards)});
  std::vector<LinkPath> current;
  for (const auto& path : now) {
    if (path && !path->is_local()) current.push_back(*path);
  }
  return pair_cards(own, endpoints_, wish_, current);
}

LinkPlaces SenderCore::places() const {
  LinkPlaces places;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].stats) places[i] = lines_[i].path;
  }
  return places;
}

std::size_t SenderCore::line_count() const {
  return static_cast<std::size_t>(
      std::count_if(lines_.begin(), lines_.end(), [](const Line& line) { return line.stats != nullptr; }));
}

void SenderCore::add_line(std::size_t index, const LinkPath& path) {
  auto& line = lines_[index];
  line = {};
  line.path = path;
  line.stats = std::make_shared<LinkStats>(static_cast<std::uint32_t>(index));
  if (path.is_local()) {
    line.stats->set_ends(std::string(kSharedMemory), peer_);
  } else {
    line.stats->set_ends(path.from, path.to.address);
  }
}

void SenderCore::remove_line(std::size_t index, const std::string& reason) {
  close_line(index, reason);
  lines_[index] = {};
}

// A link whose card is lost is closed at once, so that the others take over what it has; it comes back with
// the card. Of the far end only its node's word is known, which may be late: such a link tries on, seldom.
void SenderCore::look_at_obstacles() {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    auto& line = lines_[i];
    if (!line.stats) continue;
    const auto here = line.path.is_local() ? "" : obstacle_here(line.path, context_.cards);
    const auto obstacle = line.path.is_local() ? ""
                          : here.empty()       ? obstacle_there(line.path, context_.cards, peer_)
                                               : here;
    line.is_parked = !here.empty();
    if (obstacle == line.obstacle) continue;
    line.obstacle = obstacle;
    if (obstacle.empty()) {
      line.failures = 0;
      if (line.link == nullptr) connect_soon(i);
      continue;
    }
    abandon_line(i);
    line.stats->set_state(telemetry::LinkState::connecting, obstacle);
    line.ticks_to_retry = static_cast<int>(kRetryMax / kTick);
  }
  wake_links();
}

void SenderCore::publish_lines() {
  MutexLock lock(mutex_);
  published_peer_ = peer_;
  published_lines_.clear();
  for (const auto& line : lines_) {
    if (line.stats) published_lines_.push_back(line.stats);
  }
}

void SenderCore::connect_soon(std::size_t index) {
  const auto pause = attempts_[index] + kFlapPause - SteadyClock().now();
  if (pause <= LocalTime::duration::zero()) return connect(index);
  lines_[index].ticks_to_retry = static_cast<int>(pause / kTick) + 1;
}

void SenderCore::connect(std::size_t index) {
  auto& line = lines_[index];
  attempts_[index] = SteadyClock().now();
  line.link = std::make_shared<SenderLink>(shared_from_this(), index, line.path, line.stats);
  const auto link = line.link;  // one that fails at once leaves its line
  link->connect();
}

void SenderCore::hold_on_card(int socket, const LinkPath& path) {
  const auto way = look_up_way(path.from, path.to.address);
  const bool is_wished = is_to_be_held(path, context_.cards, way);
  Result<void> held;
  if (is_wished) held = link::hold_on_card(socket, find_address(path.from, context_.cards)->name);
  if (!held) {
    context_.events.report(Severity::note, "hold", fmt::format("stream {}", options_.stream),
                           held.error().message + "; the routing table chooses", SteadyClock().now());
  }
  for (auto& line : lines_) {
    if (line.stats && is_same_way(line.path, path)) line.is_held = is_wished && held;
  }
}

void SenderCore::check_way(std::size_t index) {
  const auto& line = lines_[index];
  if (!line.stats || line.has_obstacle() || line.path.is_local()) return;
  if (const auto trouble = local_way_.trouble(); !trouble.empty()) {
    static_cast<void>(line.stats->set_warning(fmt::format("not by shared memory: {}", trouble)));
    return;
  }
  const auto warning = warning_of_line(index);
  if (!line.stats->set_warning(warning) || warning.empty()) return;
  context_.events.report(Severity::warning, "way", fmt::format("stream {}, link {}", options_.stream, index),
                         warning, SteadyClock().now());
}

std::string SenderCore::warning_of_line(std::size_t index) const {
  const auto& line = lines_[index];
  const auto* card = find_address(line.path.from, context_.cards);
  if (card == nullptr || is_of_this_machine(line.path.to.address, context_.cards)) return "";
  LinkFacts facts{*card, line.path.to, look_up_way(line.path.from, line.path.to.address), line.is_held, {}};
  const auto speed = speed_of(card->name);
  facts.card.speed_mbit = speed.now_mbit;
  facts.card.speed_max_mbit = speed.max_mbit;
  for (std::size_t i = 0; i < index; ++i) {
    if (!lines_[i].stats) continue;
    const auto* other = find_address(lines_[i].path.from, context_.cards);
    if (other != nullptr && other->name == card->name) facts.companions.push_back(i);
  }
  return warning_of(facts);
}

void SenderCore::close_line(std::size_t index, const std::string& reason) {
  const auto link = std::exchange(lines_[index].link, nullptr);
  if (link == nullptr) return;
  link->leave(wire::GoodbyeReason::stopped, reason);
  MutexLock lock(mutex_);
  striper_.lose_link(index);
}

// What the kernel still had to send would be tried again and again, and be first once the card is back.
void SenderCore::abandon_line(std::size_t index) {
  const auto link = std::exchange(lines_[index].link, nullptr);
  if (link == nullptr) return;
  link->abandon();
  MutexLock lock(mutex_);
  striper_.lose_link(index);
}

void SenderCore::shut_down() {
  if (std::exchange(is_shut_down_, true)) return;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    close_line(i, "the sender has stopped");
  wakeup_.stop();
  plan_timer_.cancel();
  tick_lent();
  if (lent_.empty()) timer_.cancel();
}

void SenderCore::give_up_lent() {
  lent_.clear();
  timer_.cancel();
}

wire::Hello SenderCore::hello(std::size_t link) {
  wire::Hello hello;
  hello.software = version();
  hello.stream = options_.stream;
  hello.node = context_.node;
  hello.epoch = options_.epoch;
  hello.link_index = static_cast<std::uint8_t>(link);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].stats) hello.link_count = static_cast<std::uint8_t>(i + 1);
  }
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
    if (is_other) peer_clock_.forget();
    if (auto taken = striper_.welcome(welcome); !taken) return taken;
    offer_newest();
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
    const auto begin = striper_.first_retained();
    if (auto taken = striper_.acknowledge(ack); !taken) return taken;
    record_latencies(begin, ack);
    offer_newest();
  }
  credit_.notify_all();
  wake_links();
  return {};
}

// Of several frames in one acknowledgement the last one's time is known; for those before it that is an upper
// bound.
void SenderCore::record_latencies(FrameIndex begin, const wire::Ack& ack) {
  const auto released_at = peer_clock_.local_time_of(ack.released_at);
  if (!released_at || ack.released_at.count() == 0) return;
  for (auto index = begin; index < ack.released; index = index.next())
    latencies_.add(*released_at - offered_[index.value % offered_.size()]);
}

void SenderCore::answered(LocalTime sent, std::chrono::nanoseconds theirs) {
  const auto now = SteadyClock().now();
  MutexLock lock(mutex_);
  peer_clock_.observe(sent, theirs, now);
}

std::optional<stream::Stripe> SenderCore::pull(std::size_t link, const stream::LinkBacklog& backlog) {
  const auto now = SteadyClock().now();
  MutexLock lock(mutex_);
  striper_.observe(link, now, backlog);
  return striper_.pull(link, now);
}

std::optional<stream::Stripe> SenderCore::pull_whole(std::size_t link) {
  MutexLock lock(mutex_);
  return striper_.pull_whole(link);
}

LinkPace SenderCore::pace(std::size_t link) const {
  MutexLock lock(mutex_);
  return {static_cast<std::uint64_t>(striper_.bytes_per_second(link)),
          static_cast<std::uint64_t>(striper_.queue_limit_bytes(link))};
}

void SenderCore::control_congestion(int descriptor) {
  const auto set = set_congestion_control(descriptor, options_.congestion);
  if (set || std::exchange(is_congestion_reported_, true)) return;
  context_.events.report(Severity::warning, "congestion", fmt::format("stream {}", options_.stream),
                         set.error().message, SteadyClock().now());
}

void SenderCore::opened(std::size_t link) {
  auto& line = lines_[link];
  if (!line.path.is_local()) {
    MutexLock lock(mutex_);
    striper_.open_link(link);
  }
  if (std::exchange(line.is_reported, false)) {
    context_.events.report(Severity::note, "opened", fmt::format("stream {}, link {}", options_.stream, link),
                           "connected", SteadyClock().now());
  }
  line.failures = 0;
  line.stats->connections.fetch_add(1, std::memory_order_relaxed);
  line.stats->set_state(telemetry::LinkState::open, "");
  if (line.has_obstacle()) {  // what connects is up, whatever its node said
    line.obstacle = "";
    for (auto& endpoint : endpoints_)
      endpoint.is_up = endpoint.is_up || endpoint.address == line.path.to.address;
    line.path.to.is_up = true;
  }
  check_way(link);
  if (!line.path.is_local()) return;
  local_way_.opened();
  update_lines();
}

void SenderCore::lost(std::size_t link, const std::string& reason) {
  auto& line = lines_[link];
  line.link = nullptr;
  const bool is_not_yet = last_refusal_ == wire::RefusalCode::stream;
  const bool is_refused = last_refusal_.has_value();
  const auto state = is_refused ? telemetry::LinkState::refused : telemetry::LinkState::connecting;
  last_refusal_.reset();
  line.stats->set_state(state, line.has_obstacle() ? *line.obstacle : reason);
  ++line.failures;
  line.ticks_to_retry =
      line.has_obstacle() ? static_cast<int>(kRetryMax / kTick) : ticks_to_retry(line.failures);
  {
    MutexLock lock(mutex_);
    striper_.lose_link(link);
  }
  if (line.path.is_local()) return lost_local(reason, !is_refused);
  wake_links();  // the others take over what it had
  // Said once when it is lost and once when it stays so; one that is only not there yet is no news at first,
  // and of a lost card its own event tells.
  if (line.has_obstacle()) return;
  if (line.failures != kQuickRetries && (line.failures != 1 || is_not_yet)) return;
  line.is_reported = true;
  const auto left =
      std::count_if(lines_.begin(), lines_.end(), [](const Line& each) { return each.link != nullptr; });
  context_.events.report(Severity::warning, "lost", fmt::format("stream {}, link {}", options_.stream, link),
                         fmt::format("{} to {} ({}): {}; {} of {} links left, trying again", line.path.from,
                                     line.path.to.address, peer_, reason, left, line_count()),
                         SteadyClock().now());
}

void SenderCore::lost_local(const std::string& reason, bool is_its_fault) {
  const bool was_trusted = !local_way_.needs_others();
  local_way_.lost(reason, is_its_fault);
  if (is_its_fault && was_trusted) {
    context_.events.report(Severity::note, "local", fmt::format("stream {}", options_.stream),
                           fmt::format("shared memory with {}: {}; {}", peer_, reason,
                                       local_way_.needs_others() ? "by TCP meanwhile" : "trying again"),
                           SteadyClock().now());
  }
  update_lines();
}

void SenderCore::tick_lent() {
  std::erase_if(lent_, [](const std::shared_ptr<LentFrames>& frames) {
    frames->collect();
    return frames.use_count() == 1 && frames->is_over();
  });
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
  watch_plan();
}

/// A link that was left idle by the plan hears of nothing: neither of another one that is late, nor of its
/// own queue running empty.
void SenderCore::watch_plan() {
  if (is_plan_watched_ || is_shut_down_ || !observe_links()) return;
  is_plan_watched_ = true;
  plan_timer_.expires_after(kPlanPeriod);
  auto on_look = [this, self = shared_from_this()](const boost::system::error_code& error) {
    is_plan_watched_ = false;
    if (!error) wake_links();
  };
  plan_timer_.async_wait(with_memory(plan_memory_, std::move(on_look)));
}

bool SenderCore::observe_links() {
  const auto now = SteadyClock().now();
  MutexLock lock(mutex_);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const auto& link = lines_[i].link;
    if (link == nullptr || !link->is_open() || lines_[i].path.is_local()) continue;
    striper_.observe(i, now, link->backlog());
  }
  return striper_.is_under_way();
}

void SenderCore::wait_for_tick() {
  timer_.expires_after(kTick);
  auto on_tick = [this, self = shared_from_this()](const boost::system::error_code& error) {
    if (error) return;
    tick_lent();
    if (is_shut_down_ && lent_.empty()) return;
    if (!is_shut_down_) tick();
    wait_for_tick();
  };
  timer_.async_wait(with_memory(timer_memory_, std::move(on_tick)));
}

void SenderCore::tick() {
  if (local_way_.tick()) update_lines();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    auto& line = lines_[i];
    if (const auto link = line.link; link != nullptr) {
      link->tick();
    } else if (line.stats && !line.is_parked && --line.ticks_to_retry <= 0) {
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
