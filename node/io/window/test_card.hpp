// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace submix::io {

/// Tells a person which output this is.
struct TestCard {
  std::string_view output;   ///< "Screen of mix"
  std::string_view display;  ///< "EPSON PJ, 1920x1080 at 60 Hz"
};

/// RGBA pixels of `size`: the output's name in large letters, the display below it, colour bars,
/// and a white line along the edges, which shows whether the whole picture is visible. Pure.
[[nodiscard]] std::vector<std::uint8_t> paint_test_card(const TestCard& card, Size size);

/// RGBA pixels of `size`: an output that has no picture yet, with its name, in dim letters on black.
/// Pure.
[[nodiscard]] std::vector<std::uint8_t> paint_waiting_card(std::string_view output, Size size);

}  // namespace submix::io
