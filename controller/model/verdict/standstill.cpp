// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/standstill.hpp"

#include "common/show/pipe_plugins.hpp"
#include "controller/model/view/list_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

constexpr double kFramesMissing = 2.5;  // frames' times: one frame may just be arriving
constexpr std::chrono::milliseconds kPatienceMin{1000};

/// Time without a frame that counts as a standstill. Rates are measured over a second at least.
std::chrono::milliseconds patience(FrameRate rate) {
  const double seconds = kFramesMissing / rate.frames_per_second();
  return std::max(kPatienceMin,
                  std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)));
}

double seconds(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

/// "submix "a"", "submixes "a", "b", "c" and 6 more".
std::string names_of(const std::vector<const SubmixView*>& submixes) {
  std::vector<std::string> names;
  for (const auto* submix : submixes)
    names.push_back(fmt::format("\"{}\"", submix->name));
  return (names.size() == 1 ? "submix " : "submixes ") + list_of(names, kFewNames);
}

/// The NATS address of this program in a form for other machines. Empty: others cannot use it.
std::string shared_address(std::string_view url) {
  constexpr std::string_view kScheme = "nats://";
  if (!url.starts_with(kScheme) || url.find_first_of(" \t") != std::string_view::npos) return {};
  auto host = url.substr(kScheme.size());
  // removes a password
  if (const auto at = host.rfind('@'); at != std::string_view::npos) host.remove_prefix(at + 1);
  if (host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]"))
    return {};
  return fmt::format("{}{}", kScheme, host);
}

class CauseSearch {
 public:
  explicit CauseSearch(const ClusterView& view)
      : view_(view), patience_(patience(view.show->rate)) {}

  std::vector<StandstillCause> run() {
    for (const auto& submix : view_.submixes) {
      if (submix.is_final && (stands(submix) || submix.stages.empty())) look_at_outputs(submix);
    }
    for (const auto& [node, submixes] : away_)
      found_[node].text = absence_line(view_, submixes);
    return std::move(found_);
  }

 private:
  /// For a submix or a slot. In a slow show, a second without a frame is normal.
  template <typename Part>
  [[nodiscard]] bool stands(const Part& part) const {
    return part.still_for >= patience_ || (part.fps == 0 && patience_ == kPatienceMin);
  }

  void look_at_outputs(const SubmixView& submix) {
    if (has_obstacle(submix)) return;
    for (const auto& stage : submix.stages) {
      if (submix.is_output(stage.slot)) look_at(submix, stage);
    }
  }

  /// Whether the submix does not run, which is a cause.
  bool has_obstacle(const SubmixView& submix) {
    if (with_obstacles_.contains(submix.name)) return true;
    auto obstacle = submix_obstacle(view_, submix);
    if (obstacle.empty()) return false;
    with_obstacles_.insert(submix.name);
    if (!submix.node.empty() && is_away(view_.find_node(submix.node)) && !is_first_of_node(submix))
      return true;
    found_.push_back({.text = std::move(obstacle),
                      .node = submix.node,
                      .submix = submix.name,
                      .slot = {},
                      .stream = {}});
    return true;
  }

  /// A missing node is one cause, however many submixes are assigned to it.
  bool is_first_of_node(const SubmixView& submix) {
    const auto known = std::ranges::find_if(
        away_, [&](const auto& each) { return each.second.front()->node == submix.node; });
    if (known == away_.end()) {
      away_.push_back({found_.size(), {&submix}});
      return true;
    }
    known->second.push_back(&submix);
    return false;
  }

  void look_at(const SubmixView& submix, const StageView& stage) {
    if (!stands(stage) || !seen_.insert(submix.name + "." + stage.slot).second) return;
    if (is_blocked(stage)) return look_behind(submix);
    bool has_all_inputs = true;
    for (const auto& queue : stage.queues) {
      if (queue.size > 0) continue;
      has_all_inputs = false;
      if (const auto* feeder = submix.find_stage(queue.from)) look_at(submix, *feeder);
    }
    if (!has_all_inputs) return;
    if (const auto* stream = view_.find_stream_to({submix.name, stage.slot}))
      return look_at(*stream);
    if (stage.plugin == show::kStreamInPlugin) return;  // without a stream: it shows black
    const auto& shares = stage.shares;
    if (shares.working < kMostOfTheTime && shares.starved < kMostOfTheTime) return;
    report(submix, stage);
  }

  static bool is_blocked(const StageView& stage) { return stage.shares.blocked >= kMostOfTheTime; }

  /// Slots of `submix` are blocked. Finds the blocked output, here or along the streams. An output
  /// waits for something outside the show.
  void look_behind(const SubmixView& submix) {
    if (!seen_.insert("behind " + submix.name).second || has_obstacle(submix)) return;
    for (const auto& stage : submix.stages) {
      if (!stands(stage) || !is_blocked(stage) || submix.is_read(stage.slot)) continue;
      if (stage.plugin == show::kStreamOutPlugin)
        look_behind_streams({submix.name, stage.slot});
      else
        report(submix, stage);
    }
  }

  void look_behind_streams(const show::Port& from) {
    for (const auto& stream : view_.streams) {
      if (stream.from != from) continue;
      if (const auto* receiver = view_.find_submix(stream.to.submix)) look_behind(*receiver);
    }
  }

  void report(const SubmixView& submix, const StageView& stage) {
    found_.push_back({.text = slot_line(submix, stage),
                      .node = submix.node,
                      .submix = submix.name,
                      .slot = stage.slot,
                      .stream = {}});
  }

  [[nodiscard]] std::string slot_line(const SubmixView& submix, const StageView& stage) const {
    if (stage.plugin == show::kPipeOutPlugin || stage.plugin == show::kPipeInPlugin) {
      const auto* deed = stage.plugin == show::kPipeOutPlugin ? "taken" : "sent";
      return fmt::format(
          "pipe \"{0}\": its program has {1} no picture for {2}; end the program, or: submix pipe "
          "remove {0}",
          submix.name, deed, time_text());
    }
    return fmt::format("slot \"{}.{}\" ({}) on node \"{}\": no frame came out of it for {}",
                       submix.name, stage.slot, stage.plugin, submix.node, time_text());
  }

  void look_at(const StreamView& stream) {
    const auto* submix = view_.find_submix(stream.from.submix);
    if (submix == nullptr || !seen_.insert("stream " + stream.name).second) return;
    if (has_obstacle(*submix)) return;
    if (std::ranges::none_of(stream.links(), &LinkView::is_open)) return report_closed(stream);
    const auto found_before = found_.size();
    const auto* out = submix->find_stage(stream.from.slot);
    if (out != nullptr && seen_.contains(submix->name + "." + out->slot)) return;
    if (out != nullptr) look_at(*submix, *out);
    if (found_.size() > found_before || stream.sender.frames_queued == 0) return;
    add(stream, fmt::format("stream \"{}\": {} frames are on their way, none came in for {}",
                            stream.name, stream.sender.frames_queued, time_text()));
  }

  void report_closed(const StreamView& stream) {
    std::string why;
    for (const auto& link : stream.links()) {
      if (why.empty()) why = link.error;
    }
    add(stream, fmt::format("stream \"{}\": none of its links is open{}{}", stream.name,
                            why.empty() ? "" : ": ", why));
  }

  void add(const StreamView& stream, std::string text) {
    found_.push_back({.text = std::move(text),
                      .node = stream.sender.node,
                      .submix = {},
                      .slot = {},
                      .stream = stream.name});
  }
  [[nodiscard]] std::string time_text() const {
    return patience_ == kPatienceMin ? std::string("a second")
                                     : fmt::format("{:.1f} s", seconds(patience_));
  }

  const ClusterView& view_;
  const std::chrono::milliseconds patience_;
  std::set<std::string> seen_;            // "submix.slot" and "stream name"
  std::set<std::string> with_obstacles_;  // submixes
  std::vector<StandstillCause> found_;
  // The position in found_ of each missing node, and its submixes.
  std::vector<std::pair<std::size_t, std::vector<const SubmixView*>>> away_;
};

}  // namespace

bool is_away(const NodeView* node) {
  const auto health = node == nullptr ? Health::absent : node->health;
  return health == Health::absent || health == Health::gone || health == Health::silent;
}

std::string silence_text(const NodeView* node) {
  if (node == nullptr || node->health == Health::absent) return "not started";
  if (!node->is_silence_complete)
    return fmt::format("not heard for at least {:.1f} s", seconds(node->silence));
  return fmt::format("silent for {:.1f} s", seconds(node->silence));
}

// The default address of every node is NATS on its own machine, which is useless to another
// machine.
std::string how_to_start(const ClusterView& view, const std::string& node) {
  const auto* known = view.find_node(node);
  const auto place = known == nullptr || known->host.empty() ? std::string() : " on " + known->host;
  const auto url = shared_address(view.connection_text);
  const auto otherwise =
      url.empty() ? "" : fmt::format(" (without submix join: --nats {} --key FILE)", url);
  return fmt::format("start it{}: submix-node --name {}{}", place, node, otherwise);
}

std::string absence_line(const ClusterView& view, const std::vector<const SubmixView*>& submixes) {
  const auto& node = submixes.front()->node;
  return fmt::format("node \"{}\", which is to run {}: {}; if it does not run, {}", node,
                     names_of(submixes), silence_text(view.find_node(node)),
                     how_to_start(view, node));
}

std::string submix_obstacle(const ClusterView& view, const SubmixView& submix) {
  if (submix.node.empty()) {
    return fmt::format("submix \"{}\", which no node runs; let one: submix assign {} NODE",
                       submix.name, submix.name);
  }
  const auto* node = view.find_node(submix.node);
  if (is_away(node)) return absence_line(view, {&submix});
  if (submix.state == SubmixState::failed)
    return fmt::format("submix \"{}\" on node \"{}\", which failed: {}", submix.name, submix.node,
                       submix.error);
  if (submix.state != SubmixState::running)
    return fmt::format("submix \"{}\" on node \"{}\": it is {}", submix.name, submix.node,
                       to_string(submix.state));
  return {};
}

std::vector<StandstillCause> find_standstill_causes(const ClusterView& view) {
  if (!view.is_known_now() || view.show == nullptr || view.transport.is_paused) return {};
  return CauseSearch(view).run();
}

std::vector<std::string> standstill_lines(const ClusterView& view) {
  std::vector<std::string> texts;
  for (auto& cause : find_standstill_causes(view))
    texts.push_back(std::move(cause.text));
  return texts;
}

}  // namespace submix::model
