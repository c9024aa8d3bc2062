// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/plugin.hpp"

#include "common/base/thread.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace submix::plugin {

// A trace has the same three kinds first, then the kinds of streams.
static_assert(
    static_cast<int>(StageState::working) == static_cast<int>(telemetry::TraceKind::working) &&
    static_cast<int>(StageState::starved) == static_cast<int>(telemetry::TraceKind::starved) &&
    static_cast<int>(StageState::blocked) == static_cast<int>(telemetry::TraceKind::blocked));

show::InputCount input_count(Kind kind) {
  return show::inputs_of_kind(to_string(kind)).value_or(0);
}

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::source:
      return "source";
    case Kind::filter:
      return "filter";
    case Kind::mixer2:
      return "mixer2";
    case Kind::mixer3:
      return "mixer3";
    case Kind::output:
      return "output";
    case Kind::mixer:
      return "mixer";
  }
  return "";
}

ParameterDescription number_parameter(std::string name, std::string explanation, double initial,
                                      double minimum, double maximum) {
  return {.name = std::move(name),
          .explanation = std::move(explanation),
          .initial = initial,
          .minimum = minimum,
          .maximum = maximum};
}

std::string_view to_string(ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return "switch";
    case ParameterType::number:
      return "number";
    case ParameterType::color:
      return "colour";
    case ParameterType::position:
      return "position";
    case ParameterType::text:
      return "text";
  }
  return "";
}

std::string_view to_string(Memory memory) {
  switch (memory) {
    case Memory::unknown:
      return "unknown";
    case Memory::none:
      return "none";
    case Memory::frames:
      return "frames";
  }
  return "";
}

const ParameterDescription* Description::find_parameter(std::string_view wanted) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const auto& parameter) { return parameter.name == wanted; });
  return found == parameters.end() ? nullptr : &*found;
}

std::optional<media::WritableFrame> Work::acquire_output() {
  constexpr auto kStopPollPeriod = std::chrono::milliseconds(20);  // how late a stop may be seen
  auto frame = pool->try_acquire();
  if (!frame) {
    const Waiting waiting(*this, StageState::blocked);
    while (!frame && !stop.stop_requested())
      frame = pool->acquire_for(kStopPollPeriod);
  }
  if (frame) frame->stamp() = stamp;
  return frame;
}

std::optional<media::WritableFrame> Work::draw_over_input() {
  const bool may_take = takeable != nullptr && (takeable->shared_place() || !pool->is_shared());
  if (auto itself = may_take ? takeable->take_for_writing() : std::nullopt) return itself;
  auto copy = acquire_output();
  if (copy) std::ranges::copy(inputs[0].rgba(), copy->rgba().begin());
  return copy;
}

Waiting::Waiting(const Work& work, StageState state) : work_(work) {
  if (work_.shares != nullptr) work_.shares->enter(state, work_.clock->now());
}

Waiting::~Waiting() {
  if (work_.shares != nullptr) work_.shares->enter(StageState::working, work_.clock->now());
}

HandOver::HandOver(const Work& work, StageState state)
    : work_(work),
      state_(state),
      begin_(work.shares == nullptr ? LocalTime() : work.clock->now()),
      ran_before_(thread_cpu_time()) {}

HandOver::~HandOver() {
  if (work_.shares == nullptr) return;
  const auto ran = thread_cpu_time() - ran_before_;
  const auto end = work_.clock->now();
  work_.shares->enter(state_, std::min<LocalTime>(begin_ + ran, end));
  work_.shares->enter(StageState::working, end);
}

}  // namespace submix::plugin
