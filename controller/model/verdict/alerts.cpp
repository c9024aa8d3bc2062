// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/alerts.hpp"

#include "common/base/plain_text.hpp"
#include "common/base/version.hpp"
#include "common/show/text.hpp"
#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/verdict/slow_links.hpp"
#include "controller/model/verdict/standstill.hpp"
#include "controller/model/verdict/verdict.hpp"
#include "controller/model/view/link_cards.hpp"
#include "controller/model/view/output_views.hpp"
#include "controller/model/view/show_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace submix::model {
namespace {

bool has_work(const ClusterView& view, const NodeView& node) {
  return std::ranges::any_of(view.submixes,
                             [&](const auto& submix) { return submix.node == node.name; });
}

bool is_of_show(const ClusterView& view, const NodeView& node) {
  return has_work(view, node) || (view.show != nullptr && is_in_show(*view.show, node.name));
}

// Without a second of readings a rate of 0 has no meaning.
bool is_to_be_measured(const NodeView& node) {
  constexpr double kMeasuredMin = 0.9;
  return node.health == Health::healthy && node.measured_seconds < kMeasuredMin;
}

/// Searches a view for faults.
class FaultSearch {
 public:
  FaultSearch(const ClusterView& view, LocalTime::duration settling_for)
      : view_(view), settling_for_(settling_for) {}

  std::vector<Alert> run() {
    look_at_connection();
    // nothing else is known
    if (view_.connection != ConnectionState::connected) return std::move(found_);
    look_at_store();
    look_at_desk();
    look_at_show();
    look_at_sound();
    for (const auto& node : view_.nodes)
      look_at(node);
    for (const auto& submix : view_.submixes)
      look_at(submix);
    for (const auto& stream : view_.streams)
      look_at(stream);
    look_at_rate();  // after its possible causes
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

  // The newest event about one of `names`, in its own words.
  [[nodiscard]] std::string event_about(std::initializer_list<std::string> names) const {
    const auto found =
        std::find_if(view_.events.rbegin(), view_.events.rend(), [&](const EventView& event) {
          return std::ranges::find(names, event.event.about) != names.end();
        });
    return found == view_.events.rend() ? std::string() : found->event.text;
  }

  void look_at_connection() {
    if (view_.connection != ConnectionState::lost) return;
    add(Severity::fault, "NATS", "out of reach: " + view_.connection_text,
        "the show runs on; this window shows what it knew last and tries again by itself");
  }

  void look_at_store() {
    if (!view_.is_store_silent) return;
    add(Severity::fault, "NATS", std::string(kSilentStoreCause),
        fmt::format("the running show goes on, but no change can be written: {}",
                    kSilentStoreRemedy));
  }

  void look_at_desk() {
    if (view_.gap_to_desk.empty()) return;
    add(Severity::fault, "version of the desk", view_.gap_to_desk,
        "nothing can be changed from here; the show runs on");
  }

  // A silent store has an alert of its own.
  void look_at_show() {
    constexpr std::size_t kCauseBytesMax = 400;
    if (view_.show_error.empty() || view_.is_store_silent) return;
    const auto why = plain_text(one_line(view_.show_error), kCauseBytesMax);
    add(Severity::fault, "the desired show",
        fmt::format("revision {}{}{} cannot be read: {}", view_.show_revision,
                    view_.show_author.empty() ? "" : " by ", view_.show_author, why),
        "the former show goes on; apply a readable one: submix apply FILE");
  }

  [[nodiscard]] bool has_follower_of_sound() const {
    const auto follows = [](const auto& moving) {
      return moving.second.is_on && show::follows_sound(moving.second.waveform);
    };
    return std::ranges::any_of(view_.show->submixes, [&](const show::Submix& submix) {
      return std::ranges::any_of(submix.slots, [&](const show::Slot& slot) {
        return std::ranges::any_of(slot.oscillators, follows);
      });
    });
  }

  // look_at(node) adds the alert of a present PC that hears nothing.
  void look_at_sound() {
    if (view_.show == nullptr || view_.connection == ConnectionState::lost) return;
    const auto& name = view_.show->sound.node;
    if (name.empty() && has_follower_of_sound())
      add(Severity::warning, "sound", "parameters follow the sound, and nobody listens",
          "they rest; let a PC listen: submix sound from NODE");
    const auto* node = view_.find_node(name);
    if (!name.empty() && (node == nullptr || is_away(node)))
      add(Severity::warning, "sound of node " + name, "the node that listens is not here",
          "all that follows the sound rests; let another one listen: submix sound from NODE")
          .node = name;
  }

  [[nodiscard]] bool is_needed(const NodeView& node) const { return has_work(view_, node); }
  [[nodiscard]] bool is_in_show(const NodeView& node) const { return is_of_show(view_, node); }

  [[nodiscard]] bool is_shown(const NodeView& node) const {
    return std::ranges::any_of(view_.submixes, [&](const auto& submix) {
      return submix.node == node.name && submix.is_shown;
    });
  }

  /// Whether the show may be slow for the moment, because it has only begun to settle.
  [[nodiscard]] bool may_settle(const Bottleneck& verdict) const {
    return settling_for_ < kSettlingMax && verdict.still_for < kSettlingMax && is_settling(view_);
  }

  void look_at_rate() {
    const auto verdict = view_.bottleneck ? *view_.bottleneck : find_bottleneck(view_);
    if (!verdict.is_behind || may_settle(verdict) || !is_measured()) return;
    const bool stands = verdict.kind == Bottleneck::Kind::standstill;
    const auto remedy = remedy_of(view_, verdict);
    const auto without =
        stands ? "it goes on by itself once that is there" : "it goes on as fast as it can";
    auto& alert = add(stands ? Severity::fault : Severity::warning, "the show",
                      with_machine(verdict), remedy ? "would help: " + remedy->text : without);
    alert.node = verdict.node;
    alert.submix = verdict.submix;
    alert.slot = verdict.slot;
    alert.stream = verdict.stream;
  }

  // Adds the computer, because a node's name alone does not say where to go.
  [[nodiscard]] std::string with_machine(const Bottleneck& verdict) const {
    const auto* node = view_.find_node(verdict.node);
    const bool is_told = node == nullptr || node->host.empty() ||
                         verdict.sentence.find(node->host) != std::string::npos;
    return is_told ? verdict.sentence
                   : fmt::format("{}; node \"{}\" runs on {}", verdict.sentence, node->name,
                                 node->host);
  }

  [[nodiscard]] bool is_measured() const {
    return std::ranges::all_of(view_.submixes, [&](const SubmixView& submix) {
      const auto* node = view_.find_node(submix.node);
      return !submix.is_final || node == nullptr || !is_to_be_measured(*node);
    });
  }

  void look_at(const NodeView& node) {
    if (is_away(&node)) {
      if (is_in_show(node)) look_at_away(node);
      return;
    }
    if (node.health == Health::unheard) return look_at_unheard(node);
    if (!node.realtime_loss.empty()) {
      add(Severity::warning, "real time of node " + node.name,
          on_machine(node) + node.realtime_loss,
          "its frames wait behind other programs until it has the right again")
          .node = node.name;
    }
    if (!node.sound.trouble.empty()) {
      add(Severity::warning, "sound of node " + node.name, on_machine(node) + node.sound.trouble,
          "it is heard again by itself once that is mended")
          .node = node.name;
    }
    if (const auto gap = version_gap({"this PC"}, {"node " + node.name, node.version})) {
      add(Severity::fault, "version of node " + node.name, *gap,
          "it may follow no change, and no stream of such a node is taken")
          .node = node.name;
    } else if (node.is_other_version) {
      add(Severity::warning, "version of node " + node.name,
          fmt::format("it runs {}, the others do not", node.version),
          "nothing; update it before the show")
          .node = node.name;
    }
  }

  static std::string on_machine(const NodeView& node) {
    return node.host.empty() ? std::string() : node.host + ": ";
  }

  void look_at_away(const NodeView& node) {
    if (node.health == Health::absent) {
      if (!is_needed(node)) return;
      add(Severity::fault, "node " + node.name, "not started, and the show needs it",
          "its submixes wait for it; " + how_to_start(view_, node.name))
          .node = node.name;
    } else {
      const bool is_grave = node.health == Health::gone && is_shown(node);
      add(is_grave ? Severity::fault : Severity::warning, "node " + node.name,
          fmt::format("{}{}: no sign of life", on_machine(node), to_string(node.health)),
          is_needed(node) ? response_to_loss_of(node.name) : "nothing: it runs no submix now")
          .node = node.name;
    }
  }

  void look_at_unheard(const NodeView& node) {
    add(Severity::warning, "control of node " + node.name,
        fmt::format("{}its control connection is gone; its streams still carry {:.1f} MB/s",
                    on_machine(node), node.unheard_mb_per_second),
        "it runs on as it is, and no change reaches it; check its cable to NATS")
        .node = node.name;
  }

  // The stand-in pictures for the lost node's streams, by each receiver's policy.
  [[nodiscard]] std::string response_to_loss_of(const std::string& node) const {
    std::string response;
    for (const auto& stream : view_.streams) {
      const auto* from = view_.find_submix(stream.from.submix);
      if (from == nullptr || from->node != node) continue;
      response += fmt::format("{}stream {}: {}", response.empty() ? "" : "; ", stream.name,
                              effect_of(stream.policy));
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

  static std::string done_about_trouble(const StageView& stage) {
    if (stage.plugin == kWindowPlugin) return "the show goes on, and the output with it";
    const bool is_source = stage.queues.empty();
    return is_source ? "the show goes on without what it should show"
                     : "its input is passed on in its place";
  }

  void look_at(const SubmixView& submix) {
    if (!submix.is_shown) return;
    if (!submix.error.empty()) {
      const auto done = submix.state == SubmixState::failed
                            ? fmt::format("node {} runs its other submixes", submix.node)
                            : fmt::format("node {} runs the rest of it", submix.node);
      auto& alert =
          add(Severity::fault, "submix " + submix.name, submix.error,
              done +
                  ", and tries again with the next change; submix show back goes back to the last "
                  "good show");
      alert.submix = submix.name;
      alert.node = submix.node;
    }
    for (const auto& stage : submix.stages) {
      const bool is_told = submix.error.find(stage.trouble) != std::string::npos;
      if (stage.trouble.empty() || is_told) continue;
      auto& alert = add(Severity::fault, fmt::format("slot {}.{}", submix.name, stage.slot),
                        stage.trouble, done_about_trouble(stage));
      alert.submix = submix.name;
      alert.slot = stage.slot;
    }
  }

  void look_at(const StreamView& stream) {
    if (!stream.is_shown || is_receiver_away(stream)) return;
    if (!stream.sender.detached.empty()) {
      add(Severity::fault, "stream " + stream.name, stream.sender.detached,
          "detached: the sender goes on without this receiver, which joins again by itself")
          .stream = stream.name;
    }
    if (!stream.sender.is_current) return;  // the node has an alert of its own
    if (stream.receiver.is_current && !stream.receiver.detached.empty()) {
      add(Severity::warning, "input " + show::to_string(stream.to), stream.receiver.detached,
          fmt::format("{} while frames are late; the show goes on, and waits again when the "
                      "frames are in time",
                      effect_of(stream.policy)))
          .stream = stream.name;
    }
    for (const auto& link : stream.sender.links)
      look_at(link, stream);
  }

  void look_at(const LinkView& link, const StreamView& stream) {
    const auto name = fmt::format("link {} of {}", link.index, stream.name);
    const bool has_rate = link.is_open() && !view_.transport.is_paused;
    const auto slow = has_rate ? slowness_of(view_, stream, link) : std::nullopt;

    if (!link.is_open()) {
      const auto open = std::ranges::count_if(stream.sender.links, &LinkView::is_open);
      look_at_closed(link, name, stream, static_cast<std::size_t>(open));
    } else if (slow) {
      look_at_slow(*slow, link, name, stream);
    } else if (!link.warning.empty()) {
      add(Severity::warning, name, link.warning,
          "it carries what it can; the other links carry the rest")
          .stream = stream.name;
    }

    if (link.stripes_damaged > 0) {
      auto& damage = add(Severity::fault, "damage on " + name,
                         fmt::format("{} stripes came damaged", link.stripes_damaged),
                         "each was sent again over another link");
      damage.stream = stream.name;
      damage.total = link.stripes_damaged;
    }
  }

  // Whether the receiver's node is away; then the node has an alert of its own.
  [[nodiscard]] bool is_receiver_away(const StreamView& stream) const {
    const auto* to = view_.find_submix(stream.to.submix);
    const auto* node = to == nullptr ? nullptr : view_.find_node(to->node);
    return node != nullptr && is_away(node);
  }

  void look_at_slow(const SlowLink& slow, const LinkView& link, const std::string& name,
                    const StreamView& stream) {
    const auto to = name_of(cards_of(view_, stream, link).to);
    auto cause = slow.sentence;
    if (!to.empty()) cause += " to " + to;
    if (link.retransmits_per_second >= 1)
      cause +=
          fmt::format(", and TCP sends {:.0f} packets a second again", link.retransmits_per_second);
    if (!link.warning.empty()) cause += "; " + link.warning;
    add(Severity::warning, name, cause, others_of(stream, link) + "; check plug, cable and switch")
        .stream = stream.name;
  }

  // Names the remaining links. A single remaining link is the show's last; for several their spare
  // capacity is unknown.
  [[nodiscard]] std::string others_of(const StreamView& stream, const LinkView& link) const {
    const auto others = std::ranges::count_if(stream.links(), [&](const LinkView& other) {
      return other.is_open() && other.index != link.index && !slowness_of(view_, stream, other);
    });
    if (stream.links().size() == 1) return "no other link carries the stream";
    if (others == 0) return "no other link carries what it should";
    if (others == 1) return "the other link carries the rest: the show has no spare left";
    return fmt::format("{} other links carry the rest", others);
  }

  void look_at_closed(const LinkView& link, const std::string& name, const StreamView& stream,
                      std::size_t open) {
    const auto told = event_about({fmt::format("stream {}, link {}", stream.name, link.index)});
    const auto carried =
        open == 0 ? std::string("no link carries the stream; it is tried again by itself")
                  : fmt::format("{} of {} links carry the stream; it joins again by itself", open,
                                stream.sender.links.size());
    auto why =
        link.error.empty() ? (told.empty() ? std::string("it is not open") : told) : link.error;
    const auto cards = cards_of(view_, stream, link);
    if (const auto from = name_of(cards.from); !from.empty())
      why = fmt::format("{} to {}: {}", from,
                        name_of(cards.to).empty() ? cards.to.node : name_of(cards.to), why);
    add(open == 0 ? Severity::fault : Severity::warning, name, why, carried).stream = stream.name;
  }

  void look_at_messages() {
    if (view_.messages_dropped == 0) return;
    add(Severity::warning, "this controller",
        fmt::format("{} messages came faster than it could take them", view_.messages_dropped),
        "dropped them; later messages contain the same totals")
        .total = view_.messages_dropped;
  }

  const ClusterView& view_;
  const LocalTime::duration settling_for_;
  std::vector<Alert> found_;
};

}  // namespace

std::string_view word_of(Severity severity) {
  static constexpr std::array<std::string_view, 3> kWords{"note", "warning", "fault"};
  return kWords.at(static_cast<std::size_t>(severity));
}

bool is_settling(const ClusterView& view) {
  const bool is_any_starting = std::ranges::any_of(view.submixes, [&](const SubmixView& submix) {
    const auto* node = view.find_node(submix.node);
    if (!submix.is_shown || node == nullptr || is_away(node)) return false;
    const bool is_new = node->uptime < kSettlingMax || node->show_revision != view.show_revision;
    return submix.state != SubmixState::running && submix.state != SubmixState::failed && is_new;
  });
  return is_any_starting || std::ranges::any_of(view.streams, [](const StreamView& stream) {
           return stream.is_shown &&
                  (!stream.next_sender.node.empty() || !stream.next_receiver.node.empty());
         });
}

std::vector<std::string> undecided_things(const ClusterView& view) {
  std::vector<std::string> things;
  for (const auto& node : view.nodes) {
    if (!is_of_show(view, node)) continue;
    if (node.health == Health::starting)
      things.push_back(fmt::format("node {} has sent no reading yet", node.name));
    if (node.health == Health::unknown)
      things.push_back(fmt::format("node {} cannot be heard now", node.name));
    if (has_work(view, node) && is_to_be_measured(node))
      things.push_back(fmt::format("node {} has been measured for less than a second", node.name));
  }
  return things;
}

std::vector<Alert> find_alerts(const ClusterView& view, LocalTime::duration settling_for) {
  return FaultSearch(view, settling_for).run();
}

}  // namespace submix::model
