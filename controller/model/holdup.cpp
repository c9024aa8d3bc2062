// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/holdup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>
#include <utility>

namespace submix::model {
namespace {

constexpr double kMostOfTheTime = 0.5;
constexpr double kFramesMissing = 2.5;  // frames' times: one may just be coming
constexpr std::chrono::milliseconds kPatienceMin{1000};

/// When frames that do not come are a standstill: rates are measured over a second at least.
std::chrono::milliseconds patience(FrameRate rate) {
  const double seconds = kFramesMissing / rate.frames_per_second();
  return std::max(kPatienceMin, std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)));
}

double seconds(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

class Search {
 public:
  explicit Search(const ClusterView& view) : view_(view), patience_(patience(view.show->rate)) {}

  std::vector<Holdup> run() {
    for (const auto& submix : view_.submixes) {
      if (submix.is_final && (stands(submix) || submix.stages.empty())) look_at(submix);
    }
    return std::move(found_);
  }

 private:
  /// A submix or a slot. Of a slow show a second without a frame says nothing.
  template <typename Part>
  [[nodiscard]] bool stands(const Part& part) const {
    return part.still_for >= patience_ || (part.fps == 0 && patience_ == kPatienceMin);
  }

  void look_at(const SubmixView& submix) {
    if (!seen_.insert(submix.name).second) return;
    if (auto obstacle = obstacle_of(submix, view_.find_node(submix.node)); !obstacle.empty()) {
      found_.push_back({.text = std::move(obstacle),
                        .node = submix.node,
                        .submix = submix.name,
                        .slot = {},
                        .stream = {}});
      return;
    }
    for (const auto& stage : submix.stages) {
      if (!submix.is_read(stage.slot)) look_at(submix, stage);
    }
  }

  void look_at(const SubmixView& submix, const StageView& stage) {
    if (!stands(stage) || !seen_.insert(submix.name + "." + stage.slot).second) return;
    bool has_all_inputs = true;
    for (const auto& queue : stage.queues) {
      if (queue.size > 0) continue;
      has_all_inputs = false;
      if (const auto* feeder = submix.find_stage(queue.from)) look_at(submix, *feeder);
    }
    if (!has_all_inputs) return;
    const auto stream = std::ranges::find_if(view_.streams, [&](const StreamView& candidate) {
      return candidate.to == show::Port{submix.name, stage.slot};
    });
    if (stream != view_.streams.end()) return look_at(*stream);
    const auto& shares = stage.shares;
    if (shares.working < kMostOfTheTime && shares.starved < kMostOfTheTime)
      return;  // it waits for others, too
    found_.push_back(
        {.text = fmt::format("slot \"{}.{}\" ({}) on node \"{}\": no frame came out of it for {}",
                             submix.name, stage.slot, stage.plugin, submix.node, time_text()),
         .node = submix.node,
         .submix = submix.name,
         .slot = stage.slot,
         .stream = {}});
  }

  void look_at(const StreamView& stream) {
    const auto* submix = view_.find_submix(stream.from.submix);
    if (submix == nullptr || seen_.contains(submix->name)) return;
    const auto found_before = found_.size();
    const auto& links = stream.links();
    const bool can_run = obstacle_of(*submix, view_.find_node(submix->node)).empty();
    if (can_run && std::ranges::none_of(links, &LinkView::is_open)) return report_closed(stream);
    look_at(*submix);
    if (found_.size() > found_before || stream.sender.frames_queued == 0) return;
    add(stream, fmt::format("stream \"{}\": {} frames are on their way, none came in for {}", stream.name,
                            stream.sender.frames_queued, time_text()));
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
    return patience_ == kPatienceMin ? std::string("a second") : fmt::format("{:.1f} s", seconds(patience_));
  }

  const ClusterView& view_;
  const std::chrono::milliseconds patience_;
  std::set<std::string> seen_;  // submixes, and "submix.slot"
  std::vector<Holdup> found_;
};

}  // namespace

std::string obstacle_of(const SubmixView& submix, const NodeView* node) {
  if (submix.node.empty()) {
    return fmt::format("submix \"{}\", which no node runs; let one: submix assign {} NODE", submix.name,
                       submix.name);
  }
  const auto health = node == nullptr ? Health::absent : node->health;
  if (health == Health::absent || health == Health::gone || health == Health::silent) {
    const auto state = health == Health::absent ? std::string("not started")
                                                : fmt::format("silent for {:.1f} s", seconds(node->silence));
    return fmt::format(
        "node \"{}\", which is to run submix \"{}\": {}; unless it runs, start it: submix-node "
        "--name {}",
        submix.node, submix.name, state, submix.node);
  }
  if (submix.state == SubmixState::failed)
    return fmt::format("submix \"{}\" on node \"{}\", which failed: {}", submix.name, submix.node,
                       submix.error);
  if (submix.state != SubmixState::running)
    return fmt::format("submix \"{}\" on node \"{}\": it is {}", submix.name, submix.node,
                       to_string(submix.state));
  return {};
}

std::vector<Holdup> find_causes(const ClusterView& view) {
  if (view.connection != Connection::connected || view.show == nullptr || view.transport.is_paused) return {};
  return Search(view).run();
}

std::vector<std::string> find_holdups(const ClusterView& view) {
  std::vector<std::string> texts;
  for (auto& cause : find_causes(view))
    texts.push_back(std::move(cause.text));
  return texts;
}

}  // namespace submix::model
