// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstdint>
#include <string>

namespace submix::simulation {

/// A picture for one frame as RGB24: bands that move in one direction, in a colour determined by
/// `number`.
///
/// Cost     Whole numbers only; about 1 ns a pixel.
[[nodiscard]] std::string paint(Size size, std::uint64_t frame, std::uint64_t number);

}  // namespace submix::simulation
