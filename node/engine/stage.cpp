// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/stage.hpp"

#include "common/base/thread.hpp"
#include "node/plugin/acts_at_once.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>
#include <utility>

namespace submix::engine {

using plugin::StageState;
using namespace std::chrono_literals;

plugin::PluginTraits StageParts::traits() const {
  auto traits = plugins.front()->traits();
  traits.frames_retained = std::accumulate(
      plugins.begin(), plugins.end(), std::size_t{0},
      [](std::size_t sum, const auto& plugin) { return sum + plugin->traits().frames_retained; });
  return traits;
}

Stage::Stage(StageParts parts, const StageContext& context)
    : context_(context),
      holder_(context.holders),
      slot_(std::move(parts.slot)),
      description_(*parts.description),
      traits_(parts.traits()),
      wiring_(std::make_shared<Wiring>()),
      control_(parts.plugins.size(), parts.is_bypassed),
      maker_(context, slot_, control_, tap_) {
  const bool is_source = description().kind == plugin::Kind::source;
  for (auto& plugin : parts.plugins) {
    auto& worker = workers_.emplace_back(workers_.size(), std::move(plugin), context.clock.now());
    if (context_.trace != nullptr)
      worker.shares.trace_into(context_.trace->open(context_.submix + "." + slot(), is_source),
                               context_.clock.now());
  }
}

// Called on any thread.

void Stage::begin_at(std::uint64_t position, Wiring wiring) {
  position_ = position;
  maker_.begin_at(position);
  order_.begin_at(position, workers_.size());
  apply_wiring(std::make_shared<const Wiring>(std::move(wiring)), workers_.front());
  control_.begin_with(wiring_);
}

void Stage::close() {
  order_.close();
  control_.close();
}

void Stage::tune(const show::Parameters& values) {
  {
    const MutexLock lock(ending_);
    for (auto& worker : workers_) {
      auto* plugin = dynamic_cast<plugin::ActsAtOnce*>(worker.plugin.get());
      if (plugin == nullptr) continue;
      for (const auto& [name, value] : values)
        plugin->set_at_once(name, value);
    }
  }
  control_.tune(values);
}

std::optional<LocalTime> Stage::in_plugin_since() const {
  LocalTime::rep earliest = 0;
  for (const auto& worker : workers_) {
    const auto since = worker.in_plugin.load(std::memory_order_relaxed);
    if (since != 0 && (earliest == 0 || since < earliest)) earliest = since;
  }
  return earliest == 0 ? std::nullopt : std::optional(LocalTime(LocalTime::duration(earliest)));
}

// Called on the owner threads, in the order of a frame's life.

void Stage::run(const std::stop_token& stop) {
  for (const auto& predecessor : predecessors_)
    predecessor->control().wait_until_over(control_.closed());
  predecessors_.clear();
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      helpers.push_back(start_thread(
          context_.submix + "." + slot(),
          [this, i, &stop](const auto&) { work(workers_[i], stop); }, Urgency::stage));
    }
    work(workers_.front(), stop);
  }
  release_all();
}

void Stage::work(Worker& worker, const std::stop_token& stop) {
  enter(worker, StageState::working);
  while (process_frame(worker, stop)) {
  }
  enter(worker, StageState::starved);
}

// False: there are no more frames.
bool Stage::process_frame(Worker& worker, const std::stop_token& stop) {
  if (!wait_for_turn(worker)) return false;
  const bool has_taken = take_frame(worker, stop);
  order_.end_taking(!has_taken);
  if (!has_taken) return false;

  // A plugin may draw into its first input, and so take it out of `worker.inputs`.
  const auto* first_seat = worker.inputs.empty() ? nullptr : worker.inputs.front().seat();
  auto frame = make_frame(worker, stop);
  const bool is_passed_on =
      frame &&
      (frame->seat() == first_seat ||
       std::ranges::find(worker.inputs, frame->seat(), &media::Frame::seat) != worker.inputs.end());
  release_inputs(worker);

  if (frame && deliver_in_order(worker,
                                {.position = worker.position,
                                 .frame = std::move(*frame),
                                 .wiring = std::move(worker.wiring),
                                 .computed = worker.computed,
                                 .is_passed_on = is_passed_on},
                                stop))
    return true;
  order_.close();  // the other workers' frames come after a missing frame
  return false;
}

bool Stage::wait_for_turn(Worker& worker) {
  if (order_.try_take(worker.number)) return true;
  enter(worker, StageState::starved);
  const bool may_take = order_.take(worker.number);
  enter(worker, StageState::working);
  return may_take;
}

bool Stage::take_frame(Worker& worker, const std::stop_token& stop) {
  const bool must_end = stop.stop_requested() && (!control_.is_retiring() || control_.is_closed());
  if (must_end) return false;

  worker.inputs.resize(wiring_->inputs.size());
  const auto wanted_since = context_.clock.now();
  worker.shares.begin_frame(position_, wanted_since);
  if (!gather_inputs(worker, stop)) return false;
  if (wiring_->keeps_time) note_shortage(wanted_since);
  if (!wait_for_show_time(worker, stop)) return false;

  apply_parameters(worker);
  worker.is_bypassed = control_.is_bypassed();
  worker.wiring = wiring_;
  worker.position = position_++;
  return true;
}

// Takes a frame from each input. Queues lose nothing, so the frames have the same position. A
// change is announced before any source starts its first frame, so this stage knows of the change
// when that frame arrives.
bool Stage::gather_inputs(Worker& worker, const std::stop_token& stop) {
  if (description().kind == plugin::Kind::source) return wait_for_credit(worker, stop);
  if (!apply_wiring_changes(worker)) return false;

  for (;;) {
    const auto missing = std::ranges::find_if_not(
        worker.inputs, [](const media::Frame& frame) { return static_cast<bool>(frame); });
    if (missing == worker.inputs.end()) return true;

    const auto input = static_cast<std::size_t>(missing - worker.inputs.begin());
    auto frame = pop_input(*wiring_->inputs[input].queue, worker);
    if (frame) {
      frame->add_holders(holder());
      *missing = std::move(*frame);
    } else if (!control_.wait_for_change(position_)) {
      return false;  // closed
    }
    if (!apply_wiring_changes(worker)) return false;
  }
}

// A change is announced before its first frame may start.
bool Stage::wait_for_credit(Worker& worker, const std::stop_token& stop) {
  for (;;) {
    const auto edits = context_.credits.edits();
    if (!apply_wiring_changes(worker)) return false;
    if (context_.credits.try_start(position_)) return apply_wiring_changes(worker);
    enter(worker, StageState::blocked);
    const auto start = context_.credits.wait_to_start(position_, edits, stop);
    enter(worker, StageState::working);
    if (start == Credits::Start::now) return apply_wiring_changes(worker);
    if (start == Credits::Start::stop) return false;
  }
}

std::optional<media::Frame> Stage::pop_input(FrameQueue& queue, Worker& worker) {
  if (auto frame = queue.try_pop()) return frame;
  enter(worker, StageState::starved);
  // nudge() takes the queue's lock after a change was noted, which publishes the change.
  // A pop without a frame has one of three reasons: the producer closed the queue because of a
  // change, this stage was nudged because of a change, or the patch ends.
  auto frame = queue.pop_unless([this] { return control_.may_have_change(position_); });
  enter(worker, StageState::working);
  return frame;
}

// False: the stage ends here.
bool Stage::apply_wiring_changes(Worker& worker) {
  while (auto change = control_.due_change(position_)) {
    if (!change->wiring) return false;

    // The other workers first deliver the frames before the change to the old readers.
    const bool must_wait = changes_readers(*change->wiring) && !order_.may_deliver(position_);
    if (must_wait && !order_.wait_for_earlier(position_)) return false;

    apply_wiring(std::move(change->wiring), worker);
    control_.change_applied();
  }
  return true;
}

bool Stage::changes_readers(const Wiring& next) const {
  return next.readers != wiring_->readers || next.terminal != wiring_->terminal ||
         next.keeps_time != wiring_->keeps_time;
}

// Inputs already gathered came from queues that stay.
void Stage::apply_wiring(std::shared_ptr<const Wiring> next, Worker& worker) {
  for (const auto& reader : wiring_->readers) {
    if (std::ranges::find(next->readers, reader) == next->readers.end()) reader->close();
  }

  std::vector<media::Frame> gathered(next->inputs.size());
  for (std::size_t i = 0; i < worker.inputs.size(); ++i) {
    for (std::size_t j = 0; j < gathered.size(); ++j) {
      if (next->inputs[j].queue == wiring_->inputs[i].queue)
        gathered[j] = std::move(worker.inputs[i]);
    }
  }
  worker.inputs = std::move(gathered);

  if (next->keeps_time != wiring_->keeps_time) is_new_time_keeper_ = next->keeps_time;
  if (wiring_->terminal && next->terminal != wiring_->terminal)
    context_.credits.forget_terminal(*wiring_->terminal);
  wiring_ = std::move(next);
}

// Terminal slots keep the show's time. A stream-out follows its receivers' credits instead, and a
// window may follow its display's time. If nothing limits them, or they are bypassed, they keep the
// show's time as well; otherwise nothing would limit the patch.
bool Stage::wait_for_show_time(Worker& worker, const std::stop_token& stop) {
  worker.is_paced_by_plugin = false;
  if (!wiring_->keeps_time) return true;
  // Once this slot has asked the governor, it lets all frames before `position_` pass at once. So
  // the other slots must have passed those frames first.
  if (std::exchange(is_new_time_keeper_, false) &&
      !context_.credits.wait_for_others(position_, control_.closed()))
    return false;

  const auto pace = control_.is_bypassed() ? plugin::Pace::show : worker.plugin->pace();
  const bool kept_time = std::exchange(keeps_show_time_, pace == plugin::Pace::show);
  worker.is_paced_by_plugin = !keeps_show_time_;
  if (pace == plugin::Pace::receivers) return true;
  if (keeps_show_time_ && !kept_time) context_.governor.restart();

  enter(worker, StageState::blocked);
  const auto ends_wait = control_.is_hurried(stop) ? control_.closed() : stop;
  const auto waited = context_.flights.wait_until(position_, context_.clock.now());
  const auto [may_pass, spare] = context_.governor.pass(position_, ends_wait, pace);
  enter(worker, StageState::working);
  if (spare)
    context_.credits.note_spare(spare->count() > 0 ? *spare + waited : *spare,
                                context_.clock.now());
  return may_pass || control_.is_hurried(stop);
}

// If receivers ask for as many frames as they ever do, none is on its way to them: the patch is
// late.
void Stage::note_shortage(LocalTime wanted_since) const {
  const auto wanted = demand();
  const auto now = context_.clock.now();
  if (wanted && wanted->is_all) context_.credits.note_spare(wanted_since - now, now);
}

std::optional<plugin::Demand> Stage::demand() const {
  if (control_.is_bypassed()) return std::nullopt;
  const auto& plugin = workers_.front().plugin;  // outputs have a single worker
  return plugin ? plugin->demand() : std::nullopt;
}

void Stage::apply_parameters(Worker& worker) {
  if (control_.take_retry(worker.number)) worker.plugin->try_again();
  if (control_.has_parameter_changes(worker.number)) apply_parameter_changes(worker);

  const auto now = context_.clock.now();
  const auto number = context_.count.number_of(position_, now);
  if (wiring_->terminal && !context_.governor.is_paused()) context_.count.shown(position_, now);
  worker.moving.move(*worker.plugin, number);
}

void Stage::apply_parameter_changes(Worker& worker) {
  const auto set = [&worker](const show::Parameters& parameters) {
    for (const auto& [name, value] : parameters) {
      worker.plugin->set(name, value);
      worker.moving.forget(name);
    }
  };

  auto changes = control_.take_parameter_changes(worker.number, position_);
  set(changes.values);
  for (auto& change : changes.modulations) {
    set(change.settled);
    worker.moving.follow(std::move(change.modulation));
  }
}

std::optional<media::Frame> Stage::make_frame(Worker& worker, const std::stop_token& stop) {
  return worker.is_paced_by_plugin ? make_paced_frame(worker, stop) : maker_.make(worker, stop);
}

// A frame that waits for its receivers or a display was begun too early; this measures by how much.
// Receivers ask for a frame early enough for its whole way from the source. So while frames wait
// for receivers, the patch need not start any ahead.
std::optional<media::Frame> Stage::make_paced_frame(Worker& worker, const std::stop_token& stop) {
  const auto begun = context_.clock.now();
  const auto waited = context_.flights.wait_until(worker.position, begun);
  const auto blocked = worker.shares.total(StageState::blocked, begun);
  const auto missed = worker.plugin->lateness().missed_frames;
  auto frame = maker_.make(worker, stop);

  const auto now = context_.clock.now();
  const auto period = context_.rate.time_of(FrameIndex{1});
  auto spare = worker.shares.total(StageState::blocked, now) - blocked;
  const bool is_for_receivers = worker.plugin->pace() == plugin::Pace::receivers;
  if (spare.count() != 0)
    spare += is_for_receivers ? context_.rate.time_of(FrameIndex{context_.credits.frames_ahead()})
                              : waited;
  if (worker.plugin->lateness().missed_frames != missed) spare = -period;
  if (spare.count() != 0) context_.credits.note_spare(spare, now);
  return frame;
}

// Inputs are released now, not with the next frame: pool sizes rely on it (graph.hpp).
void Stage::release_inputs(Worker& worker) const {
  for (auto& input : worker.inputs) {
    if (!input) continue;  // taken for drawing
    input.remove_holders(holder());
    input = {};
  }
}

// False: the patch ends.
bool Stage::deliver_in_order(Worker& worker, FinishedFrame finished, const std::stop_token& stop) {
  finished.frame.add_holders(holder());
  auto turn = order_.try_deliver(finished);
  if (turn == ReorderBuffer::Delivery::not_yet) {
    enter(worker, StageState::blocked);
    turn = order_.wait_to_deliver(finished);
    enter(worker, StageState::working);
  }
  if (turn != ReorderBuffer::Delivery::now) return turn == ReorderBuffer::Delivery::held_back;
  for (std::optional next(std::move(finished)); next; next = order_.delivered()) {
    if (next->position != worker.position)
      worker.shares.begin_frame(next->position, context_.clock.now());
    if (!deliver(worker, std::move(*next), stop)) return false;
  }
  return true;
}

bool Stage::deliver(Worker& worker, FinishedFrame finished, const std::stop_token& stop) {
  if (finished.computed) frame_times_.add(*finished.computed);
  frames_.fetch_add(1, std::memory_order_relaxed);
  note_flight(finished);
  update_tap(finished);
  if (!push_to_readers(worker, finished, stop)) return false;
  finished.frame.remove_holders(holder());
  finished.frame = {};
  if (finished.wiring->terminal) context_.credits.complete(*finished.wiring->terminal);
  return true;
}

void Stage::note_flight(const FinishedFrame& finished) const {
  const auto now = context_.clock.now();
  if (finished.wiring->inputs.empty())
    context_.flights.begin(finished.position, now - finished.computed.value_or(0ns));
  if (finished.wiring->keeps_time) {
    context_.flights.end(finished.position, now);
  } else {
    context_.flights.pass(finished.position, now);
  }
}

// Decides if the tap keeps this frame. Terminal slots keep each frame, and so does every slot in a
// pause, where frames come singly. A source keeps its newest frame for repeat_last_frame(). A frame
// passed on must be replaced at the next frame: otherwise the taps behind a slot, each with a
// different old frame, could hold all of its seats (graph.hpp).
void Stage::update_tap(const FinishedFrame& finished) {
  const auto now = context_.clock.now();
  const auto& wiring = *finished.wiring;
  const bool is_each_kept = wiring.terminal || wiring.inputs.empty() || finished.is_passed_on;
  if (is_each_kept || tap_.is_due(now) || context_.governor.is_paused())
    tap_.publish(finished.frame, now, finished.is_passed_on);
}

bool Stage::push_to_readers(Worker& worker, const FinishedFrame& finished,
                            const std::stop_token& stop) {
  for (const auto& reader : finished.wiring->readers) {
    if (reader->try_push(media::Frame(finished.frame))) continue;
    enter(worker, StageState::blocked);
    const bool is_taken = reader->push(finished.frame);
    enter(worker, StageState::working);
    // A reader retired in a hurry takes no more frames; the other readers do.
    if (!is_taken && stop.stop_requested() && !control_.is_retiring()) return false;
  }
  return true;
}

// A retired stage is destroyed later; until then no other stage may wait for frames it holds.
void Stage::release_all() {
  std::vector<std::unique_ptr<plugin::Plugin>> plugins;
  if (control_.is_retiring()) {
    for (const auto& reader : wiring_->readers)
      reader->close();
    for (const auto& input : wiring_->inputs) {
      input.queue->close();
      while (input.queue->try_pop()) {
      }
    }
    tap_.clear();
    if (wiring_->terminal) context_.credits.forget_terminal(*wiring_->terminal);

    const MutexLock lock(ending_);
    for (auto& worker : workers_) {
      release_inputs(worker);
      worker.inputs.clear();
      worker.wiring.reset();
      plugins.push_back(std::move(worker.plugin));
    }
  }
  plugins.clear();
  control_.set_over();
}

}  // namespace submix::engine
