// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace submix::media {

/// A small picture outside every pool: a preview or a snapshot. A value.
///
/// Shape    R,G,B, 8 bits a channel, rows without padding, top row first: size.pixels() * 3 bytes.
struct Rgb24Image {
  Size size;
  std::vector<std::uint8_t> pixels;

  friend bool operator==(const Rgb24Image&, const Rgb24Image&) = default;
};

}  // namespace submix::media
