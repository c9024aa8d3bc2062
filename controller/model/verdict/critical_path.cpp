// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/critical_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace submix::model {
namespace {

using BoxKind = PathBox::Kind;
using State = PathBox::State;

State state_of(const SubmixView& submix, const StageView& stage) {
  const auto& [working, starved, blocked] = stage.shares;
  if (working + starved + blocked <= 0) return State::unknown;
  if (working >= starved && working >= blocked) return State::working;
  if (starved >= blocked) return State::starved;
  return submix.is_output(stage.slot) ? State::paced : State::blocked;
}

State state_of(std::uint32_t queued, std::uint32_t capacity) {
  if (queued == 0) return State::empty;
  return capacity > 0 && queued >= capacity ? State::full : State::filling;
}

State state_of(const std::vector<LinkView>& links) {
  if (links.empty() || !std::ranges::all_of(links, &LinkView::is_open)) return State::closed;
  LinkShares sum;
  for (const auto& link : links) {
    sum.sending += link.shares.sending;
    sum.blocked += link.shares.blocked;
    sum.idle += link.shares.idle;
  }
  if (sum.sending + sum.blocked + sum.idle <= 0) return State::unknown;
  if (sum.blocked >= sum.sending && sum.blocked >= sum.idle) return State::blocked;
  return sum.sending >= sum.idle ? State::sending : State::idle;
}

// Why the submix cannot be measured. Empty: it can.
std::string absence_of(const ClusterView& view, const SubmixView& submix) {
  if (submix.node.empty()) return "no node runs it";
  const auto* node = view.find_node(submix.node);
  if (node == nullptr || node->health == Health::absent)
    return fmt::format("node {} is not there", submix.node);
  if (node->health == Health::silent || node->health == Health::gone)
    return fmt::format("node {} is {}", submix.node, to_string(node->health));
  if (submix.state == SubmixState::failed) return "failed: " + submix.error;
  if (submix.stages.empty()) return std::string(to_string(submix.state));
  return {};
}

/// Puts the boxes between the steps of a way.
class PathBuilder {
 public:
  explicit PathBuilder(const ClusterView& view) : view_(view) {}

  std::vector<PathBox> of(const std::vector<BottleneckStep>& steps) {
    for (const auto& step : steps) {
      if (step.stream.empty()) {
        add_slot(step);
      } else {
        add_stream(step);
      }
    }
    if (boxes_.empty()) add_absent_outputs();
    return std::move(boxes_);
  }

 private:
  void add_absent_outputs() {
    for (const auto& submix : view_.submixes) {
      if (submix.is_final && !absence_of(view_, submix).empty()) add_absent(submix);
    }
  }

  void add_absent(const SubmixView& submix) {
    auto& box = add(BoxKind::submix, State::away, "submix " + submix.name, submix.node);
    box.submix = submix.name;
    box.remark = absence_of(view_, submix);
  }

  PathBox& add(BoxKind kind, State state, std::string name, std::string node) {
    boxes_.push_back({.kind = kind,
                      .state = state,
                      .name = std::move(name),
                      .node = std::move(node),
                      .submix = {},
                      .slot = {},
                      .stream = {}});
    return boxes_.back();
  }

  void add_slot(const BottleneckStep& step) {
    const auto* submix = view_.find_submix(step.submix);
    const auto* stage = submix == nullptr ? nullptr : submix->find_stage(step.slot);
    if (stage == nullptr) return;
    if (reader_ != nullptr && reader_submix_ == submix)
      add_queue_between(*submix, *stage, *reader_);
    auto& box = add(BoxKind::slot, state_of(*submix, *stage), step.name, submix->node);
    box.submix = submix->name;
    box.slot = stage->slot;
    reader_submix_ = submix;
    reader_ = stage;
  }

  void add_queue_between(const SubmixView& submix, const StageView& from, const StageView& to) {
    const auto queue = std::ranges::find(to.queues, from.slot, &telemetry::QueueReading::from);
    if (queue == to.queues.end()) return;
    auto& box = add(BoxKind::queue, state_of(queue->size, queue->capacity),
                    fmt::format("{} to {}", from.slot, to.slot), submix.node);
    box.submix = submix.name;
    box.slot = to.slot;
    box.queued = queue->size;
    box.capacity = queue->capacity;
  }

  void add_stream(const BottleneckStep& step) {
    const auto* stream = view_.find_stream(step.stream);
    if (stream == nullptr) return;
    const auto waiting = stream->receiver.frames_queued;
    add_end(*stream, {"waiting for " + stream->to.submix, stream->receiver.node, waiting, 0});
    add(BoxKind::links, state_of(stream->links()), step.name, stream->sender.node).stream =
        stream->name;
    const auto in_flight = stream->sender.frames_queued;
    add_end(*stream, {"in flight to " + stream->to.submix, stream->sender.node, in_flight,
                      in_flight + stream->sender.credits});
    reader_ = nullptr;
    const auto* sender = view_.find_submix(stream->from.submix);
    if (sender != nullptr && !absence_of(view_, *sender).empty()) add_absent(*sender);
  }

  struct EndQueue {
    std::string name;
    std::string node;
    std::uint32_t queued;
    std::uint32_t capacity;
  };
  void add_end(const StreamView& stream, EndQueue end) {
    auto& box = add(BoxKind::queue, state_of(end.queued, end.capacity), std::move(end.name),
                    std::move(end.node));
    box.stream = stream.name;
    box.queued = end.queued;
    box.capacity = end.capacity;
  }

  const ClusterView& view_;
  std::vector<PathBox> boxes_;
  const SubmixView* reader_submix_ = nullptr;
  const StageView* reader_ = nullptr;  // the former slot, whose input is looked for
};

bool is_limit(const PathBox& box, const Bottleneck& bottleneck) {
  switch (bottleneck.kind) {
    case Bottleneck::Kind::slot:
      return box.kind == BoxKind::slot && box.submix == bottleneck.submix &&
             box.slot == bottleneck.slot;
    case Bottleneck::Kind::link:
    case Bottleneck::Kind::delay:
      return box.kind == BoxKind::links && box.stream == bottleneck.stream;
    case Bottleneck::Kind::machine:
      return box.kind == BoxKind::slot && box.node == bottleneck.node &&
             box.state == State::working;
    default:
      return false;
  }
}

// In a standstill, marks the thing that all wait for. If it is not on the way, marks the first box
// that is away, closed, or a working slot.
void mark_standstill(std::vector<PathBox>& path, const Bottleneck& bottleneck) {
  const auto cause = std::ranges::find_if(path, [&](const PathBox& box) {
    if (!bottleneck.stream.empty())
      return box.kind == BoxKind::links && box.stream == bottleneck.stream;
    if (!bottleneck.slot.empty())
      return box.kind == BoxKind::slot && box.submix == bottleneck.submix &&
             box.slot == bottleneck.slot;
    return box.kind == BoxKind::submix && box.submix == bottleneck.submix;
  });
  if (cause != path.end()) {
    cause->is_limit = true;
    return;
  }
  const auto found = std::ranges::find_if(path, [](const PathBox& box) {
    return box.state == State::away || box.state == State::closed ||
           (box.kind == BoxKind::slot && box.state == State::working);
  });
  if (found != path.end()) found->is_limit = true;
}

}  // namespace

std::vector<PathBox> critical_path(const ClusterView& view, const Bottleneck& bottleneck) {
  PathBuilder chain(view);
  auto path = chain.of(bottleneck.steps.empty() ? way_to_the_source(view) : bottleneck.steps);
  for (auto& box : path)
    box.is_limit = is_limit(box, bottleneck);
  if (bottleneck.kind == Bottleneck::Kind::standstill) mark_standstill(path, bottleneck);
  return path;
}

std::string_view to_string(State state) {
  static constexpr std::array<std::string_view, 12> kNames{
      "unknown", "working", "starved", "blocked", "on time", "empty",
      "filling", "full",    "idle",    "sending", "closed",  "away"};
  return kNames.at(static_cast<std::size_t>(state));
}

}  // namespace submix::model
