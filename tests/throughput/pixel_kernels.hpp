// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace submix::throughput {

/// A way to convert a frame: whole pixels from one span into another. memcpy copies as many bytes as the
/// smaller span has.
struct PixelKernel {
  std::string name;
  std::function<void(std::span<const std::uint8_t>, std::span<std::uint8_t>)> convert;
};

/// RGBA to RGB24; memcpy comes first, then what this project's streams use, then each kernel by name.
[[nodiscard]] std::vector<PixelKernel> pack_kernels();
/// RGB24 to RGBA, in the same order.
[[nodiscard]] std::vector<PixelKernel> unpack_kernels();

/// The one that this project's streams use on this machine.
[[nodiscard]] std::string kernel_in_use();

}  // namespace submix::throughput
