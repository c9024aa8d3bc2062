// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/pixels.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace submix::media {

/// One way to pack or to unpack pixels. All give the same bytes, read and write nothing beyond the pixels
/// and want no alignment.
///
/// Threads  Immutable; run() on any thread.
struct PixelKernel {
  std::string_view name;  ///< "avx2", "libyuv"
  Stores stores = Stores::cached;
  void (*run)(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) = nullptr;
};

/// Those that this CPU can run: first the cached ones, plain C++ first of all, then the streaming ones.
[[nodiscard]] std::span<const PixelKernel> pack_kernels();
[[nodiscard]] std::span<const PixelKernel> unpack_kernels();

struct ChosenPixelKernels {
  PixelKernel pack;
  PixelKernel unpack;
  PixelKernel streaming_pack;  ///< the cached one where this CPU has no streaming one
  PixelKernel streaming_unpack;
};

/// What this machine's streams use.
///
/// Threads  Synchronized.
/// Cost     The first call measures the cached kernels, for a few hundred microseconds.
[[nodiscard]] const ChosenPixelKernels& chosen_pixel_kernels();

}  // namespace submix::media
