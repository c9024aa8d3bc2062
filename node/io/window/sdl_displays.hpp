// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/display.hpp"

#include <vector>

namespace submix::io {

/// The displays that SDL sees, in SDL's order. SDL's video must have been started.
///
/// Threads  Confined (the thread that started it).
[[nodiscard]] std::vector<Display> read_displays();

}  // namespace submix::io
