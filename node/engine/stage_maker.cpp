// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/stage_maker.hpp"

#include "node/plugin/parameters.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace submix::engine {
namespace {

constexpr std::chrono::seconds kReadyPatience{1};  // after this time the edit continues anyway

class StageMaker {
 public:
  StageMaker(const PlanInput& input, const Graph& graph, const SeatRules& rules)
      : submix_(input.submix),
        options_(input.options),
        environment_(input.environment),
        demand_grew_(input.demand_grew),
        graph_(graph),
        rules_(rules),
        retained_(graph.slots.size()),
        shows_inputs_(graph.slots.size()),
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
    for (std::size_t i = 0; i < planned_.size(); ++i)
      plan_pool(i);
    wait_until_ready();
    return std::move(planned_);
  }

 private:
  // Plugins start side by side, so that no frame waits for a start.
  void wait_until_ready() {
    const auto deadline = std::chrono::steady_clock::now() + kReadyPatience;
    for (const auto& slot : planned_) {
      for (const auto& plugin : slot.parts.plugins)
        plugin->wait_until_ready(deadline);
    }
  }

  Result<void> plan(std::size_t i) {
    auto& slot = planned_[i];
    const auto behind = frames_behind(graph_, i, retained_, rules_);
    if (!slot.kept) {
      if (auto made = make(i, behind); !made) return made;
    }
    if (auto fits = check_room(i, behind); !fits) return fits;
    const auto traits = traits_of(i);
    retained_[i] = traits.frames_retained;
    shows_inputs_[i] = traits.shows_inputs;
    shows_[i] = shows_inputs_[i] || (graph_.slots[i].passes_on && is_output_shown(i));
    return {};
  }

  // A stream-in's frames lie in its receiver's memory, which cannot grow and which a renewed slot
  // takes over. With a few seats too few the stream-in gives less credit, but delayed frames would
  // take all of it.
  Result<void> check_room(std::size_t i, std::size_t behind) const {
    const auto lent = traits_of(i).frames_lent;
    if (!lent || behind <= *lent || frames_delayed(graph_, i) == 0) return {};
    return fail(
        "the slots behind it would keep {} of its frames, but it was made for {}; shorten the "
        "delays behind it, or take its stream out of the show and put it in again",
        behind, *lent);
  }

  // Called when all plugins exist: a delayed reader may be made after the slot it reads.
  void plan_pool(std::size_t i) {
    auto& slot = planned_[i];
    if (graph_.slots[i].plugin->kind == plugin::Kind::output) return;
    const bool shares_outputs = traits_of(i).shares_outputs;
    const auto behind = frames_behind(graph_, i, retained_, rules_);
    slot.pool = {.seats = frames_made(graph_.slots[i], rules_) + behind + retained_[i],
                 .seats_at_once = seats_at_once(i),
                 .backing = shares_outputs || is_output_shown(i) ? media::Backing::shared
                                                                 : media::Backing::own};
  }

  // A stream-in draws rarely: its frames lie in its receiver's memory. Another slot holds a frame
  // for each worker, the delayed frames, and two frames in its tap.
  [[nodiscard]] std::size_t seats_at_once(std::size_t i) const {
    if (traits_of(i).frames_lent) return 1;
    return graph_.slots[i].workers + frames_delayed(graph_, i) + 2;
  }

  [[nodiscard]] plugin::PluginTraits traits_of(std::size_t i) const {
    return planned_[i].kept ? planned_[i].kept->traits() : planned_[i].parts.traits();
  }

  Result<void> make(std::size_t i, std::size_t frames_behind) {
    const auto& slot = submix_.slots[i];
    const auto& description = *graph_.slots[i].plugin;
    plugin::Setup setup{.submix = submix_.name,
                        .slot = slot.name,
                        .size = options_.size,
                        .rate = options_.rate,
                        .parameters = slot.parameters,
                        .events = &environment_.events,
                        .clock = &environment_.clock,
                        .frames_behind = frames_behind,
                        .is_output_shown = is_output_shown(i),
                        .hosting = slot.hosting,
                        .is_bypassed = slot.is_bypassed,
                        .is_paced = !options_.is_free_running,
                        .is_rendering = options_.is_rendering,
                        .has_other_ends = has_other_ends(graph_, i),
                        .demand_grew = demand_grew_};
    // Checked a single time, so that each remark on a value is reported a single time.
    if (auto completed = plugin::complete_parameters(description, setup); !completed)
      return completed;
    planned_[i].parts = {slot.name, &description, {}, slot.is_bypassed};
    for (std::size_t worker = 0; worker < graph_.slots[i].workers; ++worker) {
      auto plugin = environment_.catalog.create(description.id, setup);
      SUBMIX_TRY(plugin);
      planned_[i].parts.plugins.push_back(std::move(*plugin));
    }
    return {};
  }

  // The readers of a slot that is bypassed while running may show frames outside shared memory.
  [[nodiscard]] bool is_output_shown(std::size_t i) const {
    const auto& readers = graph_.slots[i].readers;
    return std::any_of(readers.begin(), readers.end(), [this](const GraphEdge& reader) {
      return reader.delay == 0 ? shows_[reader.slot] : shows_inputs_[reader.slot];
    });
  }

  const show::Submix& submix_;
  const PatchOptions& options_;
  const PatchEnvironment& environment_;
  const std::function<void()>& demand_grew_;
  const Graph& graph_;
  const SeatRules& rules_;
  std::vector<std::size_t> retained_;
  std::vector<bool> shows_inputs_;  // slots that show their inputs to other processes
  std::vector<bool> shows_;         // the same, or a reader that gets the slot's first input does
  std::vector<PlannedSlot> planned_;
};

}  // namespace

bool has_other_ends(const Graph& graph, std::size_t i) {
  for (std::size_t other = 0; other < graph.slots.size(); ++other) {
    const auto& slot = graph.slots[other];
    if (other != i && slot.readers.empty() && slot.plugin->id != show::kStreamOutPlugin)
      return true;
  }
  return false;
}

Result<std::vector<PlannedSlot>> plan_slots(const PlanInput& input, const Graph& graph,
                                            const SeatRules& rules,
                                            std::vector<std::shared_ptr<Stage>> kept) {
  return StageMaker(input, graph, rules).run(std::move(kept));
}

}  // namespace submix::engine
