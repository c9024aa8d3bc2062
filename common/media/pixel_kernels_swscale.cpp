// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/pixel_kernels_swscale.hpp"

#include "common/base/assert.hpp"
#include "common/media/pixel_kernels_plain.hpp"

extern "C" {
#include <libavutil/pixfmt.h>
#include <libswscale/swscale.h>
}

#include <algorithm>
#include <array>

namespace submix::media {
namespace {

// A run of pixels is treated as a picture of narrow rows without gaps. libswscale's vector code
// works in blocks and may reach beyond the last row, so plain code converts at least the last row's
// pixels afterwards.
constexpr std::size_t kRowPixels = 64;
constexpr std::size_t kRowsMax = 16384;

/// A thread's context for a direction. Compatible.
class Conversion {
 public:
  Conversion(AVPixelFormat from, AVPixelFormat to)
      : context_(sws_getContext(kWidth, kHeight, from, kWidth, kHeight, to, SWS_POINT, nullptr,
                                nullptr, nullptr)) {
    SUBMIX_ASSERT(context_ != nullptr);
  }
  ~Conversion() { sws_freeContext(context_); }
  Conversion(const Conversion&) = delete;
  Conversion& operator=(const Conversion&) = delete;

  void run(const std::uint8_t* from, std::size_t from_row_bytes, std::uint8_t* to,
           std::size_t to_row_bytes, std::size_t rows) {
    const std::array<const std::uint8_t*, 4> sources{from};
    const std::array<std::uint8_t*, 4> targets{to};
    const std::array<int, 4> source_strides{static_cast<int>(from_row_bytes)};
    const std::array<int, 4> target_strides{static_cast<int>(to_row_bytes)};
    sws_scale(context_, sources.data(), source_strides.data(), 0, static_cast<int>(rows),
              targets.data(), target_strides.data());
  }

 private:
  static constexpr int kWidth = static_cast<int>(kRowPixels);
  static constexpr int kHeight = static_cast<int>(kRowsMax);

  SwsContext* context_;
};

/// Converts whole rows by `conversion`; returns the number of pixels converted.
std::size_t convert_rows(Conversion& conversion, const std::uint8_t* from,
                         std::size_t from_pixel_bytes, std::uint8_t* to, std::size_t to_pixel_bytes,
                         std::size_t pixels) {
  const std::size_t whole_rows = pixels / kRowPixels;
  const std::size_t rows = whole_rows > 0 ? whole_rows - 1 : 0;
  for (std::size_t done = 0; done < rows;) {
    const auto now = std::min(rows - done, kRowsMax);
    conversion.run(from + done * kRowPixels * from_pixel_bytes, kRowPixels * from_pixel_bytes,
                   to + done * kRowPixels * to_pixel_bytes, kRowPixels * to_pixel_bytes, now);
    done += now;
  }
  return rows * kRowPixels;
}

}  // namespace

void pack_swscale(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  thread_local Conversion conversion(AV_PIX_FMT_RGBA, AV_PIX_FMT_RGB24);
  const auto done = convert_rows(conversion, from, 4, to, 3, pixels);
  pack_plain(from + done * 4, to + done * 3, pixels - done);
}

void unpack_swscale(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  thread_local Conversion conversion(AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA);
  const auto done = convert_rows(conversion, from, 3, to, 4, pixels);
  unpack_plain(from + done * 3, to + done * 4, pixels - done);
}

}  // namespace submix::media
