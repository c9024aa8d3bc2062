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
#include "node/engine/patch_tuning.hpp"
#include "node/engine/seat_census.hpp"
#include "node/engine/stage_maker.hpp"
#include "node/engine/stage_set.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace submix::engine {
namespace {

/// How long an edit waits for removed slots: most have ended when the edit returns.
constexpr std::chrono::milliseconds kLastFrames(200);

constexpr std::size_t kMegabyte = 1'000'000;

/// The checked change of a running stage's parameters.
struct StageTuning {
  std::shared_ptr<Stage> stage;
  Tuning tuning;
};

/// A checked edit. The lists have an entry for each slot of the edited submix.
struct EditPlan {
  const show::Submix& after;
  Graph graph;
  std::vector<std::shared_ptr<Stage>> kept;  // null: the slot gets a new stage
  std::vector<Tuning> tunings;
};

/// How to make a patch fit into the free memory.
std::string memory_remedy(const PoolMemory& needed, const show::Submix& submix) {
  if (needed.delayed_bytes == 0) return "take slots out, or make the show's size smaller";
  return fmt::format(
      "{} MB of these wait for delays, most behind slot \"{}\": shorten the delays, or make the "
      "show's size smaller",
      needed.delayed_bytes / kMegabyte, submix.slots[needed.most_delayed_slot].name);
}

}  // namespace

struct Patch::Running {
  Running(std::string name, const PatchOptions& patch_options,
          const PatchEnvironment& patch_environment)
      : options(patch_options),
        environment(patch_environment),
        credits(1, !options.is_free_running),
        governor(options.is_free_running ? std::nullopt : std::optional(options.rate),
                 environment.transport, environment.clock),
        count(options.rate, options.is_free_running ? ShowTime() : environment.show_time),
        context{.submix = std::move(name),
                .rate = options.rate,
                .epoch = options.epoch,
                .credits = credits,
                .governor = governor,
                .events = environment.events,
                .clock = environment.clock,
                .holders = holders,
                .flights = flights,
                .count = count,
                .trace = environment.trace,
                .sound = environment.sound},
        set(options, context),
        tempo(options.tempo) {}

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
  void follow(const std::optional<show::Tempo>& next, FrameIndex position) SUBMIX_REQUIRES(mutex);
  void modulate(Stage& stage, const Tuning& tuning, FrameIndex position) const
      SUBMIX_REQUIRES(mutex);
  [[nodiscard]] Result<EditPlan> plan_edit(const show::Submix& after,
                                           const std::set<std::string>& renewed) const
      SUBMIX_EXCLUDES(mutex);
  [[nodiscard]] Result<void> check_memory(const EditPlan& edit) const;
  [[nodiscard]] Result<std::vector<WiredStage>> arrange(const EditPlan& edit);
  void change_to(std::vector<WiredStage> stages, const EditPlan& edit,
                 const std::optional<show::Tempo>& next_tempo) SUBMIX_EXCLUDES(mutex);
  [[nodiscard]] Result<StageTuning> take_change(const show::SlotChange& change,
                                                std::vector<std::string>& errors)
      SUBMIX_REQUIRES(mutex);
  void publish(const show::Submix& now) SUBMIX_REQUIRES(mutex);
  void tend(std::chrono::nanoseconds patience);
  [[nodiscard]] std::vector<std::shared_ptr<Stage>> stages() const SUBMIX_EXCLUDES(mutex);
  [[nodiscard]] Result<std::shared_ptr<Stage>> find(std::string_view slot) const
      SUBMIX_REQUIRES(mutex);
  /// Empty: the last slot's.
  [[nodiscard]] Result<std::shared_ptr<Stage>> tapped(std::string_view slot) const
      SUBMIX_EXCLUDES(mutex);

  const PatchOptions options;
  const PatchEnvironment environment;
  Credits credits;
  Governor governor;
  ShowCount count;
  Holders holders;
  FlightTimes flights;
  StageContext context;
  bool is_started = false;
  StageSet set;
  mutable Mutex mutex;
  show::Tempo tempo SUBMIX_GUARDED_BY(mutex);
  show::Submix shape SUBMIX_GUARDED_BY(mutex);  // the present submix
  // the set's stages, for other threads
  std::vector<std::shared_ptr<Stage>> published SUBMIX_GUARDED_BY(mutex);
};

// Building and editing.

std::vector<std::shared_ptr<Stage>> Patch::Running::kept_stages(
    const show::Submix& after, const Graph& graph, const std::set<std::string>& renewed) const {
  std::vector<std::shared_ptr<Stage>> kept(after.slots.size());
  for (std::size_t i = 0; i < after.slots.size(); ++i) {
    const auto& slot = after.slots[i];
    const auto* wired = set.find(slot.name);
    if (wired == nullptr || renewed.contains(slot.name)) continue;
    if (slot.plugin == show::kStreamOutPlugin && wired->has_other_ends != has_other_ends(graph, i))
      continue;
    if (is_made_alike(*wired->stage, slot)) kept[i] = wired->stage;
  }
  return kept;
}

// A source with another file is made anew: if the new file cannot be opened, the edit fails and the
// old source runs on.
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
  std::vector<Tuning> tunings;
  for (std::size_t i = 0; i < after.slots.size(); ++i) {
    const auto& slot = after.slots[i];
    RunningSlot running{.stated = show::find_slot(shape, slot.name),
                        .description = kept[i] ? &kept[i]->description() : nullptr};
    if (const auto stage = find(slot.name)) running.modulation = (*stage)->control().modulation();

    auto tuning = tuning_by_edit(running, slot, *graph.slots[i].plugin, context);
    SUBMIX_TRY(tuning);
    tunings.push_back(std::move(*tuning));
  }
  return tunings;
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
  const auto edit = running.plan_edit(submix, renewed);
  SUBMIX_TRY(edit);
  const bool has_new_stages = std::ranges::find(edit->kept, nullptr) != edit->kept.end();
  if (has_new_stages) running.credits.start_ahead();
  auto stages = running.arrange(*edit);
  SUBMIX_TRY(stages);

  running.change_to(std::move(*stages), *edit, tempo);
  if (running.is_started) running.set.start_threads();
  running.tend(kLastFrames);
  return {};
}

Result<EditPlan> Patch::Running::plan_edit(const show::Submix& after,
                                           const std::set<std::string>& renewed) const {
  auto graph = Graph::plan(after, environment.catalog);
  SUBMIX_TRY(graph);

  const MutexLock lock(mutex);
  auto kept = kept_stages(after, *graph, renewed);
  auto checked = tunings(after, *graph, kept);
  SUBMIX_TRY(checked);
  return EditPlan{after, std::move(*graph), std::move(kept), std::move(*checked)};
}

// Every slot changes before the same frame, which the credits hold back meanwhile.
void Patch::Running::change_to(std::vector<WiredStage> stages, const EditPlan& edit,
                               const std::optional<show::Tempo>& next_tempo) {
  const MutexLock lock(mutex);
  const FrameIndex position{credits.hold()};
  set.change_to(std::move(stages), edit.graph, position.value);
  publish(edit.after);

  follow(next_tempo, position);
  for (std::size_t i = 0; i < edit.tunings.size(); ++i)
    modulate(*published[i], edit.tunings[i], position);
  credits.release(rules(edit.after, edit.graph).frames_in_flight_max);

  for (std::size_t i = 0; i < edit.tunings.size(); ++i) {
    published[i]->tune(edit.tunings[i].values);
    published[i]->control().set_bypassed(edit.after.slots[i].is_bypassed);
  }
}

// Slots without another change follow the new tempo as well.
void Patch::Running::follow(const std::optional<show::Tempo>& next, FrameIndex position) {
  if (!next || *next == tempo) return;
  tempo = *next;
  for (const auto& stage : published) {
    if (const auto moved = stage->control().modulation())
      stage->control().modulate(position.value, moved->with_tempo(tempo));
  }
}

void Patch::Running::modulate(Stage& stage, const Tuning& tuning, FrameIndex position) const {
  const auto present = stage.control().modulation();
  auto update = modulation_from(tuning, present, tempo);
  if (update)
    stage.control().modulate(position.value, std::move(update->modulation), update->settled);
}

// Pools touch their memory when they are made: without enough memory the kernel would kill a
// program.
Result<void> Patch::Running::check_memory(const EditPlan& edit) const {
  if (!environment.memory_free) return {};
  const auto needed = set.memory_needed(edit.graph, edit.kept);
  const auto free = environment.memory_free();
  if (needed.bytes <= free) return {};
  return fail(
      "submix \"{}\": its frames need at least {} MB of memory more, but {} MB are free; {}",
      context.submix, needed.bytes / kMegabyte, free / kMegabyte,
      memory_remedy(needed, edit.after));
}

// Builds all new parts; nothing uses them yet. If memory runs out here, the present patch runs on.
Result<std::vector<WiredStage>> Patch::Running::arrange(const EditPlan& edit) {
  SUBMIX_TRY(check_memory(edit));
  try {
    auto planned = plan_slots({.submix = edit.after,
                               .options = options,
                               .environment = environment,
                               .demand_grew = [this] { credits.demand_grew(); }},
                              edit.graph, rules(edit.after, edit.graph), edit.kept);
    SUBMIX_TRY(planned);
    return set.arrange(std::move(*planned), edit.graph);
  } catch (const std::exception& error) {
    return fail("submix \"{}\": no room for {} slots: {}", context.submix, edit.after.slots.size(),
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
  std::vector<StageTuning> tunings;
  for (const auto& change : changes) {
    auto tuning = running.take_change(change, errors);
    if (!tuning) errors.push_back(std::move(tuning.error().message));
    if (tuning) tunings.push_back(std::move(*tuning));
  }

  const bool is_other_tempo = tempo && *tempo != running.tempo;
  const bool is_any_moved =
      std::ranges::any_of(tunings, [](const StageTuning& each) { return each.tuning.is_moved; });
  if (is_other_tempo || is_any_moved) {
    const FrameIndex position{running.credits.hold()};
    running.follow(tempo, position);
    for (const auto& [stage, tuning] : tunings)
      running.modulate(*stage, tuning, position);
    running.credits.release();
  }

  for (const auto& [stage, tuning] : tunings)
    stage->tune(tuning.values);
  if (!errors.empty()) return fail("{}", fmt::join(errors, "\n"));
  return {};
}

Result<void> Patch::tune(const show::SlotChange& change) {
  return tune(std::vector{change}, std::nullopt);
}

// Notes the correct parts of the change in the shape; `errors` gets the rest.
Result<StageTuning> Patch::Running::take_change(const show::SlotChange& change,
                                                std::vector<std::string>& errors) {
  const auto found = find(change.slot.slot);
  SUBMIX_TRY(found);
  auto& stage = **found;
  auto& stated = *show::find_slot(shape, change.slot.slot);

  const RunningSlot running{.stated = &stated,
                            .description = &stage.description(),
                            .modulation = stage.control().modulation()};
  auto slot = tuning_by_change(running, change, context);
  stated = std::move(slot.after);
  std::ranges::move(slot.errors, std::back_inserter(errors));
  if (change.is_bypassed) stage.control().set_bypassed(*change.is_bypassed);
  return StageTuning{*found, std::move(slot.tuning)};
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
  reading.delay = running_->flights.reading();
  const auto run = running_->count.newest();
  reading.show_count = {run.position, run.number};
  const auto stages = running_->stages();
  for (const auto& stage : stages) {
    reading.stages.push_back(stage->reading());
    stage->add_lateness(reading);
  }
  reading.pools = count_seats(stages);
  return reading;
}

}  // namespace submix::engine
