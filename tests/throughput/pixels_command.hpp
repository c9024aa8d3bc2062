// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "tests/throughput/context.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace submix::throughput {

struct PixelsOptions {
  Size size{1024, 768};
  std::size_t rounds = 15;
};

/// The figures of one kernel. Times of a frame are medians; ratios are medians of each round's
/// ratio to memcpy.
struct PixelFigures {
  std::string name;
  double warm_us = 0;
  double cold_us = 0;
  double warm_ratio = 0;
  double cold_ratio = 0;
};

struct PixelsResult {
  std::string kernel;  ///< the kernel in use by this project's streams
  std::vector<PixelFigures> pack;
  std::vector<PixelFigures> unpack;
};

/// Packs and unpacks whole frames on one thread, with each kernel in turn. Warm: the same frame
/// again and again. Cold: frames from main memory. Fails if two kernels differ in a bit, or when
/// asked to stop.
[[nodiscard]] Result<PixelsResult> measure_pixels(Context& context, const PixelsOptions& options);

[[nodiscard]] std::string to_text(const PixelsOptions& options, const PixelsResult& result);
[[nodiscard]] std::string to_json(const PixelsOptions& options, const PixelsResult& result);

int run_pixels(Context& context, const PixelsOptions& options);

}  // namespace submix::throughput
