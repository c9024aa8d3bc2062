// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/pixels.hpp"

#include "common/base/assert.hpp"
#include "common/media/frame.hpp"
#include "common/media/pixel_kernels.hpp"

#include <libyuv/convert_argb.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <limits>

namespace submix::media {
namespace {

// The alpha of a pixel in memory.
constexpr auto kAlpha = std::bit_cast<std::uint32_t>(std::array<std::uint8_t, 4>{0, 0, 0, 255});
constexpr std::size_t kAlphaBlockBytes = 16384;

/// The size of the last-level cache, from the kernel. The C library states the size of the whole
/// chip's cache, but a virtual machine has only a part of it.
std::size_t read_cache_bytes() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");  // "32768K"
  std::size_t kibibytes = 0;
  if (!(file >> kibibytes)) return std::numeric_limits<std::size_t>::max();
  return kibibytes * 1024;
}

}  // namespace

void pack_rgb24(std::span<const std::uint8_t> rgba, std::span<std::uint8_t> rgb24, Stores stores) {
  SUBMIX_ASSERT(rgba.size() / kBytesPerRgbaPixel == rgb24.size() / kBytesPerRgb24Pixel);
  const auto& chosen = chosen_pixel_kernels();
  const auto& kernel = stores == Stores::cached ? chosen.pack : chosen.streaming_pack;
  kernel.run(rgba.data(), rgb24.data(), rgba.size() / kBytesPerRgbaPixel);
}

void unpack_rgb24(std::span<const std::uint8_t> rgb24, std::span<std::uint8_t> rgba,
                  Stores stores) {
  SUBMIX_ASSERT(rgba.size() / kBytesPerRgbaPixel == rgb24.size() / kBytesPerRgb24Pixel);
  const auto& chosen = chosen_pixel_kernels();
  const auto& kernel = stores == Stores::cached ? chosen.unpack : chosen.streaming_unpack;
  kernel.run(rgb24.data(), rgba.data(), rgba.size() / kBytesPerRgbaPixel);
}

void convert(std::span<const std::uint8_t> from, std::span<std::uint8_t> to, PixelFormat to_format,
             Stores stores) {
  if (to_format == PixelFormat::rgb24) {
    pack_rgb24(from, to, stores);
  } else {
    unpack_rgb24(from, to, stores);
  }
}

bool is_opaque(std::span<const std::uint8_t> rgba) {
  while (!rgba.empty()) {
    const auto block = rgba.first(std::min(rgba.size(), kAlphaBlockBytes));
    std::uint32_t all = kAlpha;
    for (std::size_t i = 0; i < block.size(); i += kBytesPerRgbaPixel) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, block.data() + i, sizeof pixel);
      all &= pixel;
    }
    if (all != kAlpha) return false;
    rgba = rgba.subspan(block.size());
  }
  return true;
}

void make_opaque(std::span<std::uint8_t> rgba) {
  for (std::size_t i = 3; i < rgba.size(); i += kBytesPerRgbaPixel)
    rgba[i] = 255;
}

Stores stores_for(std::size_t frame_bytes) {
  // Unpacking a frame and reading it, with a cache of 32 MiB. For 3840x2160 streaming takes 0.9
  // times as long: such a frame leaves the cache before it is complete. For 2880x1620 both take
  // equally long. For 1920x1080 and below streaming takes 1.1 to 2.1 times as long.
  static const auto cache_bytes = read_cache_bytes();
  return frame_bytes > cache_bytes / 4 * 3 ? Stores::streaming : Stores::cached;
}

void swap_red_and_blue(std::span<const std::uint8_t> from, std::span<std::uint8_t> to) {
  SUBMIX_ASSERT(from.size() == to.size());
  libyuv::ABGRToARGB(from.data(), 0, to.data(), 0, static_cast<int>(from.size() / 4), 1);
}

}  // namespace submix::media
