// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/patch.hpp"

#include "common/base/assert.hpp"
#include "common/base/thread.hpp"
#include "common/show/nearest.hpp"
#include "node/engine/credits.hpp"
#include "node/engine/governor.hpp"
#include "node/engine/graph.hpp"
#include "node/engine/stage.hpp"
#include "node/plugin/parameters.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::engine {

struct Patch::Running {
  Running(const show::Submix& submix, const PatchOptions& options, const PatchEnvironment& environment,
          const Graph& graph, std::size_t frames_in_flight_max)
      : credits(count_terminals(graph), frames_in_flight_max),
        governor(options.is_free_running ? std::nullopt : std::optional(options.rate), environment.transport,
                 environment.clock),
        context{.submix = submix.name,
                .rate = options.rate,
                .epoch = options.epoch,
                .queue_capacity = options.queue_capacity,
                .credits = credits,
                .governor = governor,
                .events = environment.events,
                .clock = environment.clock} {}

  static std::size_t count_terminals(const Graph& graph) {
    return static_cast<std::size_t>(std::count_if(graph.slots.begin(), graph.slots.end(),
                                                  [](const auto& slot) { return slot.is_terminal(); }));
  }

  Result<Stage*> find(std::string_view slot) const {
    std::vector<std::string> names;
    for (const auto& stage : stages) {
      if (stage->slot() == slot) return stage.get();
      names.push_back(stage->slot());
    }
    return fail("submix \"{}\" has no slot \"{}\"{}; it has: {}", context.submix, slot,
                show::did_you_mean(slot, names), fmt::join(names, ", "));
  }

  Credits credits;
  Governor governor;
  StageContext context;
  std::vector<std::unique_ptr<Stage>> stages;  // as in the submix
  std::vector<std::jthread> threads;           // last: they end before what they use
};

namespace {

// Makes plugins and their pools from the terminal slots to the sources: a plugin is told how many of its
// frames the patch behind it may hold.
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
        parts_(graph.slots.size()) {}

  Result<std::vector<StageParts>> run() {
    std::vector<std::string> errors;
    for (auto slot = graph_.order.rbegin(); slot != graph_.order.rend(); ++slot) {
      if (auto made = make(*slot); !made) {
        errors.push_back(fmt::format("submix \"{}\", slot \"{}\": {}", submix_.name,
                                     submix_.slots[*slot].name, made.error().message));
      }
    }
    std::reverse(errors.begin(), errors.end());
    if (!errors.empty()) return fail("{}", fmt::join(errors, "\n"));
    number_terminals();
    return std::move(parts_);
  }

 private:
  Result<void> make(std::size_t i) {
    const auto& slot = submix_.slots[i];
    const auto& description = *graph_.slots[i].plugin;
    const auto behind = frames_behind(graph_, i, retained_, rules_);
    auto plugin = environment_.catalog.create(description.id, {.submix = submix_.name,
                                                               .slot = slot.name,
                                                               .size = options_.size,
                                                               .rate = options_.rate,
                                                               .parameters = slot.parameters,
                                                               .events = &environment_.events,
                                                               .clock = &environment_.clock,
                                                               .frames_behind = behind,
                                                               .hosting = slot.hosting,
                                                               .has_company = has_company(i)});
    if (!plugin) return tl::unexpected(std::move(plugin.error()));
    retained_[i] = (*plugin)->frames_retained();
    shows_[i] = (*plugin)->shows_inputs() || (graph_.slots[i].passes_on && is_output_shown(i));
    const bool shares_outputs = (*plugin)->shares_outputs();
    auto& parts = parts_[i];
    parts.slot = slot.name;
    parts.description = &description;
    parts.plugin = std::move(*plugin);
    parts.is_bypassed = slot.is_bypassed;
    if (description.kind != plugin::Kind::output)
      parts.pool.emplace(options_.size, 1 + behind + retained_[i],
                         shares_outputs || is_output_shown(i) ? media::Backing::shared : media::Backing::own);
    return {};
  }

  // Other stream-outs do not count: each may wait for its receivers as long as it takes.
  [[nodiscard]] bool has_company(std::size_t i) const {
    for (std::size_t other = 0; other < graph_.slots.size(); ++other) {
      const auto& slot = graph_.slots[other];
      if (other != i && slot.is_terminal() && slot.plugin->id != show::kStreamOutPlugin) return true;
    }
    return false;
  }

  // Of a slot that is bypassed while running its readers may show frames that lie in no shared memory.
  [[nodiscard]] bool is_output_shown(std::size_t i) const {
    const auto& readers = graph_.slots[i].readers;
    return std::any_of(readers.begin(), readers.end(), [this](std::size_t reader) { return shows_[reader]; });
  }

  void number_terminals() {
    std::size_t terminals = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (graph_.slots[i].is_terminal()) parts_[i].terminal = terminals++;
    }
  }

  const show::Submix& submix_;
  const PatchOptions& options_;
  const PatchEnvironment& environment_;
  const Graph& graph_;
  const SeatRules& rules_;
  std::vector<std::size_t> retained_;
  std::vector<bool> shows_;  // its inputs, to other processes
  std::vector<StageParts> parts_;
};

void connect(std::vector<std::unique_ptr<Stage>>& stages, const Graph& graph) {
  for (std::size_t reader = 0; reader < stages.size(); ++reader) {
    const auto& inputs = graph.slots[reader].inputs;
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      stages[inputs[input]]->connect(*stages[reader], input);
      stages[reader]->name_input(input, stages[inputs[input]]->slot());
    }
  }
}

}  // namespace

Result<std::unique_ptr<Patch>> Patch::build(const show::Submix& submix, const PatchOptions& options,
                                            const PatchEnvironment& environment) {
  SUBMIX_ASSERT(is_allowed(options.size) && options.queue_capacity > 0);
  SUBMIX_ASSERT(options.rate.numerator > 0 && options.rate.denominator > 0);
  const auto graph = Graph::plan(submix, environment.catalog);
  if (!graph) return tl::unexpected(graph.error());
  const SeatRules rules{.queue_capacity = options.queue_capacity,
                        .frames_in_flight_max = options.frames_in_flight_max > 0
                                                    ? options.frames_in_flight_max
                                                    : graph->longest_path + 1,
                        .tap_readers = options.tap_readers};
  auto parts = StageMaker(submix, options, environment, *graph, rules).run();
  if (!parts) return tl::unexpected(std::move(parts.error()));
  auto running = std::make_unique<Running>(submix, options, environment, *graph, rules.frames_in_flight_max);
  for (auto& part : *parts)
    running->stages.push_back(std::make_unique<Stage>(std::move(part), running->context));
  connect(running->stages, *graph);
  return std::unique_ptr<Patch>(new Patch(std::move(running)));
}

Patch::Patch(std::unique_ptr<Running> running) : running_(std::move(running)) {}

Patch::~Patch() {
  stop();
}

void Patch::start() {
  SUBMIX_ASSERT(running_->threads.empty());
  for (auto& stage : running_->stages) {
    running_->threads.push_back(start_thread(
        running_->context.submix + "." + stage->slot(),
        [&stage = *stage](const std::stop_token& stop) { stage.run(stop); }, Urgency::stage));
  }
}

void Patch::stop() {
  for (auto& thread : running_->threads)
    thread.request_stop();
  for (auto& stage : running_->stages)
    stage->close();
  for (auto& thread : running_->threads) {
    if (thread.joinable()) thread.join();
  }
}

Result<void> Patch::set_parameter(std::string_view slot, std::string_view name,
                                  const show::ParameterValue& value) {
  const auto stage = running_->find(slot);
  if (!stage) return tl::unexpected(stage.error());
  auto checked = plugin::check_parameter((*stage)->description(), name, value);
  if (!checked) {
    return fail("submix \"{}\", slot \"{}\": {}", running_->context.submix, slot, checked.error().message);
  }
  if (!checked->remark.empty()) {
    running_->context.events.report(Severity::warning, fmt::format("{}.{}", running_->context.submix, slot),
                                    std::move(checked->remark));
  }
  (*stage)->set_parameter(std::string(name), std::move(checked->value));
  return {};
}

Result<void> Patch::set_bypassed(std::string_view slot, bool is_bypassed) {
  return running_->find(slot).map([&](Stage* stage) { stage->set_bypassed(is_bypassed); });
}

Result<media::Frame> Patch::latest_frame(std::string_view slot) const {
  if (slot.empty()) return running_->stages.back()->latest_frame();
  return running_->find(slot).map([](const Stage* stage) { return stage->latest_frame(); });
}

telemetry::SubmixReading Patch::telemetry() const {
  telemetry::SubmixReading reading;
  reading.name = running_->context.submix;
  reading.frames = running_->credits.completed();
  reading.late_frames = running_->governor.late_frames();
  for (const auto& stage : running_->stages)
    reading.stages.push_back(stage->reading());
  return reading;
}

}  // namespace submix::engine
