// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/pixel_kernels.hpp"

#include "common/base/assert.hpp"
#include "common/media/pixels.hpp"

#include <libyuv/convert_argb.h>
#include <libyuv/convert_from_argb.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

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

}  // namespace

// libyuv's names are those of little-endian words: on R,G,B,A bytes these keep the order.
std::vector<PixelKernel> pack_kernels(Size size) {
  return {copy_of_rgb24(),
          {"submix", media::pack_rgb24},
          swscale(size, AV_PIX_FMT_RGBA, AV_PIX_FMT_RGB24),
          {"libyuv", [](In from, Out to) {
             libyuv::ARGBToRGB24(from.data(), 0, to.data(), 0, static_cast<int>(from.size() / 4), 1);
           }}};
}

std::vector<PixelKernel> unpack_kernels(Size size) {
  return {copy_of_rgb24(),
          {"submix", media::unpack_rgb24},
          swscale(size, AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA),
          {"libyuv", [](In from, Out to) {
             libyuv::RGB24ToARGB(from.data(), 0, to.data(), 0, static_cast<int>(to.size() / 4), 1);
           }}};
}

std::string kernel_in_use() {
  return "libyuv";
}

}  // namespace submix::throughput
