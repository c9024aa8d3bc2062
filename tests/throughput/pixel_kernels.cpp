// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/pixel_kernels.hpp"

#include "common/base/assert.hpp"
#include "common/media/frame.hpp"
#include "common/media/pixel_kernels.hpp"
#include "common/media/pixels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

extern "C" {
#include <libavutil/pixfmt.h>
#include <libswscale/swscale.h>
}

namespace submix::throughput {
namespace {

using In = std::span<const std::uint8_t>;
using Out = std::span<std::uint8_t>;

PixelKernel copy_of_rgb24() {
  return {"memcpy",
          [](In from, Out to) { std::memcpy(to.data(), from.data(), std::min(from.size(), to.size())); }};
}

PixelKernel swscale(Size size, AVPixelFormat from_format, AVPixelFormat to_format) {
  const std::shared_ptr<SwsContext> context(
      sws_getContext(size.width, size.height, from_format, size.width, size.height, to_format, SWS_POINT,
                     nullptr, nullptr, nullptr),
      sws_freeContext);
  SUBMIX_ASSERT(context != nullptr);
  return {"libswscale", [context, size](In from, Out to) {
            const auto rows = static_cast<std::size_t>(size.height);
            const std::array<const std::uint8_t*, 4> sources{from.data()};
            const std::array<std::uint8_t*, 4> targets{to.data()};
            const std::array<int, 4> source_strides{static_cast<int>(from.size() / rows)};
            const std::array<int, 4> target_strides{static_cast<int>(to.size() / rows)};
            sws_scale(context.get(), sources.data(), source_strides.data(), 0, size.height, targets.data(),
                      target_strides.data());
          }};
}

/// This project's own, first the two that streams use, then all that this CPU runs.
std::vector<PixelKernel> own(PixelKernel cached, PixelKernel streaming,
                             std::span<const media::PixelKernel> kernels, std::size_t to_pixel_bytes) {
  std::vector<PixelKernel> list{std::move(cached), std::move(streaming)};
  for (const auto& kernel : kernels) {
    list.push_back({std::string(kernel.name), [run = kernel.run, to_pixel_bytes](In from, Out to) {
                      run(from.data(), to.data(), to.size() / to_pixel_bytes);
                    }});
  }
  return list;
}

std::vector<PixelKernel> with_peers(Size size, AVPixelFormat from, AVPixelFormat to,
                                    std::vector<PixelKernel> kernels) {
  kernels.insert(kernels.begin(), copy_of_rgb24());
  kernels.push_back(swscale(size, from, to));
  return kernels;
}

}  // namespace

std::vector<PixelKernel> pack_kernels(Size size) {
  auto kernels = own(
      {"submix", [](In from, Out to) { media::pack_rgb24(from, to); }},
      {"submix streaming", [](In from, Out to) { media::pack_rgb24(from, to, media::Stores::streaming); }},
      media::pack_kernels(), media::kBytesPerRgb24Pixel);
  return with_peers(size, AV_PIX_FMT_RGBA, AV_PIX_FMT_RGB24, std::move(kernels));
}

std::vector<PixelKernel> unpack_kernels(Size size) {
  auto kernels = own(
      {"submix", [](In from, Out to) { media::unpack_rgb24(from, to); }},
      {"submix streaming", [](In from, Out to) { media::unpack_rgb24(from, to, media::Stores::streaming); }},
      media::unpack_kernels(), media::kBytesPerRgbaPixel);
  return with_peers(size, AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA, std::move(kernels));
}

std::string kernel_in_use() {
  const auto& chosen = media::chosen_pixel_kernels();
  return fmt::format("pack {}, unpack {}; streaming: pack {}, unpack {}", chosen.pack.name,
                     chosen.unpack.name, chosen.streaming_pack.name, chosen.streaming_unpack.name);
}

}  // namespace submix::throughput
