// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/plugin.hpp"

#include <algorithm>
#include <chrono>

namespace submix::plugin {

std::size_t input_count(Kind kind) {
  switch (kind) {
    case Kind::source:
      return 0;
    case Kind::filter:
      return 1;
    case Kind::mixer2:
      return 2;
    case Kind::mixer3:
      return 3;
    case Kind::output:
      return 1;
  }
  return 0;
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
  }
  return "";
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

const ParameterDescription* Description::find_parameter(std::string_view wanted) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const auto& parameter) { return parameter.name == wanted; });
  return found == parameters.end() ? nullptr : &*found;
}

std::optional<media::WritableFrame> Work::acquire_output() {
  constexpr auto kPatience = std::chrono::milliseconds(20);  // how late a stop may be seen
  auto frame = pool->try_acquire();
  if (!frame) {
    const Waiting waiting(*this, StageState::blocked);
    while (!frame && !stop.stop_requested())
      frame = pool->acquire_for(kPatience);
  }
  if (frame) frame->stamp() = stamp;
  return frame;
}

Waiting::Waiting(const Work& work, StageState state) : work_(work) {
  if (work_.shares != nullptr) work_.shares->enter(state, work_.clock->now());
}

Waiting::~Waiting() {
  if (work_.shares != nullptr) work_.shares->enter(StageState::working, work_.clock->now());
}

}  // namespace submix::plugin
