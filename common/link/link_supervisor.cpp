// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/link_supervisor.hpp"

#include "common/link/cards/card_checks.hpp"
#include "common/link/congestion.hpp"
#include "common/link/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace submix::link {
namespace {

// One second, which both nodes need to read a new show.
constexpr int kQuickRetries = 10;
// A link that takes longer to connect anew does not keep the others on the former key.
constexpr auto kRenewalPatience = 200ms;

}  // namespace

LinkSupervisor::LinkSupervisor(StreamContext& context, const SenderOptions& options, Client& client,
                               MakeOutgoingLink make_link)
    : context_(context),
      options_(options),
      client_(client),
      make_link_(std::move(make_link)),
      setup_(options.links),
      local_path_(context.machine),
      // Epochs differ, so streams do not retry in step.
      random_(static_cast<unsigned>(options.epoch)) {
  local_path_.allow(setup_.is_local_allowed);
}

void LinkSupervisor::set_destination(std::string node, std::vector<DataEndpoint> endpoints,
                                     const LocalEndpoint& local_endpoint) {
  if (is_shut_down_) return;
  if (node != peer_) {
    for (std::size_t i = 0; i < slots_.size(); ++i)
      remove_slot(i, "the stream goes elsewhere");
    attempts_.fill({});
  }
  peer_ = std::move(node);
  endpoints_ = std::move(endpoints);
  local_path_.set_endpoint(local_endpoint);
  update();
}

void LinkSupervisor::set_links(LinkSetup setup) {
  if (is_shut_down_) return;
  setup_ = std::move(setup);
  setup_.count = std::clamp<std::size_t>(setup_.count, 1, wire::kLinksMax);
  local_path_.allow(setup_.is_local_allowed);
  update();
}

void LinkSupervisor::update() {
  if (is_shut_down_) return;
  const auto before = paths();
  const auto after = assign_slots(before, wanted_paths(before));
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (before[i] && !(after[i] && is_same_path(*before[i], *after[i]))) {
      remove_slot(i, "the stream has this link no more");
    }
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!after[i]) continue;
    if (slots_[i].stats) {
      slots_[i].path = *after[i];  // properties of the far end may have changed
    } else {
      add_slot(i, *after[i]);
    }
  }
  publish();
  update_obstacles();
  for (std::size_t i = 0; i < slots_.size(); ++i)
    update_warning(i);
}

// Shared memory only, once it works. Until then open TCP links stay, and new ones are opened only
// when shared memory has failed.
std::vector<LinkPath> LinkSupervisor::wanted_paths(const PathTable& now) const {
  auto paths = local_path_.is_open() ? std::vector<LinkPath>() : wanted_tcp_paths(now);
  if (!local_path_.needs_tcp()) {
    std::erase_if(paths, [&](const LinkPath& path) {
      return std::none_of(now.begin(), now.end(),
                          [&](const auto& known) { return known && is_same_path(*known, path); });
    });
  }
  if (!local_path_.is_wanted()) return paths;
  paths.emplace_back();
  paths.back().local_socket = local_path_.endpoint().socket;
  return paths;
}

std::vector<LinkPath> LinkSupervisor::wanted_tcp_paths(const PathTable& now) const {
  std::vector<OwnAddress> own;
  for (const auto& address : context_.addresses)
    own.push_back({address, is_usable(address, context_.cards)});
  std::vector<LinkPath> current;
  for (const auto& path : now) {
    if (path && !path->is_local()) current.push_back(*path);
  }
  return pair_cards(own, endpoints_, setup_, current);
}

PathTable LinkSupervisor::paths() const {
  PathTable table;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].stats) table[i] = slots_[i].path;
  }
  return table;
}

std::size_t LinkSupervisor::slot_count() const {
  return static_cast<std::size_t>(std::count_if(
      slots_.begin(), slots_.end(), [](const LinkSlot& slot) { return slot.stats != nullptr; }));
}

void LinkSupervisor::add_slot(std::size_t index, const LinkPath& path) {
  auto& slot = slots_[index];
  slot = {};
  slot.path = path;
  slot.stats = std::make_shared<LinkStats>(static_cast<std::uint32_t>(index), context_.now());
  if (path.is_local()) {
    slot.stats->set_ends(std::string(telemetry::kSharedMemory), peer_);
  } else {
    slot.stats->set_ends(path.from, path.to.address);
  }
}

void LinkSupervisor::remove_slot(std::size_t index, const std::string& reason) {
  close_slot(index, reason);
  slots_[index] = {};
}

// A link whose own card is lost is closed at once, so that the other links take over. It comes back
// with the card. The state of the far card comes from its node and may be late, so such a link
// retries seldom.
void LinkSupervisor::update_obstacles() {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    auto& slot = slots_[i];
    if (!slot.stats) continue;
    const auto here = slot.path.is_local() ? "" : obstacle_here(slot.path, context_.cards);
    const auto obstacle = slot.path.is_local() ? ""
                          : here.empty()       ? obstacle_there(slot.path, context_.cards, peer_)
                                               : here;
    slot.is_parked = !here.empty();
    if (obstacle == slot.obstacle) continue;
    slot.obstacle = obstacle;
    if (obstacle.empty()) {
      slot.failures = 0;
      if (slot.link == nullptr) connect_soon(i);
      continue;
    }
    abandon_slot(i);
    slot.stats->set_state(telemetry::LinkState::connecting, obstacle);
    slot.ticks_to_retry = static_cast<int>(kRetryMax / kTick);
  }
  client_.wake_links();
}

void LinkSupervisor::publish() {
  MutexLock lock(mutex_);
  published_peer_ = peer_;
  published_stats_.clear();
  for (const auto& slot : slots_) {
    if (slot.stats) published_stats_.push_back(slot.stats);
  }
}

void LinkSupervisor::connect_soon(std::size_t index) {
  const auto pause = attempts_[index] + kFlapPause - context_.now();
  if (pause <= LocalTime::duration::zero()) return connect(index);
  slots_[index].ticks_to_retry = static_cast<int>(pause / kTick) + 1;
}

void LinkSupervisor::connect(std::size_t index) {
  auto& slot = slots_[index];
  attempts_[index] = context_.now();
  slot.link = make_link_({client_.link_owner(), index, slot.path, slot.stats, peer_});
  const auto link = slot.link;  // a link that fails at once removes itself
  link->connect();
}

void LinkSupervisor::bind_to_card(int socket, const LinkPath& path) {
  const auto bound = bind_where_needed(socket, path, context_.cards);
  if (!bound) {
    context_.events.report(Severity::note, "bind", fmt::format("stream {}", options_.stream),
                           bound.error().message);
  }
  for (auto& slot : slots_) {
    if (slot.stats && is_same_path(slot.path, path)) slot.is_bound = bound.value_or(false);
  }
}

void LinkSupervisor::control_congestion(int descriptor) {
  const auto set = set_congestion_control(descriptor, options_.congestion);
  if (set || std::exchange(is_congestion_reported_, true)) return;
  context_.events.report(Severity::warning, "congestion", fmt::format("stream {}", options_.stream),
                         set.error().message);
}

void LinkSupervisor::update_warning(std::size_t index) {
  const auto& slot = slots_[index];
  if (!slot.stats || slot.has_obstacle() || slot.path.is_local()) return;
  if (const auto trouble = local_path_.trouble(); !trouble.empty()) {
    static_cast<void>(slot.stats->set_warning(fmt::format("not by shared memory: {}", trouble)));
    return;
  }
  const auto warning = warning_of_slot(index);
  if (!slot.stats->set_warning(warning) || warning.empty()) return;
  context_.events.report(Severity::warning, "path",
                         fmt::format("stream {}, link {}", options_.stream, index), warning);
}

std::string LinkSupervisor::warning_of_slot(std::size_t index) const {
  const auto& slot = slots_[index];
  const auto* card = find_address(slot.path.from, context_.cards);
  if (card == nullptr || is_of_this_machine(slot.path.to.address, context_.cards)) return "";
  LinkFacts facts{
      *card, slot.path.to, look_up_route(slot.path.from, slot.path.to.address), slot.is_bound, {}};
  const auto speed = speed_of(card->name);
  facts.card.speed_mbit = speed.now_mbit;
  facts.card.speed_max_mbit = speed.max_mbit;
  for (std::size_t i = 0; i < index; ++i) {
    if (!slots_[i].stats) continue;
    const auto* other = find_address(slots_[i].path.from, context_.cards);
    if (other != nullptr && other->name == card->name) facts.companions.push_back(i);
  }
  return warning_of(facts);
}

void LinkSupervisor::opened(std::size_t link) {
  auto& slot = slots_[link];
  if (!slot.path.is_local()) client_.open_link(link);
  if (std::exchange(slot.is_reported, false)) {
    context_.events.report(Severity::note, "opened",
                           fmt::format("stream {}, link {}", options_.stream, link), "connected");
  }
  slot.open_since = context_.now();
  if (!slot.is_suspect) slot.failures = 0;
  slot.stats->connections.fetch_add(1, std::memory_order_relaxed);
  slot.stats->set_state(telemetry::LinkState::open, "");
  if (slot.has_obstacle()) {  // a connected card is up, whatever its node said
    slot.obstacle = "";
    for (auto& endpoint : endpoints_)
      endpoint.is_up = endpoint.is_up || endpoint.address == slot.path.to.address;
    slot.path.to.is_up = true;
  }
  update_warning(link);
  if (!slot.path.is_local()) return;
  local_path_.opened();
  update();
}

void LinkSupervisor::follow_refusal(wire::RefusalCode code) {
  // The successor has another format. The receiver uses this format already and refuses this
  // sender's frames.
  const bool is_outlived = code == wire::RefusalCode::shape && expects_successor_;
  if (code == wire::RefusalCode::epoch || is_outlived) client_.supersede();
}

void LinkSupervisor::lost(std::size_t link, const LinkLoss& loss) {
  auto& slot = slots_[link];
  slot.link = nullptr;
  slot.is_suspect = slot.is_suspect || loss.is_damaged;
  if (loss.refusal) follow_refusal(*loss.refusal);
  const auto state =
      loss.refusal ? telemetry::LinkState::refused : telemetry::LinkState::connecting;
  slot.stats->set_state(state, slot.has_obstacle() ? *slot.obstacle : loss.reason);
  count_failure(slot);
  slot.ticks_to_retry =
      slot.has_obstacle() ? static_cast<int>(kRetryMax / kTick) : ticks_to_retry(slot.failures);
  client_.lose_link(link);
  if (slot.path.is_local()) return lost_local(loss.reason, !loss.refusal);

  client_.wake_links();  // the other links take over
  // A lost card has its own event, and a successor is no news.
  if (slot.has_obstacle() || expects_successor_) return;
  if (is_worth_telling(slot, loss)) report_loss(link, loss.reason);
}

// A loss is reported at once, and again when it lasts. The receiver's node may not have the show,
// or the show's new format, yet: such a refusal is no news at first.
bool LinkSupervisor::is_worth_telling(const LinkSlot& slot, const LinkLoss& loss) {
  const bool is_not_yet =
      loss.refusal == wire::RefusalCode::stream || loss.refusal == wire::RefusalCode::shape;
  return slot.failures == kQuickRetries || (slot.failures == 1 && !is_not_yet);
}

// A link that damages its bytes connects like any other. Only time shows that it works again.
void LinkSupervisor::count_failure(LinkSlot& slot) {
  const auto open_since = std::exchange(slot.open_since, std::nullopt);
  if (slot.is_suspect && open_since && context_.now() - *open_since >= kSuspectTime) {
    slot.is_suspect = false;
    slot.failures = 0;
  }
  ++slot.failures;
}

void LinkSupervisor::report_loss(std::size_t index, const std::string& reason) {
  auto& slot = slots_[index];
  slot.is_reported = true;
  const auto left = std::count_if(slots_.begin(), slots_.end(),
                                  [](const LinkSlot& each) { return each.link != nullptr; });
  context_.events.report(
      Severity::warning, "lost", fmt::format("stream {}, link {}", options_.stream, index),
      fmt::format("{} to {} ({}): {}; {} of {} links left, trying again", slot.path.from,
                  slot.path.to.address, peer_, reason, left, slot_count()));
}

void LinkSupervisor::lost_local(const std::string& reason, bool is_local_fault) {
  const bool was_trusted = !local_path_.needs_tcp();
  local_path_.lost(reason, is_local_fault);
  if (is_local_fault && was_trusted) {
    context_.events.report(
        Severity::note, "local", fmt::format("stream {}", options_.stream),
        fmt::format("shared memory with {}: {}; {}", peer_, reason,
                    local_path_.needs_tcp() ? "by TCP meanwhile" : "trying again"));
  }
  update();
}

int LinkSupervisor::ticks_to_retry(int failures) {
  const auto doublings = std::clamp(failures - kQuickRetries, 0, 5);
  const auto pause = std::min<std::chrono::milliseconds>(kRetryFirst * (1 << doublings), kRetryMax);
  const auto ticks = static_cast<int>(pause / kTick);
  // Up to half as long again, so that links that failed together do not all return at once.
  return ticks + static_cast<int>(random_() % static_cast<unsigned>(ticks / 2 + 1));
}

void LinkSupervisor::tick() {
  if (local_path_.tick()) update();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    auto& slot = slots_[i];
    if (const auto link = slot.link; link != nullptr) {
      link->tick();
    } else if (slot.stats && !slot.is_parked && --slot.ticks_to_retry <= 0) {
      connect(i);
    }
  }
  check_silence();
  renew_one();
}

// After a change of the show's key each link connects anew by the new one, one after the other: the
// others carry the stream meanwhile. Shared memory stays, see ReceiverCore::close_outdated_links().
void LinkSupervisor::renew_one() {
  const auto now = context_.now();
  std::optional<std::size_t> outdated;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const auto& slot = slots_[i];
    if (slot.link == nullptr || slot.path.is_local()) continue;
    if (!slot.link->is_open()) {
      if (now - attempts_[i] < kRenewalPatience) return;
    } else if (slot.link->show_key() != context_.keys.used() && !outdated) {
      outdated = i;
    }
  }
  if (!outdated) return;
  close_slot(*outdated, "the show has a new key: connecting anew");
  connect(*outdated);
  client_.wake_links();  // the other links take over
}

void LinkSupervisor::check_silence() {
  const bool is_any_alive = std::any_of(slots_.begin(), slots_.end(), [](const LinkSlot& slot) {
    return slot.link != nullptr && slot.link->is_open() && slot.link->silent_ticks() == 0;
  });
  const int limit = is_any_alive ? kSilentTicksWithSibling : kSilentTicksAlone;
  for (const auto& slot : slots_) {
    const auto link = slot.link;
    if (link != nullptr && link->is_open() && link->silent_ticks() >= limit) link->give_up_silent();
  }
}

void LinkSupervisor::close_slot(std::size_t index, const std::string& reason) {
  const auto link = std::exchange(slots_[index].link, nullptr);
  if (link == nullptr) return;
  link->leave(wire::GoodbyeReason::stopped, reason);
  client_.lose_link(index);
}

// Drops the kernel's unsent bytes. Otherwise the kernel would send them again and again, and first
// of all when the card is back.
void LinkSupervisor::abandon_slot(std::size_t index) {
  const auto link = std::exchange(slots_[index].link, nullptr);
  if (link == nullptr) return;
  link->abandon();
  client_.lose_link(index);
}

void LinkSupervisor::shut_down() {
  is_shut_down_ = true;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    close_slot(i, "the sender has stopped");
}

void LinkSupervisor::wake() {
  for (const auto& slot : slots_) {
    const auto link = slot.link;  // a failing link removes itself
    if (link != nullptr && link->is_open()) link->wake();
  }
}

OutgoingLink* LinkSupervisor::carrier(std::size_t index) {
  const auto& slot = slots_[index];
  return slot.is_open() && !slot.path.is_local() ? slot.link.get() : nullptr;
}

void LinkSupervisor::reopen_all_but(std::size_t link) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (i == link || !slots_[i].is_open()) continue;
    close_slot(i, "the receiver has restarted");
    slots_[i].ticks_to_retry = 1;
  }
}

std::size_t LinkSupervisor::count_on_wire() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].stats) count = i + 1;
  }
  return count;
}

void LinkSupervisor::report(telemetry::StreamReading& reading, LocalTime now) const {
  MutexLock lock(mutex_);
  reading.peer = published_peer_;
  for (const auto& slot : published_stats_)
    reading.links.push_back(slot->reading(now));
}

}  // namespace submix::link
