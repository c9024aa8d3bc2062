// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/sender_lines.hpp"

#include "common/link/card_checks.hpp"
#include "common/link/congestion.hpp"
#include "common/link/sender_core.hpp"
#include "common/link/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace submix::link {
namespace {

// One second, which both nodes need to read a new show.
constexpr int kQuickRetries = 10;

}  // namespace

SenderLines::SenderLines(StreamContext& context, SenderCore& core, MakeOutgoingLink make_link)
    // The epoch's nanoseconds differ between streams.
    : context_(context),
      core_(core),
      make_link_(std::move(make_link)),
      wish_{core.options().link_count, core.options().routes, core.options().is_local_allowed},
      local_path_(context.machine),
      random_(static_cast<unsigned>(core.options().epoch)) {
  local_path_.allow(wish_.is_local_allowed);
}

void SenderLines::set_destination(std::string node, std::vector<DataEndpoint> endpoints,
                                  const LocalEndpoint& local_endpoint) {
  if (is_shut_down_) return;
  if (node != peer_) {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      remove_line(i, "the stream goes elsewhere");
    attempts_.fill({});
  }
  peer_ = std::move(node);
  endpoints_ = std::move(endpoints);
  local_path_.set_endpoint(local_endpoint);
  update();
}

void SenderLines::set_links(LinkWish wish) {
  if (is_shut_down_) return;
  wish_ = std::move(wish);
  wish_.count = std::clamp<std::size_t>(wish_.count, 1, wire::kLinksMax);
  local_path_.allow(wish_.is_local_allowed);
  update();
}

void SenderLines::update() {
  if (is_shut_down_) return;
  const auto before = places();
  const auto after = place_links(before, wanted_paths(before));
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (before[i] && !(after[i] && is_same_path(*before[i], *after[i]))) {
      remove_line(i, "the stream has this link no more");
    }
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!after[i]) continue;
    if (lines_[i].stats) {
      lines_[i].path = *after[i];  // properties of the far end may have changed
    } else {
      add_line(i, *after[i]);
    }
  }
  publish();
  look_at_obstacles();
  for (std::size_t i = 0; i < lines_.size(); ++i)
    update_warning(i);
}

// Shared memory only, once it works. Until then open TCP links stay, and new ones are opened only
// when shared memory has failed.
std::vector<LinkPath> SenderLines::wanted_paths(const LinkPlaces& now) const {
  auto paths = local_path_.is_open() ? std::vector<LinkPath>() : wanted_tcp_paths(now);
  if (!local_path_.needs_tcp()) {
    std::erase_if(paths, [&](const LinkPath& path) {
      return std::none_of(now.begin(), now.end(),
                          [&](const auto& place) { return place && is_same_path(*place, path); });
    });
  }
  if (!local_path_.is_wanted()) return paths;
  paths.emplace_back();
  paths.back().local_socket = local_path_.endpoint().socket;
  return paths;
}

std::vector<LinkPath> SenderLines::wanted_tcp_paths(const LinkPlaces& now) const {
  std::vector<OwnAddress> own;
  for (const auto& address : context_.addresses)
    own.push_back({address, is_usable(address, context_.cards)});
  std::vector<LinkPath> current;
  for (const auto& path : now) {
    if (path && !path->is_local()) current.push_back(*path);
  }
  return pair_cards(own, endpoints_, wish_, current);
}

LinkPlaces SenderLines::places() const {
  LinkPlaces places;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].stats) places[i] = lines_[i].path;
  }
  return places;
}

std::size_t SenderLines::line_count() const {
  return static_cast<std::size_t>(std::count_if(
      lines_.begin(), lines_.end(), [](const Line& line) { return line.stats != nullptr; }));
}

void SenderLines::add_line(std::size_t index, const LinkPath& path) {
  auto& line = lines_[index];
  line = {};
  line.path = path;
  line.stats = std::make_shared<LinkStats>(static_cast<std::uint32_t>(index), context_.now());
  if (path.is_local()) {
    line.stats->set_ends(std::string(kSharedMemory), peer_);
  } else {
    line.stats->set_ends(path.from, path.to.address);
  }
}

void SenderLines::remove_line(std::size_t index, const std::string& reason) {
  close_line(index, reason);
  lines_[index] = {};
}

// A link whose own card is lost is closed at once, so that the other links take over. It comes back
// with the card. The state of the far card comes from its node and may be late, so such a link
// retries seldom.
void SenderLines::look_at_obstacles() {
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
  core_.wake_links();
}

void SenderLines::publish() {
  MutexLock lock(mutex_);
  published_peer_ = peer_;
  published_lines_.clear();
  for (const auto& line : lines_) {
    if (line.stats) published_lines_.push_back(line.stats);
  }
}

void SenderLines::connect_soon(std::size_t index) {
  const auto pause = attempts_[index] + kFlapPause - context_.now();
  if (pause <= LocalTime::duration::zero()) return connect(index);
  lines_[index].ticks_to_retry = static_cast<int>(pause / kTick) + 1;
}

void SenderLines::connect(std::size_t index) {
  auto& line = lines_[index];
  attempts_[index] = context_.now();
  line.link = make_link_(core_.shared_from_this(), index, line.path, line.stats);
  const auto link = line.link;  // a link that fails at once removes itself
  link->connect();
}

void SenderLines::hold_on_card(int socket, const LinkPath& path) {
  const auto held = hold_where_right(socket, path, context_.cards);
  if (!held) {
    context_.events.report(Severity::note, "hold", fmt::format("stream {}", core_.options().stream),
                           held.error().message);
  }
  for (auto& line : lines_) {
    if (line.stats && is_same_path(line.path, path)) line.is_held = held.value_or(false);
  }
}

void SenderLines::control_congestion(int descriptor) {
  const auto set = set_congestion_control(descriptor, core_.options().congestion);
  if (set || std::exchange(is_congestion_reported_, true)) return;
  context_.events.report(Severity::warning, "congestion",
                         fmt::format("stream {}", core_.options().stream), set.error().message);
}

void SenderLines::update_warning(std::size_t index) {
  const auto& line = lines_[index];
  if (!line.stats || line.has_obstacle() || line.path.is_local()) return;
  if (const auto trouble = local_path_.trouble(); !trouble.empty()) {
    static_cast<void>(line.stats->set_warning(fmt::format("not by shared memory: {}", trouble)));
    return;
  }
  const auto warning = warning_of_line(index);
  if (!line.stats->set_warning(warning) || warning.empty()) return;
  context_.events.report(Severity::warning, "path",
                         fmt::format("stream {}, link {}", core_.options().stream, index), warning);
}

std::string SenderLines::warning_of_line(std::size_t index) const {
  const auto& line = lines_[index];
  const auto* card = find_address(line.path.from, context_.cards);
  if (card == nullptr || is_of_this_machine(line.path.to.address, context_.cards)) return "";
  LinkFacts facts{
      *card, line.path.to, look_up_route(line.path.from, line.path.to.address), line.is_held, {}};
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

void SenderLines::opened(std::size_t link) {
  auto& line = lines_[link];
  if (!line.path.is_local()) core_.open_link(link);
  if (std::exchange(line.is_reported, false)) {
    context_.events.report(Severity::note, "opened",
                           fmt::format("stream {}, link {}", core_.options().stream, link),
                           "connected");
  }
  line.open_since = context_.now();
  if (!line.is_suspect) line.failures = 0;
  line.stats->connections.fetch_add(1, std::memory_order_relaxed);
  line.stats->set_state(telemetry::LinkState::open, "");
  if (line.has_obstacle()) {  // a connected card is up, whatever its node said
    line.obstacle = "";
    for (auto& endpoint : endpoints_)
      endpoint.is_up = endpoint.is_up || endpoint.address == line.path.to.address;
    line.path.to.is_up = true;
  }
  update_warning(link);
  if (!line.path.is_local()) return;
  local_path_.opened();
  update();
}

void SenderLines::refused(wire::RefusalCode code) {
  last_refusal_ = code;
  // The successor has another format. The receiver uses it already and accepts no frame of this
  // sender any more.
  const bool is_outlived = code == wire::RefusalCode::shape && expects_successor_;
  if (code == wire::RefusalCode::epoch || is_outlived) core_.supersede();
}

void SenderLines::lost(std::size_t link, const std::string& reason) {
  auto& line = lines_[link];
  line.link = nullptr;
  // The receiver's node does not have the show, or the show's new format, yet.
  const bool is_not_yet =
      last_refusal_ == wire::RefusalCode::stream || last_refusal_ == wire::RefusalCode::shape;
  const bool is_refused = last_refusal_.has_value();
  const auto state = is_refused ? telemetry::LinkState::refused : telemetry::LinkState::connecting;
  last_refusal_.reset();
  line.stats->set_state(state, line.has_obstacle() ? *line.obstacle : reason);
  count_failure(line);
  line.ticks_to_retry =
      line.has_obstacle() ? static_cast<int>(kRetryMax / kTick) : ticks_to_retry(line.failures);
  core_.lose_link(link);
  if (line.path.is_local()) return lost_local(reason, !is_refused);
  core_.wake_links();  // the other links take over
  // A loss is reported at once, and again when it lasts. A receiver that is not ready yet is no
  // news at first. A lost card has its own event.
  if (line.has_obstacle() || expects_successor_) return;
  if (line.failures == kQuickRetries || (line.failures == 1 && !is_not_yet))
    report_loss(link, reason);
}

// A link that damages its bytes connects like any other. Only time shows that it works again.
void SenderLines::count_failure(Line& line) {
  const auto open_since = std::exchange(line.open_since, std::nullopt);
  if (line.is_suspect && open_since && context_.now() - *open_since >= kSuspectTime) {
    line.is_suspect = false;
    line.failures = 0;
  }
  ++line.failures;
}

void SenderLines::report_loss(std::size_t index, const std::string& reason) {
  auto& line = lines_[index];
  line.is_reported = true;
  const auto left = std::count_if(lines_.begin(), lines_.end(),
                                  [](const Line& each) { return each.link != nullptr; });
  context_.events.report(
      Severity::warning, "lost", fmt::format("stream {}, link {}", core_.options().stream, index),
      fmt::format("{} to {} ({}): {}; {} of {} links left, trying again", line.path.from,
                  line.path.to.address, peer_, reason, left, line_count()));
}

void SenderLines::lost_local(const std::string& reason, bool is_local_fault) {
  const bool was_trusted = !local_path_.needs_tcp();
  local_path_.lost(reason, is_local_fault);
  if (is_local_fault && was_trusted) {
    context_.events.report(
        Severity::note, "local", fmt::format("stream {}", core_.options().stream),
        fmt::format("shared memory with {}: {}; {}", peer_, reason,
                    local_path_.needs_tcp() ? "by TCP meanwhile" : "trying again"));
  }
  update();
}

int SenderLines::ticks_to_retry(int failures) {
  const auto doublings = std::clamp(failures - kQuickRetries, 0, 5);
  const auto pause = std::min<std::chrono::milliseconds>(kRetryFirst * (1 << doublings), kRetryMax);
  const auto ticks = static_cast<int>(pause / kTick);
  // Up to half as long again, so that links that failed together do not all return at once.
  return ticks + static_cast<int>(random_() % static_cast<unsigned>(ticks / 2 + 1));
}

void SenderLines::tick() {
  if (local_path_.tick()) update();
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

void SenderLines::check_silence() {
  const bool is_any_alive = std::any_of(lines_.begin(), lines_.end(), [](const Line& line) {
    return line.link != nullptr && line.link->is_open() && line.link->silent_ticks() == 0;
  });
  const int limit = is_any_alive ? kSilentTicksWithSibling : kSilentTicksAlone;
  for (const auto& line : lines_) {
    const auto link = line.link;
    if (link != nullptr && link->is_open() && link->silent_ticks() >= limit) link->give_up_silent();
  }
}

void SenderLines::close_line(std::size_t index, const std::string& reason) {
  const auto link = std::exchange(lines_[index].link, nullptr);
  if (link == nullptr) return;
  link->leave(wire::GoodbyeReason::stopped, reason);
  core_.lose_link(index);
}

// Drops the kernel's unsent bytes. Otherwise the kernel would send them again and again, and first
// of all when the card is back.
void SenderLines::abandon_line(std::size_t index) {
  const auto link = std::exchange(lines_[index].link, nullptr);
  if (link == nullptr) return;
  link->abandon();
  core_.lose_link(index);
}

void SenderLines::shut_down() {
  is_shut_down_ = true;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    close_line(i, "the sender has stopped");
}

void SenderLines::wake() {
  for (const auto& line : lines_) {
    const auto link = line.link;  // a failing link removes itself
    if (link != nullptr && link->is_open()) link->wake();
  }
}

OutgoingLink* SenderLines::carrier(std::size_t index) {
  const auto& line = lines_[index];
  return line.is_open() && !line.path.is_local() ? line.link.get() : nullptr;
}

void SenderLines::reopen_all_but(std::size_t link) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (i == link || !lines_[i].is_open()) continue;
    close_line(i, "the receiver has restarted");
    lines_[i].ticks_to_retry = 1;
  }
}

std::size_t SenderLines::count_on_wire() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].stats) count = i + 1;
  }
  return count;
}

void SenderLines::report(telemetry::StreamReading& reading, LocalTime now) const {
  MutexLock lock(mutex_);
  reading.peer = published_peer_;
  for (const auto& line : published_lines_)
    reading.links.push_back(line->reading(now));
}

}  // namespace submix::link
