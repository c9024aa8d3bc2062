// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/stage.hpp"

#include "node/plugin/canvas.hpp"

#include <utility>

namespace submix::engine {

using plugin::StageState;

Stage::Stage(StageParts parts, const StageContext& context)
    : context_(context),
      parts_(std::move(parts)),
      shares_(StageState::starved, context.clock.now()),
      is_bypassed_(parts_.is_bypassed) {
  for (std::size_t i = 0; i < input_count(description().kind); ++i)
    inputs_.emplace_back(context.queue_capacity);
  gathered_.resize(inputs_.size());
}

void Stage::run(const std::stop_token& stop) {
  enter(StageState::working);
  while (!stop.stop_requested() && gather(stop) && wait_for_turn(stop)) {
    take_over_parameters();
    auto frame = make_frame(stop);
    // Inputs and output are let go now, not at the next turn: pools count on it (graph.hpp).
    for (auto& input : gathered_)
      input = {};
    if (!frame) break;
    frames_.fetch_add(1, std::memory_order_relaxed);
    ++position_;
    tap_.publish(*frame);
    if (!hand_on(*frame)) break;
    frame.reset();
    if (parts_.terminal) context_.credits.complete(*parts_.terminal);
  }
  enter(StageState::starved);
}

void Stage::close() {
  for (auto& input : inputs_)
    input.queue.close();
}

// One frame from each input: queues lose nothing, so that frames of one position meet.
bool Stage::gather(const std::stop_token& stop) {
  if (inputs_.empty() && !context_.credits.try_start(position_)) {
    enter(StageState::blocked);
    if (!context_.credits.wait_to_start(position_, stop)) return false;
    enter(StageState::working);
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    auto frame = inputs_[i].queue.try_pop();
    if (!frame) {
      enter(StageState::starved);
      frame = inputs_[i].queue.pop();
      enter(StageState::working);
    }
    if (!frame) return false;
    gathered_[i] = std::move(*frame);
  }
  return true;
}

// Terminal slots keep the show's time. A stream-out has its receivers' credits instead, unless none of them
// holds it back, or it is bypassed: then nothing else would keep the patch from running away.
bool Stage::wait_for_turn(const std::stop_token& stop) {
  if (!parts_.terminal) return true;
  if (parts_.plugin->is_paced() && !is_bypassed_.load(std::memory_order_relaxed)) {
    was_paced_ = true;
    return true;
  }
  if (std::exchange(was_paced_, false)) context_.governor.restart();
  enter(StageState::blocked);
  const bool may_go = context_.governor.pass(position_, stop);
  enter(StageState::working);
  return may_go;
}

void Stage::set_bypassed(bool is_bypassed) {
  const bool was_bypassed = is_bypassed_.exchange(is_bypassed, std::memory_order_relaxed);
  if (was_bypassed && !is_bypassed) tries_again_.store(true, std::memory_order_relaxed);
}

void Stage::take_over_parameters() {
  if (tries_again_.load(std::memory_order_relaxed) && tries_again_.exchange(false, std::memory_order_relaxed))
    parts_.plugin->try_again();
  if (!has_pending_.load(std::memory_order_relaxed)) return;
  show::Parameters pending;
  {
    const MutexLock lock(pending_mutex_);
    pending.swap(pending_);
    has_pending_.store(false, std::memory_order_relaxed);
  }
  for (const auto& [name, value] : pending)
    parts_.plugin->set(name, value);
}

void Stage::set_parameter(std::string name, show::ParameterValue value) {
  const MutexLock lock(pending_mutex_);
  pending_.insert_or_assign(std::move(name), std::move(value));
  has_pending_.store(true, std::memory_order_relaxed);  // the lock publishes what it hints at
}

plugin::Work Stage::next_work(const std::stop_token& stop) {
  plugin::Work work;
  work.inputs = gathered_;
  if (inputs_.empty()) {
    const FrameIndex index{position_};
    work.stamp = {context_.epoch, index, context_.rate.time_of(index), context_.clock.now()};
  } else {
    work.stamp = gathered_.front().stamp();
  }
  work.pool = parts_.pool ? &*parts_.pool : nullptr;
  work.stop = stop;
  work.shares = &shares_;
  work.clock = &context_.clock;
  return work;
}

std::optional<media::Frame> Stage::make_frame(const std::stop_token& stop) {
  auto work = next_work(stop);
  if (is_bypassed_.load(std::memory_order_relaxed)) return pass_by(work);
  auto frame = parts_.plugin->process(work);
  if (frame || stop.stop_requested()) return frame;
  if (!std::exchange(has_complained_, true)) {
    context_.events.report(Severity::fault, context_.submix + "." + slot(),
                           "the plugin made no frame and gave no reason: its input is passed on instead");
  }
  return pass_by(work);
}

std::optional<media::Frame> Stage::pass_by(plugin::Work& work) {
  if (!gathered_.empty()) return gathered_.front();
  auto black = work.acquire_output();
  if (!black) return std::nullopt;
  const Size size = black->size();
  plugin::Canvas(black->rgba(), size).fill({0, 0, size.width, size.height}, {0, 0, 0, 255});
  return std::move(*black).publish();
}

bool Stage::hand_on(const media::Frame& frame) {
  for (auto* const reader : readers_) {
    if (reader->try_push(media::Frame(frame))) continue;
    enter(StageState::blocked);
    const bool is_taken = reader->push(frame);
    enter(StageState::working);
    if (!is_taken) return false;
  }
  return true;
}

telemetry::StageReading Stage::reading() const {
  const auto shares = shares_.totals(context_.clock.now());
  telemetry::StageReading reading;
  reading.slot = slot();
  reading.trouble = parts_.plugin->trouble();
  reading.plugin = description().id;
  reading.frames = frames_.load(std::memory_order_relaxed);
  reading.working = shares[static_cast<std::size_t>(StageState::working)];
  reading.starved = shares[static_cast<std::size_t>(StageState::starved)];
  reading.blocked = shares[static_cast<std::size_t>(StageState::blocked)];
  for (const auto& input : inputs_) {
    reading.queues.push_back({input.from, static_cast<std::uint32_t>(input.queue.size()),
                              static_cast<std::uint32_t>(input.queue.capacity())});
  }
  reading.counters = parts_.plugin->counters();
  return reading;
}

}  // namespace submix::engine
