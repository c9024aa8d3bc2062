// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace submix::io {

/// Paints the picture of an input without frames onto RGBA pixels: opaque black.
void paint_black(std::span<std::uint8_t> rgba, Size size);
/// The built-in stand-by picture: dark grey, with the stream's name in its middle.
void paint_standby(std::span<std::uint8_t> rgba, Size size, std::string_view stream);

}  // namespace submix::io
