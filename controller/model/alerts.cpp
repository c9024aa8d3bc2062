// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/alerts.hpp"

#include "common/show/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace submix::model {
namespace {

/// Looks at all that a view tells.
class Search {
 public:
  explicit Search(const ClusterView& view) : view_(view) {}

  std::vector<Alert> run() {
    look_at_connection();
    if (view_.connection != Connection::connected) return std::move(found_);  // nothing else is known
    for (const auto& node : view_.nodes)
      look_at(node);
    for (const auto& submix : view_.submixes)
      look_at(submix);
    for (const auto& stream : view_.streams)
      look_at(stream);
    look_at_messages();
    std::ranges::stable_sort(found_, std::ranges::greater(), &Alert::severity);
    return std::move(found_);
  }

 private:
  Alert& add(Severity severity, std::string thing, std::string cause, std::string response) {
    Alert alert;
    alert.severity = severity;
    alert.thing = std::move(thing);
    alert.cause = std::move(cause);
    alert.response = std::move(response);
    found_.push_back(std::move(alert));
    return found_.back();
  }

  // The newest event about one of these, by its own words.
  [[nodiscard]] std::string event_about(std::initializer_list<std::string> names) const {
    const auto found = std::find_if(view_.events.rbegin(), view_.events.rend(), [&](const EventView& event) {
      return std::ranges::find(names, event.event.about) != names.end();
    });
    return found == view_.events.rend() ? std::string() : found->event.text;
  }

  void look_at_connection() {
    if (view_.connection != Connection::lost) return;
    add(Severity::fault, "NATS", "out of reach: " + view_.connection_text,
        "the show runs on; this window shows what it knew last and tries again by itself");
  }

  [[nodiscard]] bool is_needed(const NodeView& node) const {
    return std::ranges::any_of(view_.submixes, [&](const auto& submix) { return submix.node == node.name; });
  }

  void look_at(const NodeView& node) {
    const bool is_silent = node.health == Health::silent || node.health == Health::gone;
    const bool is_missing = node.health == Health::absent && is_needed(node);
    if (is_silent) {
      add(node.health == Health::gone ? Severity::fault : Severity::warning, "node " + node.name,
          fmt::format("{}: no sign of life", to_string(node.health)), response_to_loss_of(node.name))
          .node = node.name;
    } else if (is_missing) {
      add(Severity::fault, "node " + node.name, "not started, and the show needs it",
          "its submixes wait for it; start it: submix-node --name " + node.name)
          .node = node.name;
    }
    if (node.is_other_version) {
      add(Severity::warning, "version of node " + node.name,
          fmt::format("it runs {}, the others do not", node.version), "nothing; update it before the show")
          .node = node.name;
    }
  }

  // Each receiver's policy says what is shown in its place.
  [[nodiscard]] std::string response_to_loss_of(const std::string& node) const {
    std::string response;
    for (const auto& stream : view_.streams) {
      const auto* from = view_.find_submix(stream.from.submix);
      if (from == nullptr || from->node != node) continue;
      response +=
          fmt::format("{}stream {}: {}", response.empty() ? "" : "; ", stream.name, effect_of(stream.policy));
    }
    return response.empty() ? "its submixes stand still until it is back" : response;
  }

  static std::string_view effect_of(show::InputPolicy policy) {
    switch (policy) {
      case show::InputPolicy::wait:
        return "all wait for it";
      case show::InputPolicy::black:
        return "its input goes black";
      case show::InputPolicy::standby:
        return "its input shows a stand-by picture";
      case show::InputPolicy::hold:
      case show::InputPolicy::latest:
        break;
    }
    return "its input holds the last picture";
  }

  void look_at(const SubmixView& submix) {
    if (submix.state == SubmixState::failed) {
      auto& alert = add(
          Severity::fault, "submix " + submix.name, submix.error,
          fmt::format("node {} runs its other submixes, and tries again with the next change", submix.node));
      alert.submix = submix.name;
      alert.node = submix.node;
    }
    for (const auto& stage : submix.stages) {
      if (stage.trouble.empty()) continue;
      auto& alert = add(Severity::fault, fmt::format("slot {}.{}", submix.name, stage.slot), stage.trouble,
                        "its input is passed on in its place");
      alert.submix = submix.name;
      alert.slot = stage.slot;
    }
  }

  void look_at(const StreamView& stream) {
    if (!stream.sender.detached.empty()) {
      add(Severity::fault, "stream " + stream.name, stream.sender.detached,
          "detached: the sender goes on without this receiver, which joins again by itself")
          .stream = stream.name;
    }
    if (!stream.sender.is_current) return;  // the node's own alert says it all
    if (stream.receiver.is_current && !stream.receiver.detached.empty()) {
      add(Severity::warning, "input " + show::to_string(stream.to), stream.receiver.detached,
          fmt::format("{} where no frame is there in time; the show goes on, and waits for it again once it "
                      "keeps up",
                      effect_of(stream.policy)))
          .stream = stream.name;
    }
    const auto& links = stream.sender.links;
    const auto open = std::ranges::count_if(links, &LinkView::is_open);
    for (const auto& link : links) {
      const auto name = fmt::format("link {} of {}", link.index, stream.name);
      if (!link.is_open()) {
        look_at_closed(link, name, stream, static_cast<std::size_t>(open));
      } else if (!link.warning.empty()) {
        add(Severity::warning, name, link.warning, "it carries what it can, its siblings the rest").stream =
            stream.name;
      }
      if (link.stripes_damaged > 0) {
        add(Severity::fault, "damage on " + name,
            fmt::format("{} stripes came damaged", link.stripes_damaged),
            "each was sent again over another link")
            .stream = stream.name;
        found_.back().total = link.stripes_damaged;
      }
    }
  }

  void look_at_closed(const LinkView& link, const std::string& name, const StreamView& stream,
                      std::size_t open) {
    const auto told = event_about({fmt::format("stream {}, link {}", stream.name, link.index)});
    const auto carried = open == 0 ? std::string("no link carries the stream; it is tried again by itself")
                                   : fmt::format("{} of {} links carry the stream; it joins again by itself",
                                                 open, stream.sender.links.size());
    const auto why = link.error.empty() ? (told.empty() ? std::string("it is not open") : told) : link.error;
    add(open == 0 ? Severity::fault : Severity::warning, name, why, carried).stream = stream.name;
  }

  void look_at_messages() {
    if (view_.messages_dropped == 0) return;
    add(Severity::warning, "this controller",
        fmt::format("{} messages came faster than it could take them", view_.messages_dropped),
        "dropped them; each next reading says all that they did")
        .total = view_.messages_dropped;
  }

  const ClusterView& view_;
  std::vector<Alert> found_;
};

// One thing may be in trouble of several kinds: what it is called tells them apart.
auto find_by_thing(std::vector<Alert>& alerts, const std::string& thing) {
  return std::ranges::find(alerts, thing, &Alert::thing);
}

}  // namespace

std::string_view word_of(Severity severity) {
  static constexpr std::array<std::string_view, 3> kWords{"note", "warning", "fault"};
  return kWords.at(static_cast<std::size_t>(severity));
}

std::vector<Alert> find_alerts(const ClusterView& view) {
  return Search(view).run();
}

void AlertLog::update(const ClusterView& view, LocalTime now) {
  auto present = find_alerts(view);
  drop_old_totals(present, now);
  bool has_changed = false;
  for (auto& alert : all_) {
    const auto again = find_by_thing(present, alert.thing);
    if (again == present.end()) {
      if (alert.is_open()) has_changed = true;
      if (alert.is_open()) alert.until = now;
    } else if (alert.is_open()) {
      has_changed = has_changed || alert.cause != again->cause || alert.response != again->response;
      alert.severity = again->severity;
      alert.cause = again->cause;
      alert.response = again->response;
    }
  }
  std::erase_if(candidates_, [&](const Candidate& candidate) {
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

void AlertLog::drop_old_totals(Alerts& present, LocalTime now) {
  std::erase_if(present, [&](const Alert& alert) {
    if (alert.total == 0) return false;
    const auto known = std::ranges::find(totals_, alert.thing, &Total::thing);
    if (known == totals_.end()) {
      if (totals_.size() < kAlertsMax) totals_.push_back({alert.thing, alert.total, now});
      return false;
    }
    if (alert.total != std::exchange(known->count, alert.total)) known->grown = now;
    return now - known->grown > kGrowthShown;
  });
}

// Since when it lasts; empty: not long enough yet.
std::optional<LocalTime> AlertLog::settled(const Alert& alert, LocalTime now) {
  const auto found = std::ranges::find(candidates_, alert.thing, &Candidate::thing);
  if (found == candidates_.end()) {
    if (candidates_.size() < kAlertsMax) candidates_.push_back({alert.thing, now});
    return std::nullopt;
  }
  if (now - found->since < kSettleTime) return std::nullopt;
  const auto since = found->since;
  candidates_.erase(found);
  return since;
}

void AlertLog::open(Alert alert, LocalTime since) {
  alert.id = next_id_++;
  alert.since = since;
  const auto before = find_by_thing(all_, alert.thing);
  if (before != all_.end()) {
    if (since - *before->until <= kComesBackWithin) {
      alert.since = before->since;
      alert.count = before->count + 1;
    }
    all_.erase(before);  // of one thing the newest is kept
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
  found->is_acknowledged = true;
  publish();
}

void AlertLog::acknowledge_all() {
  for (auto& alert : all_)
    alert.is_acknowledged = true;
  publish();
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
