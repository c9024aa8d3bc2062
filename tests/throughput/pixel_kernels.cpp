// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/pixel_kernels.hpp"

#include "common/media/frame.hpp"
#include "common/media/pixel_kernels.hpp"
#include "common/media/pixels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace submix::throughput {
namespace {

using In = std::span<const std::uint8_t>;
using Out = std::span<std::uint8_t>;

PixelKernel copy_of_rgb24() {
  return {"memcpy", [](In from, Out to) {
            std::memcpy(to.data(), from.data(), std::min(from.size(), to.size()));
          }};
}

/// memcpy, then the two kernels in use by streams, then all kernels that this CPU runs.
std::vector<PixelKernel> with_chosen(PixelKernel cached, PixelKernel streaming,
                                     std::span<const media::PixelKernel> kernels,
                                     std::size_t to_pixel_bytes) {
  std::vector<PixelKernel> list{copy_of_rgb24(), std::move(cached), std::move(streaming)};
  for (const auto& kernel : kernels) {
    list.push_back({std::string(kernel.name), [run = kernel.run, to_pixel_bytes](In from, Out to) {
                      run(from.data(), to.data(), to.size() / to_pixel_bytes);
                    }});
  }
  return list;
}

}  // namespace

std::vector<PixelKernel> pack_kernels() {
  return with_chosen(
      {"submix", [](In from, Out to) { media::pack_rgb24(from, to); }},
      {"submix streaming",
       [](In from, Out to) { media::pack_rgb24(from, to, media::Stores::streaming); }},
      media::pack_kernels(), media::kBytesPerRgb24Pixel);
}

std::vector<PixelKernel> unpack_kernels() {
  return with_chosen(
      {"submix", [](In from, Out to) { media::unpack_rgb24(from, to); }},
      {"submix streaming",
       [](In from, Out to) { media::unpack_rgb24(from, to, media::Stores::streaming); }},
      media::unpack_kernels(), media::kBytesPerRgbaPixel);
}

std::string kernel_in_use() {
  const auto& chosen = media::chosen_pixel_kernels();
  return fmt::format("pack {}, unpack {}; streaming: pack {}, unpack {}", chosen.pack.name,
                     chosen.unpack.name, chosen.streaming_pack.name, chosen.streaming_unpack.name);
}

}  // namespace submix::throughput
