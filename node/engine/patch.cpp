// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/patch.hpp"

#include "common/base/assert.hpp"
#include "common/base/mutex.hpp"
#include "common/show/lookup.hpp"
#include "common/show/nearest.hpp"
#include "node/engine/credits.hpp"
#include "node/engine/governor.hpp"
#include "node/engine/graph.hpp"
#include "node/engine/modulation.hpp"
#include "node/engine/seat_census.hpp"
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

/// How long an edit waits for removed slots: most have ended when the edit returns.
constexpr std::chrono::milliseconds kLastFrames(200);

/// A checked change of a slot's parameters.
struct Tuning {
  std::shared_ptr<Stage> stage;
  show::Parameters values;
  bool is_moved = false;                         ///< the members below are valid
  std::shared_ptr<const Modulation> modulation;  ///< as the show states it; null: nothing moves
  show::Parameters settled;                      ///< values of parameters that stop moving
  show::Oscillators stated_before;
  std::shared_ptr<const Modulation> former;  ///< null: nothing moved
};

// Removes the values of moving parameters: a stated value holds once the parameter stops moving
// (settled_values).
void leave_to(const Modulation* modulation, show::Parameters& values) {
  if (modulation == nullptr) return;
  std::erase_if(values, [&](const auto& value) { return modulation->moves(value.first); });
}

}  // namespace

struct Patch::Running {
  Running(std::string name, const PatchOptions& patch_options,
          const PatchEnvironment& patch_environment)
      : options(patch_options),
        environment(patch_environment),
        credits(1),
        governor(options.is_free_running ? std::nullopt : std::optional(options.rate),
                 environment.transport, environment.clock),
        context{.submix = std::move(name),
                .rate = options.rate,
                .epoch = options.epoch,
                .credits = credits,
                .governor = governor,
                .events = environment.events,
                .clock = environment.clock,
                .holders = holders,
                .trace = environment.trace},
        set(options, context),
        timeline{.tempo = options.tempo} {}

  [[nodiscard]] SeatRules rules(const show::Submix& submix, const Graph& graph) const {
    return {.queue_capacity = options.queue_capacity,
            .frames_in_flight_max = frames_in_flight(submix, graph, options.cores),
            .tap_readers = options.tap_readers};
  }
  [[nodiscard]] std::vector<std::shared_ptr<Stage>> kept_stages(
      const show::Submix& submix, const Graph& graph, const std::set<std::string>& renewed) const
      SUBMIX_REQUIRES(mutex);
  [[nodiscard]] bool is_made_alike(const Stage& stage, const show::Slot& after) const
      SUBMIX_REQUIRES(mutex);
  [[nodiscard]] Result<std::vector<Tuning>> tunings(
      const show::Submix& after, const Graph& graph,
      const std::vector<std::shared_ptr<Stage>>& kept) const SUBMIX_REQUIRES(mutex);
  [[nodiscard]] Result<show::Parameters> changed_values(const Stage& stage,
                                                        const show::Slot& after) const
      SUBMIX_REQUIRES(mutex);
  [[nodiscard]] Result<show::ParameterValue> check(const Stage& stage, std::string_view name,
                                                   const show::ParameterValue& value) const;
  [[nodiscard]] show::Parameters settled_values(const Stage& stage, const show::Slot& after,
                                                const Modulation* next) const;
  void state_former(Tuning& tuning, const show::Slot& after) const SUBMIX_REQUIRES(mutex);
  void follow(const std::optional<show::Tempo>& tempo, FrameIndex position) SUBMIX_REQUIRES(mutex);
  void move(const Tuning& tuning, FrameIndex position) const SUBMIX_REQUIRES(mutex);
  [[nodiscard]] Result<void> check_memory(const show::Submix& after, const Graph& graph,
                                          const std::vector<std::shared_ptr<Stage>>& kept) const;
  [[nodiscard]] Result<std::vector<WiredStage>> arrange(
      const show::Submix& after, const Graph& graph,
      const std::vector<std::shared_ptr<Stage>>& kept) const;
  [[nodiscard]] Result<Tuning> tuning(const show::SlotChange& change,
                                      std::vector<std::string>& errors) SUBMIX_REQUIRES(mutex);
  [[nodiscard]] show::Parameters take_values(const Stage& stage, show::Slot& now,
                                             const show::SlotChange& change,
                                             std::vector<std::string>& errors) const
      SUBMIX_REQUIRES(mutex);
  void publish(const show::Submix& now) SUBMIX_REQUIRES(mutex);
  void tend(std::chrono::nanoseconds patience);
  [[nodiscard]] std::vector<std::shared_ptr<Stage>> stages() const SUBMIX_EXCLUDES(mutex);
  [[nodiscard]] telemetry::TimelineReading timeline_reading() const SUBMIX_EXCLUDES(mutex);
  [[nodiscard]] Result<std::shared_ptr<Stage>> find(std::string_view slot) const
      SUBMIX_REQUIRES(mutex);
  /// Empty: the last slot's.
  [[nodiscard]] Result<std::shared_ptr<Stage>> tapped(std::string_view slot) const
      SUBMIX_EXCLUDES(mutex);

  const PatchOptions options;
  const PatchEnvironment environment;
  Credits credits;
  Governor governor;
  Holders holders;
  StageContext context;
  bool is_started = false;
  StageSet set;
  mutable Mutex mutex;
  show::Timeline timeline SUBMIX_GUARDED_BY(mutex);
  show::Submix shape SUBMIX_GUARDED_BY(mutex);  // the present submix
  std::vector<std::shared_ptr<Stage>> published
      SUBMIX_GUARDED_BY(mutex);  // the set's stages, for other threads
};

// Building and editing.

std::vector<std::shared_ptr<Stage>> Patch::Running::kept_stages(
    const show::Submix& after, const Graph& graph, const std::set<std::string>& renewed) const {
  std::vector<std::shared_ptr<Stage>> kept(after.slots.size());
  for (std::size_t i = 0; i < after.slots.size(); ++i) {
    const auto& slot = after.slots[i];
    const auto* wired = set.find(slot.name);
    if (wired == nullptr || renewed.contains(slot.name)) continue;
    if (slot.plugin == show::kStreamOutPlugin && wired->has_company != has_company(graph, i))
      continue;
    if (is_made_alike(*wired->stage, slot)) kept[i] = wired->stage;
  }
  return kept;
}

// A source with another file is another source: if the new file cannot be opened, the edit fails
// and the old source runs on.
bool Patch::Running::is_made_alike(const Stage& stage, const show::Slot& after) const {
  if (stage.description().id != after.plugin) return false;
  const auto* before = show::find_slot(shape, after.name);
  const auto file_of = [](const show::Slot& slot) {
    const auto found = slot.parameters.find("file");
    return found == slot.parameters.end() ? std::nullopt : std::optional(found->second);
  };
  if (before == nullptr || before->hosting != after.hosting || before->helpers != after.helpers)
    return false;
  return stage.description().kind != plugin::Kind::source || file_of(*before) == file_of(after);
}

Result<std::vector<Tuning>> Patch::Running::tunings(
    const show::Submix& after, const Graph& graph,
    const std::vector<std::shared_ptr<Stage>>& kept) const {
  std::vector<Tuning> tunings(after.slots.size());
  for (std::size_t i = 0; i < after.slots.size(); ++i) {
    const auto& slot = after.slots[i];
    auto modulation = make_modulation(slot, *graph.slots[i].plugin, context);
    SUBMIX_TRY(modulation);
    tunings[i].modulation = std::move(*modulation);
    state_former(tunings[i], slot);
    if (!kept[i]) continue;
    auto values = changed_values(*kept[i], slot);
    SUBMIX_TRY(values);
    tunings[i].values = std::move(*values);
    tunings[i].settled = settled_values(*kept[i], slot, tunings[i].modulation.get());
    leave_to(kept[i]->control().modulation().get(), tunings[i].values);
    leave_to(tunings[i].modulation.get(), tunings[i].values);
  }
  return tunings;
}

// A slot continues where the slot of the same name was. A new slot begins as if it had been stated
// before.
void Patch::Running::state_former(Tuning& tuning, const show::Slot& after) const {
  tuning.is_moved = true;
  const auto* before = show::find_slot(shape, after.name);
  tuning.stated_before = before == nullptr ? after.oscillators : before->oscillators;
  if (const auto stage = find(after.name)) tuning.former = (*stage)->control().modulation();
}

// For a kept slot. A parameter that is no longer stated gets its plugin's initial value again.
Result<show::Parameters> Patch::Running::changed_values(const Stage& stage,
                                                        const show::Slot& after) const {
  show::Parameters values;
  const auto* before = show::find_slot(shape, after.name);
  if (before == nullptr) return values;
  for (const auto& [name, value] : before->parameters) {
    const auto* known = stage.description().find_parameter(name);
    if (known != nullptr && !after.parameters.contains(name)) values.emplace(name, known->initial);
  }
  for (const auto& [name, value] : after.parameters) {
    const auto old = before->parameters.find(name);
    if (old != before->parameters.end() && old->second == value) continue;
    auto checked = check(stage, name, value);
    SUBMIX_TRY(checked);
    values.emplace(name, std::move(*checked));
  }
  return values;
}

// Parameters that stop moving get their stated values.
show::Parameters Patch::Running::settled_values(const Stage& stage, const show::Slot& after,
                                                const Modulation* next) const {
  show::Parameters values;
  const auto present = stage.control().modulation();
  if (!present) return values;
  for (const auto& part : present->courses()) {
    if (next != nullptr && next->moves(part.parameter)) continue;
    const auto stated = after.parameters.find(part.parameter);
    auto value = stated == after.parameters.end()
                     ? Result<show::ParameterValue>(
                           stage.description().find_parameter(part.parameter)->initial)
                     : check(stage, part.parameter, stated->second);
    if (value) values.emplace(part.parameter, std::move(*value));
  }
  return values;
}

Result<show::ParameterValue> Patch::Running::check(const Stage& stage, std::string_view name,
                                                   const show::ParameterValue& value) const {
  auto checked = plugin::check_parameter(stage.description(), name, value);
  if (!checked)
    return fail("submix \"{}\", slot \"{}\": {}", context.submix, stage.slot(),
                checked.error().message);
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

Result<void> Patch::edit(const show::Submix& submix, const std::set<std::string>& renewed,
                         const std::optional<show::Tempo>& tempo) {
  auto& running = *running_;
  const auto graph = Graph::plan(submix, running.environment.catalog);
  SUBMIX_TRY(graph);
  std::vector<std::shared_ptr<Stage>> kept;
  std::vector<Tuning> tunings;
  {
    const MutexLock lock(running.mutex);
    kept = running.kept_stages(submix, *graph, renewed);
    auto checked = running.tunings(submix, *graph, kept);
    SUBMIX_TRY(checked);
    tunings = std::move(*checked);
  }
  auto after = running.arrange(submix, *graph, kept);
  SUBMIX_TRY(after);
  {
    const MutexLock lock(running.mutex);
    const FrameIndex position{running.credits.hold()};
    running.set.change_to(std::move(*after), *graph, position.value);
    running.publish(submix);
    for (std::size_t i = 0; i < tunings.size(); ++i)
      tunings[i].stage = running.published[i];
    running.follow(tempo, position);
    for (const auto& tuning : tunings)
      running.move(tuning, position);
    running.credits.release(running.rules(submix, *graph).frames_in_flight_max);
    for (std::size_t i = 0; i < tunings.size(); ++i) {
      tunings[i].stage->control().tune(tunings[i].values);
      tunings[i].stage->control().set_bypassed(submix.slots[i].is_bypassed);
    }
  }
  if (running.is_started) running.set.start_threads();
  running.tend(kLastFrames);
  return {};
}

// Slots without another change follow the new tempo as well.
void Patch::Running::follow(const std::optional<show::Tempo>& tempo, FrameIndex position) {
  if (!tempo || *tempo == timeline.tempo) return;
  timeline = show::in_step(*tempo, timeline, options.rate, position);
  for (const auto& stage : published) {
    if (const auto moved = stage->control().modulation())
      stage->control().modulate(position.value, moved->with_timeline(timeline));
  }
}

// A plugin is told nothing if nothing changes.
void Patch::Running::move(const Tuning& tuning, FrameIndex position) const {
  if (!tuning.is_moved) return;
  const auto present = tuning.stage->control().modulation();
  auto next = tuning.modulation;
  if (next) next = next->in_step(tuning.stated_before, tuning.former.get(), timeline, position);
  const bool is_same = present && next ? *present == *next : present == next;
  if (!is_same || !tuning.settled.empty())
    tuning.stage->control().modulate(position.value, std::move(next), tuning.settled);
}

// Pools touch their memory when they are made: on a machine without room the kernel would kill a
// program.
Result<void> Patch::Running::check_memory(const show::Submix& after, const Graph& graph,
                                          const std::vector<std::shared_ptr<Stage>>& kept) const {
  if (!environment.memory_free) return {};
  const auto needed = set.memory_needed(graph, kept);
  const auto free = environment.memory_free();
  if (needed.bytes <= free) return {};
  constexpr std::size_t kMegabyte = 1'000'000;
  const auto remedy =
      needed.delayed_bytes == 0
          ? std::string("take slots out, or make the show's size smaller")
          : fmt::format(
                "{} MB of that wait for delays, most behind slot \"{}\": shorten those, or make "
                "the show's "
                "size smaller",
                needed.delayed_bytes / kMegabyte, after.slots[needed.most_delayed_slot].name);
  return fail(
      "submix \"{}\": its frames need at least {} MB of memory more, but {} MB are free; {}",
      context.submix, needed.bytes / kMegabyte, free / kMegabyte, remedy);
}

// Builds all new parts; nothing uses them yet. If memory runs out here, the present patch runs on.
Result<std::vector<WiredStage>> Patch::Running::arrange(
    const show::Submix& after, const Graph& graph,
    const std::vector<std::shared_ptr<Stage>>& kept) const {
  SUBMIX_TRY(check_memory(after, graph, kept));
  try {
    auto planned = plan_slots(after, options, environment, graph, rules(after, graph), kept);
    SUBMIX_TRY(planned);
    return set.arrange(std::move(*planned), graph);
  } catch (const std::exception& error) {
    return fail("submix \"{}\": no room for {} slots: {}", context.submix, after.slots.size(),
                error.what());
  }
}

void Patch::tend() {
  running_->tend({});
}

// Running, tuning and reading.

Patch::Patch(std::unique_ptr<Running> running) : running_(std::move(running)) {}

Patch::~Patch() {
  stop();
}

void Patch::start() {
  SUBMIX_ASSERT(!running_->is_started);
  running_->is_started = true;
  running_->set.start_threads();
}

void Patch::ask_to_stop() {
  running_->set.ask_to_stop();
}

void Patch::stop() {
  running_->set.stop();
}

void Patch::Running::publish(const show::Submix& now) {
  shape = now;
  published.clear();
  for (const auto& wired : set.stages())
    published.push_back(wired.stage);
}

std::vector<std::shared_ptr<Stage>> Patch::Running::stages() const {
  MutexLock lock(mutex);
  return published;
}

telemetry::TimelineReading Patch::Running::timeline_reading() const {
  const MutexLock lock(mutex);
  const auto& [tempo, since, moment] = timeline;
  return {tempo.beats_per_minute, tempo.master_speed, since.value, moment.seconds, moment.beats};
}

Result<std::shared_ptr<Stage>> Patch::Running::find(std::string_view slot) const {
  std::vector<std::string> names;
  for (const auto& stage : published) {
    if (stage->slot() == slot) return stage;
    names.push_back(stage->slot());
  }
  return fail("submix \"{}\" has no slot \"{}\"{}; it has: {}", context.submix, slot,
              show::did_you_mean(slot, names), fmt::join(names, ", "));
}

Result<void> Patch::tune(const std::vector<show::SlotChange>& changes,
                         const std::optional<show::Tempo>& tempo) {
  auto& running = *running_;
  const MutexLock lock(running.mutex);
  std::vector<std::string> errors;
  std::vector<Tuning> tunings;
  for (const auto& change : changes) {
    auto tuning = running.tuning(change, errors);
    if (!tuning) errors.push_back(std::move(tuning.error().message));
    if (tuning) tunings.push_back(std::move(*tuning));
  }
  const bool is_other_tempo = tempo && *tempo != running.timeline.tempo;
  const auto is_moved = [](const Tuning& tuning) { return tuning.is_moved; };
  if (is_other_tempo || std::any_of(tunings.begin(), tunings.end(), is_moved)) {
    const FrameIndex position{running.credits.hold()};
    running.follow(tempo, position);
    for (const auto& tuning : tunings)
      running.move(tuning, position);
    running.credits.release();
  }
  for (const auto& tuning : tunings)
    tuning.stage->control().tune(tuning.values);
  if (!errors.empty()) return fail("{}", fmt::join(errors, "\n"));
  return {};
}

Result<void> Patch::tune(const show::SlotChange& change) {
  return tune(std::vector{change}, std::nullopt);
}

// The correct parts of the change; `errors` gets the rest.
Result<Tuning> Patch::Running::tuning(const show::SlotChange& change,
                                      std::vector<std::string>& errors) {
  const auto stage = find(change.slot.slot);
  SUBMIX_TRY(stage);
  auto& now = *show::find_slot(shape, change.slot.slot);
  Tuning tuning;
  tuning.stage = *stage;
  tuning.values = take_values(**stage, now, change, errors);
  if (change.is_bypassed) (*stage)->control().set_bypassed(*change.is_bypassed);
  leave_to((*stage)->control().modulation().get(), tuning.values);
  if (!change.oscillators && !change.fades && now.fades.empty()) return tuning;
  auto after = now;
  after.oscillators = change.oscillators.value_or(now.oscillators);
  after.fades = change.fades.value_or(now.fades);
  auto modulation = make_modulation(after, (*stage)->description(), context);
  if (!modulation) {
    errors.push_back(std::move(modulation.error().message));
    return tuning;
  }
  state_former(tuning, after);
  tuning.modulation = std::move(*modulation);
  tuning.settled = settled_values(**stage, after, tuning.modulation.get());
  leave_to(tuning.modulation.get(), tuning.values);
  now.oscillators = std::move(after.oscillators);
  now.fades = std::move(after.fades);
  return tuning;
}

show::Parameters Patch::Running::take_values(const Stage& stage, show::Slot& now,
                                             const show::SlotChange& change,
                                             std::vector<std::string>& errors) const {
  show::Parameters values;
  for (const auto& [name, value] : change.parameters) {
    const auto* known = stage.description().find_parameter(name);
    const bool is_stated = value.has_value() || known == nullptr;
    auto checked = check(stage, name, is_stated ? value.value_or(0.0) : known->initial);
    if (!checked) {
      errors.push_back(std::move(checked.error().message));
      continue;
    }
    values.insert_or_assign(name, std::move(*checked));
    if (value) now.parameters.insert_or_assign(name, *value);
    if (!value) now.parameters.erase(name);
  }
  return values;
}

Result<void> Patch::set_parameter(std::string_view slot, std::string_view name,
                                  const show::ParameterValue& value) {
  return tune(
      {{running_->context.submix, std::string(slot)}, {{std::string(name), value}}, {}, {}});
}

Result<void> Patch::set_bypassed(std::string_view slot, bool is_bypassed) {
  const MutexLock lock(running_->mutex);
  return running_->find(slot).map(
      [&](const auto& stage) { stage->control().set_bypassed(is_bypassed); });
}

Result<std::shared_ptr<Stage>> Patch::Running::tapped(std::string_view slot) const {
  const MutexLock lock(mutex);
  if (slot.empty()) return published.back();
  return find(slot);
}

Result<std::optional<TapPicture>> Patch::picture(std::string_view slot, int width_max) const {
  return running_->tapped(slot).map(
      [&](const auto& stage) { return stage->tap().picture(width_max); });
}

Result<media::Frame> Patch::latest_frame(std::string_view slot) const {
  return running_->tapped(slot).map([](const auto& stage) { return stage->tap().latest(); });
}

Format Patch::format() const {
  return {running_->options.size, running_->options.rate};
}

show::Submix Patch::shape() const {
  const MutexLock lock(running_->mutex);
  return running_->shape;
}

bool Patch::has_made_frames() const {
  return running_->credits.completed() > 0;
}

telemetry::SubmixReading Patch::telemetry() const {
  telemetry::SubmixReading reading;
  reading.name = running_->context.submix;
  reading.frames = running_->credits.completed();
  reading.late_frames = running_->governor.late_frames();
  reading.late_frame = running_->governor.late_frame();
  reading.missed_frames = running_->governor.missed_frames();
  reading.missed_frame = running_->governor.missed_frame();
  reading.jitter = running_->governor.jitter();
  reading.timeline = running_->timeline_reading();
  const auto stages = running_->stages();
  for (const auto& stage : stages) {
    reading.stages.push_back(stage->reading());
    stage->add_lateness(reading);
  }
  reading.pools = count_seats(stages);
  return reading;
}

}  // namespace submix::engine
