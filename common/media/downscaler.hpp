// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame.hpp"
#include "common/media/image.hpp"

#include <cstdint>
#include <vector>

namespace submix::media {

/// Makes the small copies for taps and previews.
///
/// Threads  Compatible.
/// Cost     1024x768 to 320 wide: about 0.2 ms; allocates only when a size changes.
class Downscaler {
 public:
  /// Writes `frame` without alpha into `image`, at most `width_max` wide, aspect kept, never
  /// enlarged.
  void shrink(const Frame& frame, int width_max, Rgb24Image& image);

 private:
  std::vector<std::uint8_t> rgba_;  // the small picture before its alpha is dropped
};

/// The size that shrink() gives to a frame of `size`.
[[nodiscard]] Size downscaled(Size size, int width_max);

}  // namespace submix::media
