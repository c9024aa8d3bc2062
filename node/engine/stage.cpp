// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/stage.hpp"

#include "common/base/thread.hpp"
#include "node/plugin/drawing_surface.hpp"

#include <algorithm>
#include <numeric>
#include <thread>
#include <utility>

namespace submix::engine {

using plugin::StageState;

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
      is_bypassed_(parts.is_bypassed),
      published_(wiring_),
      pending_(parts.plugins.size()) {
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
  const MutexLock lock(mutex_);
  first_ = position_ = position;
  order_.begin_at(position, workers_.size());
  apply_wiring(std::make_shared<const Wiring>(std::move(wiring)), workers_.front());
}

void Stage::rewire(std::uint64_t position, Wiring wiring) {
  add_wiring_change(position, std::make_shared<const Wiring>(std::move(wiring)));
}

void Stage::retire(std::uint64_t position) {
  is_retiring_.store(true, std::memory_order_relaxed);
  add_wiring_change(position, nullptr);
}

// Readers that wait for the first frame of a change are woken: where slots change their order, a
// stage may wait for a frame from another stage, which in turn waits until the first stage closes
// its old queues.
void Stage::add_wiring_change(std::uint64_t position, std::shared_ptr<const Wiring> wiring) {
  std::shared_ptr<const Wiring> now;
  {
    const MutexLock lock(mutex_);
    changes_.push_back({position, std::move(wiring)});
    next_change_.store(changes_.front().position, std::memory_order_relaxed);
    changed_.notify_all();
    now = published_;
  }
  for (const auto& input : now->inputs)
    input.queue->nudge();
}

void Stage::close() {
  order_.close();
  const MutexLock lock(mutex_);
  closed_.request_stop();
  changed_.notify_all();
  const auto close_inputs = [](const Wiring& wiring) {
    for (const auto& input : wiring.inputs)
      input.queue->close();
  };
  close_inputs(*published_);
  for (const auto& change : changes_) {
    if (change.wiring) close_inputs(*change.wiring);
  }
}

bool Stage::wait_until_over(LocalTime deadline) const {
  const MutexLock lock(mutex_);
  return changed_.wait_until(mutex_, deadline,
                             [this]() SUBMIX_REQUIRES(mutex_) { return is_over_; });
}

void Stage::wait_until_over(const std::stop_token& stop) const {
  const MutexLock lock(mutex_);
  static_cast<void>(
      changed_.wait(mutex_, stop, [this]() SUBMIX_REQUIRES(mutex_) { return is_over_; }));
}

std::optional<LocalTime> Stage::in_plugin_since() const {
  LocalTime::rep earliest = 0;
  for (const auto& worker : workers_) {
    const auto since = worker.in_plugin.load(std::memory_order_relaxed);
    if (since != 0 && (earliest == 0 || since < earliest)) earliest = since;
  }
  return earliest == 0 ? std::nullopt : std::optional(LocalTime(LocalTime::duration(earliest)));
}

void Stage::set_bypassed(bool is_bypassed) {
  const bool was_bypassed = is_bypassed_.exchange(is_bypassed, std::memory_order_relaxed);
  if (!was_bypassed || is_bypassed) return;
  for (auto& worker : workers_)
    worker.tries_again.store(true, std::memory_order_relaxed);
}

// A new value also replaces an older value that a parameter would settle to.
void Stage::tune(const show::Parameters& values) {
  if (values.empty()) return;
  const MutexLock lock(mutex_);
  for (auto& worker : workers_) {
    auto& pending = pending_[worker.number];
    for (const auto& [name, value] : values) {
      pending.values.insert_or_assign(name, value);
      for (auto& change : pending.modulations) {
        if (const auto found = change.settled.find(name); found != change.settled.end())
          found->second = value;
      }
    }
    // the lock publishes the pending changes
    worker.has_pending.store(true, std::memory_order_relaxed);
  }
}

// A later change for the same frame replaces the earlier change, as in a pause, when no source
// starts a frame. So at most as many changes wait here as frames are in flight, or were since this
// worker last took a frame.
void Stage::modulate(std::uint64_t position, std::shared_ptr<const Modulation> modulation,
                     const show::Parameters& settled) {
  const MutexLock lock(mutex_);
  modulation_ = std::move(modulation);
  for (auto& worker : workers_) {
    auto& modulations = pending_[worker.number].modulations;
    if (modulations.empty() || modulations.back().position != position)
      modulations.push_back({position, {}, {}});
    modulations.back().modulation = modulation_;
    for (const auto& [name, value] : settled)
      modulations.back().settled.insert_or_assign(name, value);
    worker.has_pending.store(true, std::memory_order_relaxed);
  }
}

std::shared_ptr<const Modulation> Stage::modulation() const {
  const MutexLock lock(mutex_);
  return modulation_;
}

std::shared_ptr<const Wiring> Stage::wiring() const {
  const MutexLock lock(mutex_);
  return published_;
}

// Called on the owner threads, in the order of a frame's life.

void Stage::run(const std::stop_token& stop) {
  for (const auto& predecessor : predecessors_)
    predecessor->wait_until_over(closed_.get_token());
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
  const auto* first_seat = worker.inputs.empty() ? nullptr : worker.inputs.front().seat();
  auto frame = make_frame(worker, stop);
  const bool is_passed_on =
      frame &&
      (frame->seat() == first_seat ||
       std::ranges::find(worker.inputs, frame->seat(), &media::Frame::seat) != worker.inputs.end());
  // Inputs and output are released now, not with the next frame: pool sizes rely on it (graph.hpp).
  for (auto& input : worker.inputs) {
    if (!input) continue;  // taken for drawing
    input.remove_holders(holder());
    input = {};
  }
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
  if (stop.stop_requested() && (!is_retiring() || closed_.stop_requested())) return false;
  worker.inputs.resize(wiring_->inputs.size());
  worker.shares.begin_frame(position_, context_.clock.now());
  if (!gather_inputs(worker, stop) || !wait_for_show_time(worker, stop)) return false;
  apply_parameters(worker);
  worker.is_bypassed = is_bypassed_.load(std::memory_order_relaxed);
  worker.wiring = wiring_;
  worker.position = position_++;
  return true;
}

// Takes a frame from each input. Queues lose nothing, so frames of the same position meet. A change
// is announced before any source starts its first frame; a queue that stays brings this frame, so
// by then the change is known.
bool Stage::gather_inputs(Worker& worker, const std::stop_token& stop) {
  if (description().kind == plugin::Kind::source) return wait_for_credit(worker, stop);
  if (!apply_wiring_changes(worker)) return false;
  for (;;) {
    const auto missing = std::find_if(worker.inputs.begin(), worker.inputs.end(),
                                      [](const auto& frame) { return !frame; });
    if (missing == worker.inputs.end()) return true;
    auto frame = pop_input(
        *wiring_->inputs[static_cast<std::size_t>(missing - worker.inputs.begin())].queue, worker);
    if (frame) {
      frame->add_holders(holder());
      *missing = std::move(*frame);
    } else if (!wait_for_wiring_change()) {
      return false;
    }
    if (!apply_wiring_changes(worker)) return false;
  }
}

// A change is known before its first frame may start.
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
  // nudge() takes the queue's lock after a change was noted, which publishes next_change_.
  auto frame = queue.pop_unless(
      [this] { return next_change_.load(std::memory_order_relaxed) <= position_; });
  enter(worker, StageState::working);
  return frame;
}

// A queue gave nothing, for one of three reasons: its producer closed it because of a change, this
// stage was nudged because of a change, or the patch ends.
bool Stage::wait_for_wiring_change() {
  const MutexLock lock(mutex_);
  while (!closed_.stop_requested() && (changes_.empty() || changes_.front().position > position_))
    changed_.wait(mutex_);
  return !closed_.stop_requested();
}

// False: the stage ends here.
bool Stage::apply_wiring_changes(Worker& worker) {
  for (;;) {
    bool changes_readers = false;
    {
      const MutexLock lock(mutex_);
      if (changes_.empty() || changes_.front().position > position_) return true;
      auto& change = changes_.front();
      if (!change.wiring) return false;
      changes_readers = this->changes_readers(*change.wiring);
      if (!changes_readers || order_.may_deliver(position_)) {
        apply_wiring(std::move(change.wiring), worker);
        changes_.pop_front();
        next_change_.store(changes_.empty() ? kNever : changes_.front().position,
                           std::memory_order_relaxed);
        continue;
      }
    }
    // The other workers first deliver the frames before the change to the old readers.
    if (!order_.wait_for_earlier(position_)) return false;
  }
}

bool Stage::changes_readers(const Wiring& next) const {
  return next.readers != wiring_->readers || next.terminal != wiring_->terminal ||
         next.keeps_time != wiring_->keeps_time;
}

// Inputs already gathered came from queues that stay.
void Stage::apply_wiring(std::shared_ptr<const Wiring> next, Worker& worker) {
  for (const auto& reader : wiring_->readers) {
    if (std::find(next->readers.begin(), next->readers.end(), reader) == next->readers.end())
      reader->close();
  }
  std::vector<media::Frame> gathered(next->inputs.size());
  for (std::size_t i = 0; i < worker.inputs.size(); ++i) {
    for (std::size_t j = 0; j < gathered.size(); ++j) {
      if (next->inputs[j].queue == wiring_->inputs[i].queue)
        gathered[j] = std::move(worker.inputs[i]);
    }
  }
  worker.inputs = std::move(gathered);
  count_ended_queues(*next);
  if (next->keeps_time != wiring_->keeps_time) is_new_terminal_ = next->keeps_time;
  if (wiring_->terminal && next->terminal != wiring_->terminal)
    context_.credits.forget_terminal(*wiring_->terminal);
  wiring_ = published_ = std::move(next);
}

// Frames left in a queue that ends are dropped with it: only a delayed edge has any.
void Stage::count_ended_queues(const Wiring& next) {
  for (std::size_t i = 0; i < wiring_->inputs.size(); ++i) {
    const auto& queue = wiring_->inputs[i].queue;
    if (std::ranges::find(next.inputs, queue, &Wiring::Input::queue) != next.inputs.end()) continue;
    const auto counts = queue->look_through([](const media::Frame&) {});
    auto& ended = ended_[wiring_->edge(i)];
    ended.put += counts.put;
    ended.taken += counts.taken;
  }
}

// Terminal slots keep the show's time. A stream-out follows its receivers' credits instead, and a
// window may follow its display's time. If nothing limits them, or they are bypassed, they keep the
// show's time as well; otherwise nothing would limit the patch.
bool Stage::wait_for_show_time(Worker& worker, const std::stop_token& stop) {
  if (!wiring_->keeps_time) return true;
  // The governor has counted frames for this slot only; without this wait it would let the other
  // slots' frames through.
  if (std::exchange(is_new_terminal_, false) &&
      !context_.credits.wait_for_others(position_, closed_.get_token()))
    return false;
  const auto pace =
      is_bypassed_.load(std::memory_order_relaxed) ? plugin::Pace::show : worker.plugin->pace();
  const bool kept_time = std::exchange(keeps_show_time_, pace == plugin::Pace::show);
  if (pace == plugin::Pace::receivers) return true;
  if (keeps_show_time_ && !kept_time) context_.governor.restart();
  enter(worker, StageState::blocked);
  const bool may_go =
      context_.governor.pass(position_, is_hurried(stop) ? closed_.get_token() : stop, pace);
  enter(worker, StageState::working);
  return may_go || is_hurried(stop);
}

// Only frames at a display's pace need the state at the frame before, and such a slot has a single
// worker.
bool Stage::is_after_pause() {
  const auto now = context_.governor.transport();
  const auto before = std::exchange(transport_seen_, now);
  return now.is_paused || before.is_paused || now.pauses != before.pauses;
}

void Stage::apply_parameters(Worker& worker) {
  if (worker.tries_again.load(std::memory_order_relaxed) &&
      worker.tries_again.exchange(false, std::memory_order_relaxed))
    worker.plugin->try_again();
  if (worker.has_pending.load(std::memory_order_relaxed)) apply_pending(worker);
  worker.moving.move(*worker.plugin, FrameIndex{position_});
}

void Stage::apply_pending(Worker& worker) {
  show::Parameters values;
  std::vector<ModulationChange> modulations;
  {
    const MutexLock lock(mutex_);
    auto& pending = pending_[worker.number];
    values.swap(pending.values);
    while (!pending.modulations.empty() && pending.modulations.front().position <= position_) {
      modulations.push_back(std::move(pending.modulations.front()));
      pending.modulations.pop_front();
    }
    worker.has_pending.store(!pending.modulations.empty(), std::memory_order_relaxed);
  }
  const auto set = [&worker](const show::Parameters& parameters) {
    for (const auto& [name, value] : parameters) {
      worker.plugin->set(name, value);
      worker.moving.forget(name);
    }
  };
  set(values);
  for (auto& change : modulations) {
    set(change.settled);
    worker.moving.follow(std::move(change.modulation));
  }
}

plugin::Work Stage::next_work(Worker& worker, const std::stop_token& stop) {
  plugin::Work work;
  work.inputs = worker.inputs;
  if (worker.inputs.empty()) {
    const FrameIndex index{worker.position};
    work.stamp = {context_.epoch, index, context_.rate.time_of(index), context_.clock.now()};
  } else {
    work.stamp = worker.inputs.front().stamp();
    work.takeable = &worker.inputs.front();
  }
  work.first = FrameIndex{first_};
  work.position = worker.position;
  if (worker.plugin->pace() == plugin::Pace::display) work.is_after_pause = is_after_pause();
  work.pool = worker.wiring->pool.get();
  work.stop = stop;
  work.shares = &worker.shares;
  work.clock = &context_.clock;
  return work;
}

std::optional<media::Frame> Stage::make_frame(Worker& worker, const std::stop_token& stop) {
  auto work = next_work(worker, stop);
  worker.computed.reset();
  if (worker.is_bypassed) return pass_input_on(work);
  if (is_hurried(stop)) return repeat_last_frame(work);
  const auto start = context_.clock.now();
  const auto worked = worker.shares.total(StageState::working, start);
  worker.in_plugin.store(start.time_since_epoch().count(), std::memory_order_relaxed);
  auto frame = worker.plugin->process(work);
  worker.in_plugin.store(0, std::memory_order_relaxed);
  if (frame) {
    worker.computed = worker.shares.total(StageState::working, context_.clock.now()) - worked;
    return frame;
  }
  if (is_hurried(stop)) return repeat_last_frame(work);
  if (stop.stop_requested()) return std::nullopt;
  if (!has_complained_.exchange(true, std::memory_order_relaxed)) {
    context_.events.report(
        Severity::fault, context_.submix + "." + slot(),
        "the plugin made no frame and gave no reason: its input is passed on instead");
  }
  return pass_input_on(work);
}

std::optional<media::Frame> Stage::pass_input_on(plugin::Work& work) {
  frames_passed_by_.fetch_add(1, std::memory_order_relaxed);
  if (!work.inputs.empty() && work.inputs.front())
    return work.inputs.front();  // empty if it was taken for drawing
  work.stop = closed_.get_token();
  auto black = work.acquire_output();
  if (!black) return std::nullopt;
  const Size size = black->size();
  plugin::DrawingSurface(black->rgba(), size).fill({0, 0, size.width, size.height}, {0, 0, 0, 255});
  return std::move(*black).publish();
}

// For a stage that was asked to stop but owes frames: the slots behind it continue, so seats become
// free.
std::optional<media::Frame> Stage::repeat_last_frame(plugin::Work& work) {
  work.stop = closed_.get_token();
  const auto last = work.inputs.empty() ? tap_.kept() : media::Frame();
  if (!last) return pass_input_on(work);
  auto again = work.acquire_output();
  if (!again) return std::nullopt;
  frames_passed_by_.fetch_add(1, std::memory_order_relaxed);
  std::ranges::copy(last.rgba(), again->rgba().begin());
  return std::move(*again).publish();
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
  update_tap(finished);
  if (!push_to_readers(worker, finished, stop)) return false;
  finished.frame.remove_holders(holder());
  finished.frame = {};
  if (finished.wiring->terminal) context_.credits.complete(*finished.wiring->terminal);
  return true;
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
    if (!is_taken && stop.stop_requested() && !is_retiring()) return false;
  }
  return true;
}

// A retired stage is destroyed later; until then no other stage may wait for frames it holds.
void Stage::release_all() {
  std::vector<std::unique_ptr<plugin::Plugin>> plugins;
  if (is_retiring()) {
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
      for (const auto& input : worker.inputs) {
        if (input) input.remove_holders(holder());
      }
      worker.inputs.clear();
      worker.wiring.reset();
      plugins.push_back(std::move(worker.plugin));
    }
  }
  plugins.clear();
  const MutexLock lock(mutex_);
  is_over_ = true;
  changed_.notify_all();
}

}  // namespace submix::engine
