// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/frame_maker.hpp"

#include "node/plugin/black_frame.hpp"

#include <algorithm>
#include <utility>

namespace submix::engine {

using plugin::StageState;

FrameMaker::FrameMaker(const StageContext& context, const std::string& slot,
                       const StageControl& control, const Tap& tap)
    : context_(context), slot_(slot), control_(control), tap_(tap) {}

std::optional<media::Frame> FrameMaker::make(Worker& worker, const std::stop_token& stop) {
  auto work = next_work(worker, stop);
  worker.computed.reset();
  if (worker.is_bypassed) return pass_input_on(work);
  if (control_.is_hurried(stop)) return repeat_last_frame(work);

  if (auto frame = call_plugin(worker, work)) return frame;

  if (control_.is_hurried(stop)) return repeat_last_frame(work);
  if (stop.stop_requested()) return std::nullopt;
  report_missing_frame();
  return pass_input_on(work);
}

plugin::Work FrameMaker::next_work(Worker& worker, const std::stop_token& stop) {
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

// Only frames at a display's pace need the state at the frame before, and such a slot has a single
// worker.
bool FrameMaker::is_after_pause() {
  const auto now = context_.governor.transport();
  const auto before = std::exchange(transport_seen_, now);
  return now.is_paused || before.is_paused || now.pauses != before.pauses;
}

std::optional<media::Frame> FrameMaker::call_plugin(Worker& worker, plugin::Work& work) {
  const auto start = context_.clock.now();
  const auto worked = worker.shares.total(StageState::working, start);
  worker.in_plugin.store(start.time_since_epoch().count(), std::memory_order_relaxed);
  auto frame = worker.plugin->process(work);
  worker.in_plugin.store(0, std::memory_order_relaxed);

  if (frame)
    worker.computed = worker.shares.total(StageState::working, context_.clock.now()) - worked;
  return frame;
}

void FrameMaker::report_missing_frame() {
  if (has_complained_.exchange(true, std::memory_order_relaxed)) return;
  context_.events.report(
      Severity::fault, context_.submix + "." + slot_,
      "the plugin made no frame and gave no reason: its input is passed on instead");
}

std::optional<media::Frame> FrameMaker::pass_input_on(plugin::Work& work) {
  frames_passed_by_.fetch_add(1, std::memory_order_relaxed);
  const bool has_input = !work.inputs.empty() && work.inputs.front();  // else taken for drawing
  if (has_input) return work.inputs.front();

  work.stop = control_.closed();
  return plugin::black_frame(work);
}

// For a stage that was asked to stop but owes frames: the slots behind it continue, so seats become
// free.
std::optional<media::Frame> FrameMaker::repeat_last_frame(plugin::Work& work) {
  work.stop = control_.closed();
  const auto last = work.inputs.empty() ? tap_.kept() : media::Frame();
  if (!last) return pass_input_on(work);

  auto again = work.acquire_output();
  if (!again) return std::nullopt;
  frames_passed_by_.fetch_add(1, std::memory_order_relaxed);
  std::ranges::copy(last.rgba(), again->rgba().begin());
  return std::move(*again).publish();
}

}  // namespace submix::engine
