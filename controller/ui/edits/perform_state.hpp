// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <string>

namespace submix::ui {

/// What edits of performers remember between frames.
struct PerformState {
  std::string knob;        ///< turned by keys; an unknown name means the first knob
  std::string preset;      ///< applied by a key; an unknown name means the first preset
  std::string wheel_knob;  ///< the knob that the mouse wheel or a key has turned last
  LocalTime wheel_at{};    ///< when it was turned
};

}  // namespace submix::ui
