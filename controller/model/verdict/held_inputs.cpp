// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/held_inputs.hpp"

#include "common/show/text.hpp"
#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/verdict/standstill.hpp"
#include "controller/model/view/list_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace submix::model {
namespace {

// A slow input is held between its frames, whatever the policy shows for a missing sender.
std::string_view stand_in_of(const StreamView& stream) {
  if (stream.receiver.fps > 0 || stream.policy == show::InputPolicy::hold) return "is held";
  return stream.policy == show::InputPolicy::standby ? "shows its stand-by picture" : "is black";
}

std::string reason(const ClusterView& view, const StreamView& stream, const SubmixView& performer) {
  if (auto obstacle = submix_obstacle(view, performer); !obstacle.empty()) return obstacle;
  if (std::ranges::none_of(stream.links(), &LinkView::is_open)) return "none of its links is open";
  if (stream.receiver.fps <= 0) return fmt::format("node \"{}\" sends no frame", performer.node);
  const auto limit = limit_of(view, stream);
  return fmt::format("node \"{}\" sends {:.1f} of {} fps{}{}", performer.node, stream.receiver.fps,
                     show::to_string(view.show->rate), limit.is_slow() ? ": " : "", limit.sentence);
}

/// "is held" of one, "are held" of several.
std::string in_number(const std::string& stand_in, std::size_t count) {
  if (count == 1) return stand_in;
  if (stand_in.starts_with("is ")) return "are " + stand_in.substr(3);
  return "show their stand-by pictures";
}

/// The inputs that a missing node was to feed, and their stand-ins.
class MissingNodeLine {
 public:
  MissingNodeLine(const ClusterView& view, const std::string& node) : view_(view), node_(node) {}

  [[nodiscard]] const std::string& node() const { return node_; }

  void add(const HeldInput& input) {
    auto group = std::ranges::find(groups_, input.stand_in, &Group::stand_in);
    if (group == groups_.end()) group = groups_.insert(group, {input.stand_in, {}});
    group->streams.push_back(input.stream);
    const auto* stream = view_.find_stream(input.stream);
    if (stream == nullptr) return;
    const auto* performer = view_.find_submix(stream->from.submix);
    const bool is_known = std::ranges::find(performers_, performer) != performers_.end();
    if (performer != nullptr && !is_known) performers_.push_back(performer);
  }

  [[nodiscard]] std::string line() const {
    std::string text;
    for (const auto& [stand_in, streams] : groups_)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", list_of(streams, kFewNames),
                          in_number(stand_in, streams.size()));
    return performers_.empty() ? text
                               : fmt::format("{}: {}", text, absence_line(view_, performers_));
  }

 private:
  struct Group {
    std::string stand_in;
    std::vector<std::string> streams;
  };

  const ClusterView& view_;
  std::string node_;
  std::vector<Group> groups_;
  std::vector<const SubmixView*> performers_;
};

}  // namespace

std::vector<HeldInput> find_held_inputs(const ClusterView& view) {
  std::vector<HeldInput> found;
  if (!view.is_known_now() || view.show == nullptr || view.transport.is_paused) return found;
  for (const auto& stream : view.streams) {
    if (!stream.is_shown || stream.receiver.detached.empty() || !stream.receiver.is_current)
      continue;
    const auto* performer = view.find_submix(stream.from.submix);
    if (performer == nullptr) continue;
    const auto stand_in = stand_in_of(stream);
    found.push_back({.stream = stream.name,
                     .node = performer->node,
                     .fps = stream.receiver.fps,
                     .is_away = is_away(view.find_node(performer->node)),
                     .stand_in = std::string(stand_in),
                     .sentence = fmt::format("{} {}: {}", stream.name, stand_in,
                                             reason(view, stream, *performer))});
  }
  return found;
}

std::vector<std::string> lines_of(const ClusterView& view, const std::vector<HeldInput>& held) {
  std::vector<std::string> lines;
  std::vector<MissingNodeLine> absences;
  std::vector<std::size_t> places;  // in lines, of each absence
  for (const auto& input : held) {
    if (!input.is_away || input.node.empty()) {
      lines.push_back(input.sentence);
      continue;
    }
    auto absence = std::ranges::find(absences, input.node, &MissingNodeLine::node);
    if (absence == absences.end()) {
      absences.emplace_back(view, input.node);
      absence = std::prev(absences.end());
      places.push_back(lines.size());
      lines.emplace_back();
    }
    absence->add(input);
  }
  for (std::size_t i = 0; i < absences.size(); ++i)
    lines[places[i]] = absences[i].line();
  return lines;
}

}  // namespace submix::model
