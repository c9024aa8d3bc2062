// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/held_inputs.hpp"

#include "common/show/text.hpp"
#include "controller/model/bottleneck.hpp"
#include "controller/model/holdup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace submix::model {
namespace {

// A slow one is held between its frames, whatever stands in for one that is gone.
std::string_view stand_in_of(const StreamView& stream) {
  if (stream.receiver.fps > 0 || stream.policy == show::InputPolicy::hold) return "is held";
  return stream.policy == show::InputPolicy::standby ? "shows its stand-by picture" : "is black";
}

std::string reason(const ClusterView& view, const StreamView& stream, const SubmixView& performer) {
  if (auto obstacle = obstacle_of(performer, view.find_node(performer.node)); !obstacle.empty())
    return obstacle;
  if (std::ranges::none_of(stream.links(), &LinkView::is_open)) return "none of its links is open";
  if (stream.receiver.fps <= 0) return fmt::format("node \"{}\" sends no frame", performer.node);
  const auto limit = limit_of(view, stream);
  return fmt::format("node \"{}\" sends {:.1f} of {} fps{}{}", performer.node, stream.receiver.fps,
                     show::to_string(view.show->rate), limit.is_slow() ? ": " : "", limit.sentence);
}

}  // namespace

std::vector<HeldInput> find_held_inputs(const ClusterView& view) {
  std::vector<HeldInput> found;
  if (view.connection != Connection::connected || view.show == nullptr || view.transport.is_paused)
    return found;
  for (const auto& stream : view.streams) {
    if (stream.receiver.detached.empty() || !stream.receiver.is_current) continue;
    const auto* performer = view.find_submix(stream.from.submix);
    if (performer == nullptr) continue;
    found.push_back({.stream = stream.name,
                     .node = performer->node,
                     .fps = stream.receiver.fps,
                     .sentence = fmt::format("{} {}: {}", stream.name, stand_in_of(stream),
                                             reason(view, stream, *performer))});
  }
  return found;
}

}  // namespace submix::model
