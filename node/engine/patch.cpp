// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/patch.hpp"

#include "common/base/assert.hpp"
#include "common/base/mutex.hpp"
#include "common/show/nearest.hpp"
#include "node/engine/credits.hpp"
#include "node/engine/governor.hpp"
#include "node/engine/graph.hpp"
#include "node/engine/stage_maker.hpp"
#include "node/engine/stage_set.hpp"
#include "node/plugin/parameters.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace submix::engine {
namespace {

/// How long an edit waits for the slots that are gone, so that most are when it returns.
constexpr std::chrono::milliseconds kLastFrames(200);

/// A parameter's new value, checked.
struct Tuning {
  std::shared_ptr<Stage> stage;
  std::string name;
  show::ParameterValue value;
};

}  // namespace

struct Patch::Running {
  Running(std::string name, const PatchOptions& patch_options, const PatchEnvironment& patch_environment)
      : options(patch_options),
        environment(patch_environment),
        credits(1),
        governor(options.is_free_running ? std::nullopt : std::optional(options.rate), environment.transport,
                 environment.clock),
        context{.submix = std::move(name),
                .rate = options.rate,
                .epoch = options.epoch,
                .credits = credits,
                .governor = governor,
                .events = environment.events,
                .clock = environment.clock},
        set(options, context) {}

  [[nodiscard]] SeatRules rules(const Graph& graph) const {
    return {.queue_capacity = options.queue_capacity,
            .frames_in_flight_max =
                options.frames_in_flight_max > 0 ? options.frames_in_flight_max : graph.longest_path + 1,
            .tap_readers = options.tap_readers};
  }
  [[nodiscard]] std::vector<std::shared_ptr<Stage>> kept_stages(const show::Submix& submix,
                                                                const Graph& graph,
                                                                const std::set<std::string>& renewed) const
      SUBMIX_REQUIRES(mutex);
  [[nodiscard]] bool is_made_alike(const Stage& stage, const show::Slot& after) const SUBMIX_REQUIRES(mutex);
  [[nodiscard]] Result<std::vector<Tuning>> tunings(const show::Submix& after,
                                                    const std::vector<std::shared_ptr<Stage>>& kept) const
      SUBMIX_REQUIRES(mutex);
  [[nodiscard]] Result<show::ParameterValue> check(const Stage& stage, std::string_view name,
                                                   const show::ParameterValue& value) const;
  [[nodiscard]] Result<std::vector<Place>> arrange(const show::Submix& after, const Graph& graph,
                                                   const std::vector<std::shared_ptr<Stage>>& kept) const;
  void publish(const show::Submix& now) SUBMIX_EXCLUDES(mutex);
  /// Null: it has none of that name.
  [[nodiscard]] show::Slot* slot_of_shape(std::string_view slot) SUBMIX_REQUIRES(mutex);
  void tend(std::chrono::nanoseconds patience);
  [[nodiscard]] std::vector<std::shared_ptr<Stage>> stages() const SUBMIX_EXCLUDES(mutex);
  [[nodiscard]] Result<std::shared_ptr<Stage>> find(std::string_view slot) const SUBMIX_EXCLUDES(mutex);

  const PatchOptions options;
  const PatchEnvironment environment;
  Credits credits;
  Governor governor;
  StageContext context;
  bool is_started = false;
  StageSet set;
  mutable Mutex mutex;
  show::Submix shape SUBMIX_GUARDED_BY(mutex);                             // as it is now
  std::vector<std::shared_ptr<Stage>> published SUBMIX_GUARDED_BY(mutex);  // those of the set, for others
};

// ---- building and editing
// ------------------------------------------------------------------------------------

std::vector<std::shared_ptr<Stage>> Patch::Running::kept_stages(const show::Submix& after, const Graph& graph,
                                                                const std::set<std::string>& renewed) const {
  std::vector<std::shared_ptr<Stage>> kept(after.slots.size());
  for (std::size_t i = 0; i < after.slots.size(); ++i) {
    const auto& slot = after.slots[i];
    const auto* place = set.find(slot.name);
    if (place == nullptr || renewed.contains(slot.name)) continue;
    if (slot.plugin == show::kStreamOutPlugin && place->has_company != has_company(graph, i)) continue;
    if (is_made_alike(*place->stage, slot)) kept[i] = place->stage;
  }
  return kept;
}

// A source that cannot open its new file must fail, while the old one goes on: that is another source.
bool Patch::Running::is_made_alike(const Stage& stage, const show::Slot& after) const {
  if (stage.description().id != after.plugin) return false;
  const auto before = std::find_if(shape.slots.begin(), shape.slots.end(),
                                   [&](const show::Slot& each) { return each.name == after.name; });
  const auto file_of = [](const show::Slot& slot) {
    const auto found = slot.parameters.find("file");
    return found == slot.parameters.end() ? std::nullopt : std::optional(found->second);
  };
  if (before == shape.slots.end() || before->hosting != after.hosting) return false;
  return stage.description().kind != plugin::Kind::source || file_of(*before) == file_of(after);
}

// What the kept slots' parameters become; what is stated no more has its plugin's own initial value again.
Result<std::vector<Tuning>> Patch::Running::tunings(const show::Submix& after,
                                                    const std::vector<std::shared_ptr<Stage>>& kept) const {
  std::vector<Tuning> tunings;
  for (std::size_t i = 0; i < after.slots.size(); ++i) {
    const auto& slot = after.slots[i];
    const auto before = std::find_if(shape.slots.begin(), shape.slots.end(),
                                     [&](const show::Slot& each) { return each.name == slot.name; });
    if (!kept[i] || before == shape.slots.end()) continue;
    for (const auto& [name, value] : before->parameters) {
      const auto* known = kept[i]->description().find_parameter(name);
      if (known != nullptr && !slot.parameters.contains(name))
        tunings.push_back({kept[i], name, known->initial});
    }
    for (const auto& [name, value] : slot.parameters) {
      const auto old = before->parameters.find(name);
      if (old != before->parameters.end() && old->second == value) continue;
      auto checked = check(*kept[i], name, value);
      if (!checked) return tl::unexpected(checked.error());
      tunings.push_back({kept[i], name, std::move(*checked)});
    }
  }
  return tunings;
}

Result<show::ParameterValue> Patch::Running::check(const Stage& stage, std::string_view name,
                                                   const show::ParameterValue& value) const {
  auto checked = plugin::check_parameter(stage.description(), name, value);
  if (!checked)
    return fail("submix \"{}\", slot \"{}\": {}", context.submix, stage.slot(), checked.error().message);
  if (!checked->remark.empty()) {
    context.events.report(Severity::warning, fmt::format("{}.{}", context.submix, stage.slot()),
                          std::move(checked->remark));
  }
  return std::move(checked->value);
}

void Patch::Running::tend(std::chrono::nanoseconds patience) {
  set.tend(patience, environment.transport.state().is_paused);
}

Result<std::unique_ptr<Patch>> Patch::build(const show::Submix& submix, const PatchOptions& options,
                                            const PatchEnvironment& environment) {
  SUBMIX_ASSERT(is_allowed(options.size) && options.queue_capacity > 0);
  SUBMIX_ASSERT(options.rate.numerator > 0 && options.rate.denominator > 0);
  auto running = std::make_unique<Running>(submix.name, options, environment);
  std::unique_ptr<Patch> patch(new Patch(std::move(running)));
  return patch->edit(submix).map([&] { return std::move(patch); });
}

Result<void> Patch::edit(const show::Submix& submix, const std::set<std::string>& renewed) {
  auto& running = *running_;
  const auto graph = Graph::plan(submix, running.environment.catalog);
  if (!graph) return tl::unexpected(graph.error());
  std::vector<std::shared_ptr<Stage>> kept;
  std::vector<Tuning> tunings;
  {
    const MutexLock lock(running.mutex);
    kept = running.kept_stages(submix, *graph, renewed);
    auto checked = running.tunings(submix, kept);
    if (!checked) return tl::unexpected(std::move(checked.error()));
    tunings = std::move(*checked);
  }
  auto after = running.arrange(submix, *graph, kept);
  if (!after) return tl::unexpected(std::move(after.error()));
  const auto position = running.credits.hold();
  running.set.go_over(std::move(*after), *graph, position);
  running.credits.release(running.rules(*graph).frames_in_flight_max);
  running.publish(submix);
  if (running.is_started) running.set.start_threads();
  for (auto& [stage, name, value] : tunings)
    stage->set_parameter(std::move(name), std::move(value));
  for (const auto& slot : submix.slots)
    running.set.find(slot.name)->stage->set_bypassed(slot.is_bypassed);
  running.tend(kLastFrames);
  return {};
}

// All that is new, with nothing of it in use. What runs goes on where this machine has no room for that.
Result<std::vector<Place>> Patch::Running::arrange(const show::Submix& after, const Graph& graph,
                                                   const std::vector<std::shared_ptr<Stage>>& kept) const {
  try {
    auto planned = plan_slots(after, options, environment, graph, rules(graph), kept);
    if (!planned) return tl::unexpected(std::move(planned.error()));
    return set.arrange(std::move(*planned), graph);
  } catch (const std::exception& error) {
    return fail("submix \"{}\": no room for {} slots: {}", context.submix, after.slots.size(), error.what());
  }
}

void Patch::tend() {
  running_->tend({});
}

// ---- the rest
// ------------------------------------------------------------------------------------------------

Patch::Patch(std::unique_ptr<Running> running) : running_(std::move(running)) {}

Patch::~Patch() {
  stop();
}

void Patch::start() {
  SUBMIX_ASSERT(!running_->is_started);
  running_->is_started = true;
  running_->set.start_threads();
}

void Patch::stop() {
  running_->set.stop();
}

show::Slot* Patch::Running::slot_of_shape(std::string_view slot) {
  const auto found = std::find_if(shape.slots.begin(), shape.slots.end(),
                                  [&](const show::Slot& each) { return each.name == slot; });
  return found == shape.slots.end() ? nullptr : &*found;
}

void Patch::Running::publish(const show::Submix& now) {
  const MutexLock lock(mutex);
  shape = now;
  published.clear();
  for (const auto& place : set.places())
    published.push_back(place.stage);
}

std::vector<std::shared_ptr<Stage>> Patch::Running::stages() const {
  MutexLock lock(mutex);
  return published;
}

Result<std::shared_ptr<Stage>> Patch::Running::find(std::string_view slot) const {
  std::vector<std::string> names;
  for (const auto& stage : stages()) {
    if (stage->slot() == slot) return stage;
    names.push_back(stage->slot());
  }
  return fail("submix \"{}\" has no slot \"{}\"{}; it has: {}", context.submix, slot,
              show::did_you_mean(slot, names), fmt::join(names, ", "));
}

Result<void> Patch::set_parameter(std::string_view slot, std::string_view name,
                                  const show::ParameterValue& value) {
  const auto stage = running_->find(slot);
  if (!stage) return tl::unexpected(stage.error());
  auto checked = running_->check(**stage, name, value);
  if (!checked) return tl::unexpected(checked.error());
  (*stage)->set_parameter(std::string(name), std::move(*checked));
  const MutexLock lock(running_->mutex);
  if (auto* now = running_->slot_of_shape(slot)) now->parameters.insert_or_assign(std::string(name), value);
  return {};
}

Result<void> Patch::set_bypassed(std::string_view slot, bool is_bypassed) {
  return running_->find(slot).map([&](const auto& stage) { stage->set_bypassed(is_bypassed); });
}

Result<media::Frame> Patch::latest_frame(std::string_view slot) const {
  if (slot.empty()) return running_->stages().back()->latest_frame();
  return running_->find(slot).map([](const auto& stage) { return stage->latest_frame(); });
}

telemetry::SubmixReading Patch::telemetry() const {
  telemetry::SubmixReading reading;
  reading.name = running_->context.submix;
  reading.frames = running_->credits.completed();
  reading.late_frames = running_->governor.late_frames();
  for (const auto& stage : running_->stages())
    reading.stages.push_back(stage->reading());
  return reading;
}

}  // namespace submix::engine
