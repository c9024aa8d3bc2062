// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/stage.hpp"

#include "node/plugin/canvas.hpp"

#include <algorithm>
#include <utility>

namespace submix::engine {

using plugin::StageState;

Stage::Stage(StageParts parts, const StageContext& context)
    : context_(context),
      parts_(std::move(parts)),
      frames_retained_(parts_.plugin->frames_retained()),
      shows_inputs_(parts_.plugin->shows_inputs()),
      shares_outputs_(parts_.plugin->shares_outputs()),
      wiring_(std::make_shared<Wiring>()),
      shares_(StageState::starved, context.clock.now()),
      is_bypassed_(parts_.is_bypassed),
      published_(wiring_) {}

// ---- any thread
// ---------------------------------------------------------------------------------------------

void Stage::begin_at(std::uint64_t position, Wiring wiring) {
  const MutexLock lock(mutex_);
  first_ = position_ = position;
  take_over(std::make_shared<const Wiring>(std::move(wiring)));
}

void Stage::rewire(std::uint64_t position, Wiring wiring) {
  const MutexLock lock(mutex_);
  changes_.push_back({position, std::make_shared<const Wiring>(std::move(wiring))});
  changed_.notify_all();
}

void Stage::retire(std::uint64_t position) {
  const MutexLock lock(mutex_);
  changes_.push_back({position, nullptr});
  is_retiring_.store(true, std::memory_order_relaxed);
  changed_.notify_all();
}

void Stage::close() {
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
  return changed_.wait_until(mutex_, deadline, [this]() SUBMIX_REQUIRES(mutex_) { return is_over_; });
}

void Stage::wait_until_over(const std::stop_token& stop) const {
  const MutexLock lock(mutex_);
  static_cast<void>(changed_.wait(mutex_, stop, [this]() SUBMIX_REQUIRES(mutex_) { return is_over_; }));
}

std::optional<LocalTime> Stage::in_plugin_since() const {
  const auto since = in_plugin_.load(std::memory_order_relaxed);
  return since == 0 ? std::nullopt : std::optional(LocalTime(LocalTime::duration(since)));
}

void Stage::set_bypassed(bool is_bypassed) {
  const bool was_bypassed = is_bypassed_.exchange(is_bypassed, std::memory_order_relaxed);
  if (was_bypassed && !is_bypassed) tries_again_.store(true, std::memory_order_relaxed);
}

void Stage::set_parameter(std::string name, show::ParameterValue value) {
  const MutexLock lock(mutex_);
  pending_.insert_or_assign(std::move(name), std::move(value));
  has_pending_.store(true, std::memory_order_relaxed);  // the lock publishes what it hints at
}

telemetry::StageReading Stage::reading() const {
  const auto shares = shares_.totals(context_.clock.now());
  telemetry::StageReading reading;
  reading.slot = slot();
  reading.plugin = description().id;
  reading.frames = frames_.load(std::memory_order_relaxed);
  reading.working = shares[static_cast<std::size_t>(StageState::working)];
  reading.starved = shares[static_cast<std::size_t>(StageState::starved)];
  reading.blocked = shares[static_cast<std::size_t>(StageState::blocked)];
  const MutexLock lock(mutex_);
  for (const auto& [from, queue] : published_->inputs) {
    reading.queues.push_back(
        {from, static_cast<std::uint32_t>(queue->size()), static_cast<std::uint32_t>(queue->capacity())});
  }
  if (!parts_.plugin) return reading;  // retired
  reading.trouble = parts_.plugin->trouble();
  reading.counters = parts_.plugin->counters();
  return reading;
}

// ---- the owner thread: a frame's way
// ------------------------------------------------------------------------

void Stage::run(const std::stop_token& stop) {
  for (const auto& predecessor : predecessors_)
    predecessor->wait_until_over(closed_.get_token());
  predecessors_.clear();
  enter(StageState::working);
  while (do_frame(stop)) {
  }
  enter(StageState::starved);
  let_go();
}

// False: there is no other one.
bool Stage::do_frame(const std::stop_token& stop) {
  if (stop.stop_requested() && (!is_retiring() || closed_.stop_requested())) return false;
  if (!gather(stop) || !wait_for_turn(stop)) return false;
  take_over_parameters();
  auto frame = make_frame(stop);
  // Inputs and output are let go now, not at the next turn: pools count on it (graph.hpp).
  for (auto& input : gathered_)
    input = {};
  if (!frame) return false;
  frames_.fetch_add(1, std::memory_order_relaxed);
  ++position_;
  tap_.publish(*frame);
  if (!hand_on(*frame, stop)) return false;
  frame.reset();
  if (wiring_->terminal) context_.credits.complete(*wiring_->terminal);
  return true;
}

// One frame from each input: queues lose nothing, so that frames of one position meet. A change is told
// before any source begins its first frame: it is known at the latest when that frame has come, by a queue
// that stays.
bool Stage::gather(const std::stop_token& stop) {
  if (description().kind == plugin::Kind::source) return start_source(stop);
  if (!take_over_changes()) return false;
  for (;;) {
    const auto missing =
        std::find_if(gathered_.begin(), gathered_.end(), [](const auto& frame) { return !frame; });
    if (missing == gathered_.end()) return true;
    auto frame = pop(*wiring_->inputs[static_cast<std::size_t>(missing - gathered_.begin())].queue);
    if (frame) {
      *missing = std::move(*frame);
    } else if (!wait_for_change()) {
      return false;
    }
    if (!take_over_changes()) return false;
  }
}

// A change is known at the latest when the first frame after it may start.
bool Stage::start_source(const std::stop_token& stop) {
  for (;;) {
    const auto edits = context_.credits.edits();
    if (!take_over_changes()) return false;
    if (context_.credits.try_start(position_)) return take_over_changes();
    enter(StageState::blocked);
    const auto start = context_.credits.wait_to_start(position_, edits, stop);
    enter(StageState::working);
    if (start == Credits::Start::now) return take_over_changes();
    if (start == Credits::Start::stop) return false;
  }
}

std::optional<media::Frame> Stage::pop(FrameQueue& queue) {
  if (auto frame = queue.try_pop()) return frame;
  enter(StageState::starved);
  auto frame = queue.pop();
  enter(StageState::working);
  return frame;
}

// Its producer has closed a queue: since from here on the wiring is another one, or because all ends.
bool Stage::wait_for_change() {
  const MutexLock lock(mutex_);
  while (!closed_.stop_requested() && (changes_.empty() || changes_.front().position > position_))
    changed_.wait(mutex_);
  return !closed_.stop_requested();
}

// False: this is the end.
bool Stage::take_over_changes() {
  const MutexLock lock(mutex_);
  while (!changes_.empty() && changes_.front().position <= position_) {
    auto next = std::move(changes_.front().wiring);
    changes_.pop_front();
    if (!next) return false;
    take_over(std::move(next));
  }
  return true;
}

// What has been gathered already came by queues that stay.
void Stage::take_over(std::shared_ptr<const Wiring> next) {
  for (const auto& reader : wiring_->readers) {
    if (std::find(next->readers.begin(), next->readers.end(), reader) == next->readers.end()) reader->close();
  }
  std::vector<media::Frame> gathered(next->inputs.size());
  for (std::size_t i = 0; i < gathered_.size(); ++i) {
    for (std::size_t j = 0; j < gathered.size(); ++j) {
      if (next->inputs[j].queue == wiring_->inputs[i].queue) gathered[j] = std::move(gathered_[i]);
    }
  }
  gathered_ = std::move(gathered);
  is_new_end_ = next->terminal && next->terminal != wiring_->terminal;
  if (wiring_->terminal && next->terminal != wiring_->terminal)
    context_.credits.forget_terminal(*wiring_->terminal);
  wiring_ = published_ = std::move(next);
}

// Terminal slots keep the show's time. A stream-out has its receivers' credits instead, unless none of them
// holds it back, or it is bypassed: then nothing else would keep the patch from running away.
bool Stage::wait_for_turn(const std::stop_token& stop) {
  if (!wiring_->terminal) return true;
  // Or the governor would let the others' frames through that it has only counted for this one.
  if (std::exchange(is_new_end_, false) && !context_.credits.wait_for_others(position_, closed_.get_token()))
    return false;
  if (parts_.plugin->is_paced() && !is_bypassed_.load(std::memory_order_relaxed)) {
    was_paced_ = true;
    return true;
  }
  if (std::exchange(was_paced_, false)) context_.governor.restart();
  enter(StageState::blocked);
  const bool may_go = context_.governor.pass(position_, is_hurried(stop) ? closed_.get_token() : stop);
  enter(StageState::working);
  return may_go || is_hurried(stop);
}

void Stage::take_over_parameters() {
  if (tries_again_.load(std::memory_order_relaxed) && tries_again_.exchange(false, std::memory_order_relaxed))
    parts_.plugin->try_again();
  if (!has_pending_.load(std::memory_order_relaxed)) return;
  show::Parameters pending;
  {
    const MutexLock lock(mutex_);
    pending.swap(pending_);
    has_pending_.store(false, std::memory_order_relaxed);
  }
  for (const auto& [name, value] : pending)
    parts_.plugin->set(name, value);
}

plugin::Work Stage::next_work(const std::stop_token& stop) {
  plugin::Work work;
  work.inputs = gathered_;
  if (gathered_.empty()) {
    const FrameIndex index{position_};
    work.stamp = {context_.epoch, index, context_.rate.time_of(index), context_.clock.now()};
  } else {
    work.stamp = gathered_.front().stamp();
  }
  work.first = FrameIndex{first_};
  work.pool = wiring_->pool.get();
  work.stop = stop;
  work.shares = &shares_;
  work.clock = &context_.clock;
  return work;
}

std::optional<media::Frame> Stage::make_frame(const std::stop_token& stop) {
  auto work = next_work(stop);
  if (is_bypassed_.load(std::memory_order_relaxed)) return pass_by(work);
  if (is_hurried(stop)) return repeat(work);
  in_plugin_.store(context_.clock.now().time_since_epoch().count(), std::memory_order_relaxed);
  auto frame = parts_.plugin->process(work);
  in_plugin_.store(0, std::memory_order_relaxed);
  if (frame) return frame;
  if (is_hurried(stop)) return repeat(work);
  if (stop.stop_requested()) return std::nullopt;
  if (!std::exchange(has_complained_, true)) {
    context_.events.report(Severity::fault, context_.submix + "." + slot(),
                           "the plugin made no frame and gave no reason: its input is passed on instead");
  }
  return pass_by(work);
}

std::optional<media::Frame> Stage::pass_by(plugin::Work& work) {
  if (!gathered_.empty()) return gathered_.front();
  work.stop = closed_.get_token();
  auto black = work.acquire_output();
  if (!black) return std::nullopt;
  const Size size = black->size();
  plugin::Canvas(black->rgba(), size).fill({0, 0, size.width, size.height}, {0, 0, 0, 255});
  return std::move(*black).publish();
}

// What has been asked to stop but owes some frames: their seats come back, since those behind go on.
std::optional<media::Frame> Stage::repeat(plugin::Work& work) {
  work.stop = closed_.get_token();
  const auto last = tap_.latest();
  if (!gathered_.empty() || !last) return pass_by(work);
  auto again = work.acquire_output();
  if (!again) return std::nullopt;
  const auto pixels = last.rgba();
  std::copy(pixels.begin(), pixels.end(), again->rgba().begin());
  return std::move(*again).publish();
}

bool Stage::hand_on(const media::Frame& frame, const std::stop_token& stop) {
  for (const auto& reader : wiring_->readers) {
    if (reader->try_push(media::Frame(frame))) continue;
    enter(StageState::blocked);
    const bool is_taken = reader->push(frame);
    enter(StageState::working);
    // A reader that was retired in a hurry takes nothing any more; the others do.
    if (!is_taken && stop.stop_requested() && !is_retiring()) return false;
  }
  return true;
}

// A retired stage is destroyed later; nobody shall wait for what it holds until then.
void Stage::let_go() {
  std::unique_ptr<plugin::Plugin> plugin;
  if (is_retiring()) {
    for (const auto& reader : wiring_->readers)
      reader->close();
    for (const auto& input : wiring_->inputs) {
      input.queue->close();
      while (input.queue->try_pop()) {
      }
    }
    gathered_.clear();
    tap_.publish({});
    if (wiring_->terminal) context_.credits.forget_terminal(*wiring_->terminal);
    const MutexLock lock(mutex_);
    plugin = std::move(parts_.plugin);
  }
  plugin.reset();
  const MutexLock lock(mutex_);
  is_over_ = true;
  changed_.notify_all();
}

}  // namespace submix::engine
