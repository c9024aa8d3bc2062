// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace submix::throughput {

/// A function that converts a frame: whole pixels from one span into another. memcpy copies the
/// size of the smaller span.
struct PixelKernel {
  std::string name;
  std::function<void(std::span<const std::uint8_t>, std::span<std::uint8_t>)> convert;
};

/// RGBA to RGB24: memcpy first, then the kernel in use by streams, then each kernel by name.
[[nodiscard]] std::vector<PixelKernel> pack_kernels();
/// RGB24 to RGBA, in the same order.
[[nodiscard]] std::vector<PixelKernel> unpack_kernels();

/// The kernel that this project's streams use on this machine.
[[nodiscard]] std::string kernel_in_use();

}  // namespace submix::throughput
