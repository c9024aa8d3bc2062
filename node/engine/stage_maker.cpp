// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/stage_maker.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

namespace submix::engine {
namespace {

class StageMaker {
 public:
  StageMaker(const show::Submix& submix, const PatchOptions& options, const PatchEnvironment& environment,
             const Graph& graph, const SeatRules& rules)
      : submix_(submix),
        options_(options),
        environment_(environment),
        graph_(graph),
        rules_(rules),
        retained_(graph.slots.size()),
        shows_(graph.slots.size()),
        planned_(graph.slots.size()) {}

  Result<std::vector<PlannedSlot>> run(std::vector<std::shared_ptr<Stage>> kept) {
    std::vector<std::string> errors;
    for (auto slot = graph_.order.rbegin(); slot != graph_.order.rend(); ++slot) {
      planned_[*slot].kept = std::move(kept[*slot]);
      if (auto made = plan(*slot); !made) {
        errors.push_back(fmt::format("submix \"{}\", slot \"{}\": {}", submix_.name,
                                     submix_.slots[*slot].name, made.error().message));
      }
    }
    std::reverse(errors.begin(), errors.end());
    if (!errors.empty()) return fail("{}", fmt::join(errors, "\n"));
    return std::move(planned_);
  }

 private:
  Result<void> plan(std::size_t i) {
    auto& slot = planned_[i];
    const auto behind = frames_behind(graph_, i, retained_, rules_);
    if (!slot.kept) {
      if (auto made = make(i, behind); !made) return made;
    }
    retained_[i] = slot.kept ? slot.kept->frames_retained() : slot.parts.plugin->frames_retained();
    const bool shows_inputs = slot.kept ? slot.kept->shows_inputs() : slot.parts.plugin->shows_inputs();
    shows_[i] = shows_inputs || (graph_.slots[i].passes_on && is_output_shown(i));
    if (graph_.slots[i].plugin->kind != plugin::Kind::output) {
      const bool shares_outputs =
          slot.kept ? slot.kept->shares_outputs() : slot.parts.plugin->shares_outputs();
      slot.pool = {1 + behind + retained_[i],
                   shares_outputs || is_output_shown(i) ? media::Backing::shared : media::Backing::own};
    }
    return {};
  }

  Result<void> make(std::size_t i, std::size_t frames_behind) {
    const auto& slot = submix_.slots[i];
    const auto& description = *graph_.slots[i].plugin;
    auto plugin = environment_.catalog.create(description.id, {.submix = submix_.name,
                                                               .slot = slot.name,
                                                               .size = options_.size,
                                                               .rate = options_.rate,
                                                               .parameters = slot.parameters,
                                                               .events = &environment_.events,
                                                               .clock = &environment_.clock,
                                                               .frames_behind = frames_behind,
                                                               .hosting = slot.hosting,
                                                               .has_company = has_company(graph_, i)});
    if (!plugin) return tl::unexpected(std::move(plugin.error()));
    planned_[i].parts = {slot.name, &description, std::move(*plugin), slot.is_bypassed};
    return {};
  }

  // Of a slot that is bypassed while running its readers may show frames that lie in no shared memory.
  [[nodiscard]] bool is_output_shown(std::size_t i) const {
    const auto& readers = graph_.slots[i].readers;
    return std::any_of(readers.begin(), readers.end(), [this](std::size_t reader) { return shows_[reader]; });
  }

  const show::Submix& submix_;
  const PatchOptions& options_;
  const PatchEnvironment& environment_;
  const Graph& graph_;
  const SeatRules& rules_;
  std::vector<std::size_t> retained_;
  std::vector<bool> shows_;  // its inputs, to other processes
  std::vector<PlannedSlot> planned_;
};

}  // namespace

bool has_company(const Graph& graph, std::size_t i) {
  for (std::size_t other = 0; other < graph.slots.size(); ++other) {
    const auto& slot = graph.slots[other];
    if (other != i && slot.is_terminal() && slot.plugin->id != show::kStreamOutPlugin) return true;
  }
  return false;
}

Result<std::vector<PlannedSlot>> plan_slots(const show::Submix& submix, const PatchOptions& options,
                                            const PatchEnvironment& environment, const Graph& graph,
                                            const SeatRules& rules,
                                            std::vector<std::shared_ptr<Stage>> kept) {
  return StageMaker(submix, options, environment, graph, rules).run(std::move(kept));
}

}  // namespace submix::engine
