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
constexpr double kRateMin = 2.0;  // frames per second; rates are measured over one second

double seconds(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

// What keeps a submix from running at all; empty: nothing does.
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

class Search {
 public:
  explicit Search(const ClusterView& view) : view_(view) {}

  std::vector<std::string> run() {
    for (const auto& submix : view_.submixes) {
      if (submix.is_final && submix.fps == 0) look_at(submix);
    }
    return std::move(found_);
  }

 private:
  void look_at(const SubmixView& submix) {
    if (!seen_.insert(submix.name).second) return;
    if (auto obstacle = obstacle_of(submix, view_.find_node(submix.node)); !obstacle.empty())
      return found_.push_back(std::move(obstacle));
    for (const auto& stage : submix.stages) {
      if (!submix.is_read(stage.slot)) look_at(submix, stage);
    }
  }

  void look_at(const SubmixView& submix, const StageView& stage) {
    if (stage.fps > 0 || !seen_.insert(submix.name + "." + stage.slot).second) return;
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
    found_.push_back(fmt::format("slot \"{}.{}\" ({}) on node \"{}\": no frame came out of it for a second",
                                 submix.name, stage.slot, stage.plugin, submix.node));
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
    found_.push_back(fmt::format("stream \"{}\": {} frames are on their way, none came in for a second",
                                 stream.name, stream.sender.frames_queued));
  }

  void report_closed(const StreamView& stream) {
    std::string why;
    for (const auto& link : stream.links()) {
      if (why.empty()) why = link.error;
    }
    found_.push_back(fmt::format("stream \"{}\": none of its links is open{}{}", stream.name,
                                 why.empty() ? "" : ": ", why));
  }

  const ClusterView& view_;
  std::set<std::string> seen_;  // submixes, and "submix.slot"
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> find_holdups(const ClusterView& view) {
  if (view.connection != Connection::connected || view.show == nullptr || view.transport.is_paused) return {};
  const auto rate = view.show->rate;
  if (rate.frames_per_second() < kRateMin) return {};
  return Search(view).run();
}

}  // namespace submix::model
