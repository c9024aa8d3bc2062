// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/pixel_kernels.hpp"

#include "common/media/frame.hpp"
#include "common/media/pixel_kernels_plain.hpp"
#include "common/media/pixel_kernels_swscale.hpp"
#include "common/media/pixel_kernels_x86.hpp"

#include <libyuv/convert_argb.h>
#include <libyuv/convert_from_argb.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <vector>

namespace submix::media {
namespace {

// libyuv names its formats by the little-endian word, and these two functions keep the byte order:
// on R,G,B,A bytes "ARGB" to "RGB24" gives R,G,B. libyuv has NEON code, so our own code is for x86
// only.

void pack_libyuv(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  libyuv::ARGBToRGB24(from, 0, to, 0, static_cast<int>(pixels), 1);
}

void unpack_libyuv(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  libyuv::RGB24ToARGB(from, 0, to, 0, static_cast<int>(pixels), 1);
}

std::vector<PixelKernel> with_portable(const std::vector<PixelKernel>& vector_kernels,
                                       std::vector<PixelKernel> kernels) {
  for (const auto stores : {Stores::cached, Stores::streaming}) {
    std::copy_if(vector_kernels.begin(), vector_kernels.end(), std::back_inserter(kernels),
                 [stores](const auto& kernel) { return kernel.stores == stores; });
  }
  return kernels;
}

// Measured on a stripe in the cache, as streams carry it. In the cache kernels differ by up to
// twenty times; on frames in main memory all but plain C++ wait for the memory alike.
constexpr std::size_t kMeasuredPixels = 65536 / kBytesPerRgb24Pixel;
constexpr int kRounds = 8;  // the shortest counts: a busy machine makes a run longer, never shorter

class Measurement {
 public:
  PixelKernel fastest(std::span<const PixelKernel> kernels) {
    std::vector<std::chrono::nanoseconds> shortest(kernels.size(), std::chrono::nanoseconds::max());
    for (int round = 0; round < kRounds; ++round) {
      for (std::size_t i = 0; i < kernels.size(); ++i)
        shortest[i] = std::min(shortest[i], time(kernels[i]));
    }
    const auto first = std::min_element(shortest.begin(), shortest.end());
    return kernels[static_cast<std::size_t>(first - shortest.begin())];
  }

 private:
  std::chrono::nanoseconds time(const PixelKernel& kernel) {
    const auto begin = std::chrono::steady_clock::now();
    kernel.run(from_.data(), to_.data(), kMeasuredPixels);
    return std::chrono::steady_clock::now() - begin;
  }

  std::vector<std::uint8_t> from_ = std::vector<std::uint8_t>(kMeasuredPixels * kBytesPerRgbaPixel);
  std::vector<std::uint8_t> to_ = std::vector<std::uint8_t>(kMeasuredPixels * kBytesPerRgbaPixel);
};

std::span<const PixelKernel> cached_of(std::span<const PixelKernel> kernels) {
  const auto is_cached = [](const auto& kernel) { return kernel.stores == Stores::cached; };
  return kernels.first(
      static_cast<std::size_t>(std::count_if(kernels.begin(), kernels.end(), is_cached)));
}

// The widest streaming kernel is the last. Measuring streaming kernels would need more memory than
// a cache holds.
PixelKernel streaming_of(std::span<const PixelKernel> kernels, PixelKernel otherwise) {
  return kernels.back().stores == Stores::streaming ? kernels.back() : otherwise;
}

ChosenPixelKernels choose() {
  Measurement measurement;
  ChosenPixelKernels chosen;
  chosen.pack = measurement.fastest(cached_of(pack_kernels()));
  chosen.unpack = measurement.fastest(cached_of(unpack_kernels()));
  chosen.streaming_pack = streaming_of(pack_kernels(), chosen.pack);
  chosen.streaming_unpack = streaming_of(unpack_kernels(), chosen.unpack);
  return chosen;
}

}  // namespace

std::span<const PixelKernel> pack_kernels() {
  static const auto kernels =
      with_portable(x86_pack_kernels(), {{"plain", Stores::cached, pack_plain},
                                         {"libswscale", Stores::cached, pack_swscale},
                                         {"libyuv", Stores::cached, pack_libyuv}});
  return kernels;
}

std::span<const PixelKernel> unpack_kernels() {
  static const auto kernels =
      with_portable(x86_unpack_kernels(), {{"plain", Stores::cached, unpack_plain},
                                           {"libswscale", Stores::cached, unpack_swscale},
                                           {"libyuv", Stores::cached, unpack_libyuv}});
  return kernels;
}

const ChosenPixelKernels& chosen_pixel_kernels() {
  static const auto chosen = choose();
  return chosen;
}

}  // namespace submix::media
