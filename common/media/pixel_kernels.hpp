// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/pixels.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace submix::media {

/// A function that packs or unpacks pixels. All kernels give the same bytes, touch nothing beyond
/// the pixels and need no alignment.
///
/// Threads  Immutable; run() on any thread.
struct PixelKernel {
  std::string_view name;  ///< "avx2", "libyuv"
  Stores stores = Stores::cached;
  void (*run)(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) = nullptr;
};

/// The kernels that this CPU can run: first the cached kernels, beginning with plain C++, then the
/// streaming kernels.
[[nodiscard]] std::span<const PixelKernel> pack_kernels();
[[nodiscard]] std::span<const PixelKernel> unpack_kernels();

struct ChosenPixelKernels {
  PixelKernel pack;
  PixelKernel unpack;
  PixelKernel streaming_pack;  ///< the cached kernel if this CPU has no streaming kernel
  PixelKernel streaming_unpack;
};

/// The kernels that this machine's streams use.
///
/// Threads  Synchronized.
/// Cost     The first call measures the cached kernels, for a few hundred microseconds.
[[nodiscard]] const ChosenPixelKernels& chosen_pixel_kernels();

}  // namespace submix::media
