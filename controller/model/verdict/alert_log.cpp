// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/alerts.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace submix::model {
namespace {

// The thing's name distinguishes several kinds of trouble with one thing.
auto find_by_thing(std::vector<Alert>& alerts, const std::string& thing) {
  return std::ranges::find(alerts, thing, &Alert::thing);
}

}  // namespace

LocalTime::duration AlertLog::settling_for(const ClusterView& view, LocalTime now) {
  if (!is_settling(view)) {
    settling_since_.reset();
    return LocalTime::duration(0);
  }
  if (!settling_since_) settling_since_ = now;
  return now - *settling_since_;
}

void AlertLog::update(const ClusterView& view, LocalTime now) {
  auto present = find_alerts(view, settling_for(view, now));
  drop_old_peaks(present, now);
  bool has_changed = false;
  for (auto& alert : all_) {
    const auto again = find_by_thing(present, alert.thing);
    if (again == present.end()) {
      has_changed = has_changed || alert.is_open();
      if (alert.is_open()) end(alert, view, now);
    } else if (alert.is_open()) {
      has_changed = has_changed || alert.cause != again->cause || alert.response != again->response;
      alert.severity = again->severity;
      alert.cause = again->cause;
      alert.response = again->response;
    }
  }
  forget_over(view, present, now);
  std::erase_if(pending_, [&](const PendingAlert& candidate) {
    return find_by_thing(present, candidate.thing) == present.end();
  });
  for (auto& alert : present) {
    const auto known = find_by_thing(all_, alert.thing);
    if (known != all_.end() && known->is_open()) continue;
    const auto since = settled(alert, now);
    if (!since) continue;
    open(std::move(alert), *since);
    has_changed = true;
  }
  if (has_changed) publish();
}

void AlertLog::drop_old_peaks(Alerts& present, LocalTime now) {
  std::erase_if(present, [&](const Alert& alert) {
    if (alert.total == 0) return false;
    const auto known = std::ranges::find(peaks_, alert.thing, &CounterPeak::thing);
    if (known == peaks_.end()) {
      if (peaks_.size() < kAlertsMax) peaks_.push_back({alert.thing, alert.total, now});
      return false;
    }
    if (alert.total != std::exchange(known->count, alert.total)) known->grown = now;
    return now - known->grown > kGrowthShown;
  });
}

// The time when the fault began. Empty: it has not lasted kSettleTime yet.
std::optional<LocalTime> AlertLog::settled(const Alert& alert, LocalTime now) {
  const auto found = std::ranges::find(pending_, alert.thing, &PendingAlert::thing);
  if (found == pending_.end()) {
    if (pending_.size() < kAlertsMax) pending_.push_back({alert.thing, now});
    return std::nullopt;
  }
  if (now - found->since < kSettleTime) return std::nullopt;
  const auto since = found->since;
  pending_.erase(found);
  return since;
}

std::vector<std::string> AlertLog::pending_things() const {
  std::vector<std::string> things;
  for (const auto& candidate : pending_)
    things.push_back(candidate.thing);
  return things;
}

void AlertLog::open(Alert alert, LocalTime since) {
  alert.id = next_id_++;
  alert.since = since;
  alert.is_acknowledged = is_seen(alert.thing);
  const auto before = find_by_thing(all_, alert.thing);
  if (before != all_.end()) {
    if (since - *before->until <= kComesBackWithin) {
      alert.since = before->since;
      alert.count = before->count + 1;
    }
    all_.erase(before);  // of one thing the newest alert is kept
  }
  if (all_.size() == kAlertsMax) {
    const auto ended_first = std::ranges::min_element(
        all_, {}, [](const Alert& each) { return each.until.value_or(LocalTime::max()); });
    all_.erase(ended_first);
  }
  all_.push_back(std::move(alert));
}

void AlertLog::acknowledge(std::uint64_t id) {
  const auto found = std::ranges::find(all_, id, &Alert::id);
  if (found == all_.end() || found->is_acknowledged) return;
  acknowledge(*found);
  publish();
}

void AlertLog::acknowledge_all() {
  for (auto& alert : all_)
    acknowledge(alert);
  publish();
}

void AlertLog::acknowledge(Alert& alert) {
  const bool is_news = alert.is_open() && !alert.is_acknowledged;
  if (is_news) changes_.seen.push_back(alert.thing);
  alert.is_acknowledged = true;
}

bool AlertLog::is_seen(std::string_view thing) const {
  return std::ranges::find(seen_, thing, &SeenThing::thing) != seen_.end();
}

// Without a connection nobody knows whether the fault is over.
void AlertLog::end(Alert& alert, const ClusterView& view, LocalTime now) {
  alert.until = now;
  if (!alert.is_acknowledged || view.connection != ConnectionState::connected) return;
  std::erase(changes_.seen, alert.thing);
  std::erase_if(seen_, [&](const SeenThing& seen) { return seen.thing == alert.thing; });
  changes_.over.push_back(alert.thing);
}

void AlertLog::forget_over(const ClusterView& view, const Alerts& present, LocalTime now) {
  std::erase_if(seen_, [&](SeenThing& seen) {
    const bool may_be_open = view.connection != ConnectionState::connected ||
                             std::ranges::find(present, seen.thing, &Alert::thing) != present.end();
    if (may_be_open) seen.kept = now;
    if (now - seen.kept <= kSeenKept) return false;
    changes_.over.push_back(seen.thing);
    return true;
  });
}

void AlertLog::set_seen(const std::vector<std::string>& things, LocalTime now) {
  const auto before = std::exchange(seen_, {});
  const auto was_seen = [&](const std::string& thing) {
    return std::ranges::find(before, thing, &SeenThing::thing) != before.end();
  };
  for (const auto& thing : things) {
    const auto known = std::ranges::find(before, thing, &SeenThing::thing);
    seen_.push_back({thing, known == before.end() ? now : known->kept});
  }
  for (auto& alert : all_) {
    if (!alert.is_open()) continue;
    const bool is_taken_back = was_seen(alert.thing) && !is_seen(alert.thing);
    alert.is_acknowledged = is_seen(alert.thing) || (alert.is_acknowledged && !is_taken_back);
  }
  publish();
}

AlertLog::Changes AlertLog::take_changes() {
  return std::exchange(changes_, {});
}

void AlertLog::publish() {
  auto sorted = all_;
  std::ranges::stable_sort(sorted, [](const Alert& a, const Alert& b) {
    const auto rank = [](const Alert& alert) {
      return std::tuple(!alert.is_open(), alert.is_acknowledged,
                        -(alert.is_open() ? alert.since : *alert.until).time_since_epoch());
    };
    return rank(a) < rank(b);
  });
  alerts_ = std::make_shared<const Alerts>(std::move(sorted));
}

std::size_t unseen_alerts(const AlertLog::Alerts& alerts) {
  return static_cast<std::size_t>(std::ranges::count_if(
      alerts, [](const Alert& alert) { return alert.is_open() && !alert.is_acknowledged; }));
}

}  // namespace submix::model
