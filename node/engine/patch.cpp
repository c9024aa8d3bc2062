// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/patch.hpp"

#include "common/base/assert.hpp"
#include "common/base/mutex.hpp"
#include "common/base/thread.hpp"
#include "common/show/nearest.hpp"
#include "node/engine/credits.hpp"
#include "node/engine/governor.hpp"
#include "node/engine/graph.hpp"
#include "node/engine/stage.hpp"
#include "node/engine/stage_maker.hpp"
#include "node/plugin/parameters.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace submix::engine {
namespace {

/// How long a slot that is gone may work on its last frames.
constexpr std::chrono::milliseconds kLastFrames(200);

/// A slot of the patch as it is now, or will be before the next frame.
struct Seat {
  std::shared_ptr<Stage> stage;
  std::jthread thread;
  Wiring wiring;
  PoolNeeds pool;  // that the wiring's pool was made for
  bool has_company = false;
};

/// A parameter's new value, checked.
struct Tuning {
  std::shared_ptr<Stage> stage;
  std::string name;
  show::ParameterValue value;
};

const Seat* find_seat(const std::vector<Seat>& seats, std::string_view slot) {
  const auto found =
      std::find_if(seats.begin(), seats.end(), [&](const Seat& seat) { return seat.stage->slot() == slot; });
  return found == seats.end() ? nullptr : &*found;
}

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
                .clock = environment.clock} {}

  [[nodiscard]] SeatRules rules(const Graph& graph) const {
    return {.queue_capacity = options.queue_capacity,
            .frames_in_flight_max =
                options.frames_in_flight_max > 0 ? options.frames_in_flight_max : graph.longest_path + 1,
            .tap_readers = options.tap_readers};
  }
  [[nodiscard]] std::vector<std::shared_ptr<Stage>> kept_stages(const show::Submix& submix,
                                                                const Graph& graph,
                                                                const std::set<std::string>& renewed) const;
  [[nodiscard]] bool is_made_alike(const Seat& seat, const show::Slot& after) const;
  [[nodiscard]] std::vector<Seat> seat(std::vector<PlannedSlot> planned, const Graph& graph);
  [[nodiscard]] std::shared_ptr<media::FramePool> pool_for(const PoolNeeds& needs, const Seat* before) const;
  void connect(std::vector<Seat>& after, const Graph& graph) const;
  void switch_over(std::vector<Seat> after, const Graph& graph, std::uint64_t position)
      SUBMIX_EXCLUDES(mutex);
  [[nodiscard]] Result<std::vector<Tuning>> tunings(const show::Submix& after,
                                                    const std::vector<std::shared_ptr<Stage>>& kept) const;
  [[nodiscard]] Result<show::ParameterValue> check(const Stage& stage, std::string_view name,
                                                   const show::ParameterValue& value) const;
  void start_threads();
  void tend_retired(std::chrono::nanoseconds patience);
  [[nodiscard]] std::vector<std::shared_ptr<Stage>> stages() const SUBMIX_EXCLUDES(mutex);
  [[nodiscard]] Result<std::shared_ptr<Stage>> find(std::string_view slot) const SUBMIX_EXCLUDES(mutex);

  const PatchOptions options;
  const PatchEnvironment environment;
  Credits credits;
  Governor governor;
  StageContext context;
  bool is_started = false;
  show::Submix shape;         // as it is now
  std::vector<Seat> seats;    // as in the submix; of the thread that edits
  std::vector<Seat> retired;  // whose threads may still make their last frames
  mutable Mutex mutex;
  std::vector<std::shared_ptr<Stage>> published SUBMIX_GUARDED_BY(mutex);  // those of the seats, for others
};

// ---- building and editing
// ------------------------------------------------------------------------------------

std::vector<std::shared_ptr<Stage>> Patch::Running::kept_stages(const show::Submix& after, const Graph& graph,
                                                                const std::set<std::string>& renewed) const {
  std::vector<std::shared_ptr<Stage>> kept(after.slots.size());
  for (std::size_t i = 0; i < after.slots.size(); ++i) {
    const auto& slot = after.slots[i];
    const auto* seat = find_seat(seats, slot.name);
    if (seat == nullptr || renewed.contains(slot.name) || seat->stage->description().id != slot.plugin)
      continue;
    if (slot.plugin == show::kStreamOutPlugin && seat->has_company != has_company(graph, i)) continue;
    if (is_made_alike(*seat, slot)) kept[i] = seat->stage;
  }
  return kept;
}

// A source that cannot open its new file must fail, while the old one goes on: that is another source.
bool Patch::Running::is_made_alike(const Seat& seat, const show::Slot& after) const {
  const auto before = std::find_if(shape.slots.begin(), shape.slots.end(),
                                   [&](const show::Slot& each) { return each.name == after.name; });
  const auto file_of = [](const show::Slot& slot) {
    const auto found = slot.parameters.find("file");
    return found == slot.parameters.end() ? std::nullopt : std::optional(found->second);
  };
  if (before == shape.slots.end() || before->hosting != after.hosting) return false;
  return seat.stage->description().kind != plugin::Kind::source || file_of(*before) == file_of(after);
}

// The stages of the planned slots with all that is around them, but nothing that runs knows of it yet.
std::vector<Seat> Patch::Running::seat(std::vector<PlannedSlot> planned, const Graph& graph) {
  std::vector<Seat> after(planned.size());
  for (std::size_t i = 0; i < planned.size(); ++i) {
    auto& seat = after[i];
    const bool is_kept = planned[i].kept != nullptr;
    seat.stage = is_kept ? planned[i].kept : std::make_shared<Stage>(std::move(planned[i].parts), context);
    const auto* before = find_seat(seats, seat.stage->slot());
    if (!is_kept && before != nullptr) seat.stage->replace(before->stage);
    seat.pool = planned[i].pool;
    seat.has_company = has_company(graph, i);
    seat.wiring.pool = pool_for(seat.pool, is_kept ? before : nullptr);
  }
  connect(after, graph);
  return after;
}

std::shared_ptr<media::FramePool> Patch::Running::pool_for(const PoolNeeds& needs, const Seat* before) const {
  if (needs.seats == 0) return nullptr;
  if (before != nullptr && before->pool.seats >= needs.seats && before->pool.backing == needs.backing)
    return before->wiring.pool;
  return std::make_shared<media::FramePool>(options.size, needs.seats, needs.backing);
}

// An edge between the same two stages keeps its queue: frames may be in it.
void Patch::Running::connect(std::vector<Seat>& after, const Graph& graph) const {
  for (std::size_t reader = 0; reader < after.size(); ++reader) {
    const auto& inputs = graph.slots[reader].inputs;
    const auto& stage = after[reader].stage;
    const auto* before = find_seat(seats, stage->slot());
    if (before != nullptr && before->stage != stage) before = nullptr;
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      auto& source = after[inputs[input]];
      const auto* source_before = find_seat(seats, source.stage->slot());
      const bool is_same = before != nullptr && source_before != nullptr &&
                           source_before->stage == source.stage && input < before->wiring.inputs.size() &&
                           before->wiring.inputs[input].from == source.stage->slot();
      auto queue =
          is_same ? before->wiring.inputs[input].queue : std::make_shared<FrameQueue>(options.queue_capacity);
      source.wiring.readers.push_back(queue);
      after[reader].wiring.inputs.push_back({source.stage->slot(), std::move(queue)});
    }
  }
}

// All of them are told before any source begins frame `position`.
void Patch::Running::switch_over(std::vector<Seat> after, const Graph& graph, std::uint64_t position) {
  for (std::size_t i = 0; i < after.size(); ++i) {
    auto& seat = after[i];
    const auto before =
        std::find_if(seats.begin(), seats.end(), [&](const Seat& each) { return each.stage == seat.stage; });
    const bool is_kept = before != seats.end();
    const auto terminal = is_kept ? before->wiring.terminal : std::nullopt;
    if (graph.slots[i].is_terminal()) {
      seat.wiring.terminal = terminal ? *terminal : credits.add_terminal(position);
    } else if (terminal) {
      credits.end_terminal(*terminal, position);
    }
    if (!is_kept) {
      seat.stage->begin_at(position, seat.wiring);
      continue;
    }
    seat.stage->rewire(position, seat.wiring);
    seat.thread = std::move(before->thread);
    before->stage = nullptr;
  }
  for (auto& before : seats) {
    if (!before.stage) continue;
    if (before.wiring.terminal) credits.end_terminal(*before.wiring.terminal, position);
    before.stage->retire(position);
    retired.push_back(std::move(before));
  }
  seats = std::move(after);
  const MutexLock lock(mutex);
  published.clear();
  for (const auto& seat : seats)
    published.push_back(seat.stage);
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

void Patch::Running::start_threads() {
  for (auto& seat : seats) {
    if (seat.thread.joinable()) continue;
    seat.thread = start_thread(
        context.submix + "." + seat.stage->slot(),
        [stage = seat.stage](const std::stop_token& stop) { stage->run(stop); }, Urgency::stage);
  }
}

// One that waits for what never comes is hurried; what waits because the show is paused is not late.
void Patch::Running::tend_retired(std::chrono::nanoseconds patience) {
  if (environment.transport.state().is_paused) patience = {};
  const auto deadline = context.clock.now() + patience;
  std::erase_if(retired, [&](Seat& seat) {
    const bool is_over = seat.stage->wait_until_over(deadline);
    if (!is_over && !environment.transport.state().is_paused) seat.thread.request_stop();
    return is_over;
  });
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
  const auto rules = running.rules(*graph);
  const auto kept = running.kept_stages(submix, *graph, renewed);
  auto planned = plan_slots(submix, running.options, running.environment, *graph, rules, kept);
  if (!planned) return tl::unexpected(std::move(planned.error()));
  auto tunings = running.tunings(submix, kept);
  if (!tunings) return tl::unexpected(std::move(tunings.error()));
  auto after = running.seat(std::move(*planned), *graph);
  const auto position = running.credits.hold();
  running.switch_over(std::move(after), *graph, position);
  running.credits.release(rules.frames_in_flight_max);
  if (running.is_started) running.start_threads();
  for (auto& [stage, name, value] : *tunings)
    stage->set_parameter(std::move(name), std::move(value));
  for (const auto& slot : submix.slots)
    find_seat(running.seats, slot.name)->stage->set_bypassed(slot.is_bypassed);
  running.shape = submix;
  running.tend_retired(kLastFrames);
  return {};
}

void Patch::tend() {
  running_->tend_retired({});
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
  running_->start_threads();
}

void Patch::stop() {
  const auto for_all = [this](auto act) {
    std::for_each(running_->seats.begin(), running_->seats.end(), act);
    std::for_each(running_->retired.begin(), running_->retired.end(), act);
  };
  for_all([](Seat& seat) { seat.thread.request_stop(); });
  for_all([](Seat& seat) { seat.stage->close(); });
  for_all([](Seat& seat) {
    if (seat.thread.joinable()) seat.thread.join();
  });
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
