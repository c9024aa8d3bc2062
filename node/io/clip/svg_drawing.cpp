// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/svg_drawing.hpp"

#include "node/io/file_io.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>

namespace submix::io {
namespace {

// For an SVG whose own size is larger than FFmpeg can represent.
constexpr int kMeasuringPixels = 8192;
constexpr double kSidePixelsMax = 16384;  // Cairo has 32767
constexpr unsigned kOpaque = 255;

/// Called when the decoder knows the size, before it draws.
int refuse_to_draw(AVCodecContext*, AVFrame*, int) {
  return AVERROR(ECANCELED);
}

/// The size of a drawing with this value of a decoder's option. Null: no option.
std::optional<Size> size_with(const AVCodec& librsvg, const AVPacket& text, const char* option) {
  const CodecPointer decoder(avcodec_alloc_context3(&librsvg));
  if (!decoder) throw std::bad_alloc();
  decoder->get_buffer2 = refuse_to_draw;
  if (option != nullptr) av_opt_set_int(decoder->priv_data, option, kMeasuringPixels, 0);
  if (avcodec_open2(decoder.get(), &librsvg, nullptr) < 0) return std::nullopt;
  static_cast<void>(avcodec_send_packet(decoder.get(), &text));
  const Size size{decoder->width, decoder->height};
  return size.width > 0 && size.height > 0 ? std::optional(size) : std::nullopt;
}

/// The size of this aspect ratio that covers `frame`, within the limits. FFmpeg 7 keeps a drawing's
/// aspect ratio and leaves the rest of the picture empty. So the shorter side is rounded first, and
/// the longer one follows from it.
Size covering(Size frame, double aspect) {
  const bool is_wide = aspect > 1;
  const double ratio = is_wide ? aspect : 1 / aspect;
  const double wanted = is_wide ? std::max<double>(frame.height, frame.width / ratio)
                                : std::max<double>(frame.width, frame.height / ratio);
  const double allowed = std::floor(
      std::min(kSidePixelsMax / ratio, std::sqrt(static_cast<double>(kDecodedPixelsMax) / ratio)));
  const double shorter = std::max(1.0, std::min(std::round(wanted), allowed));
  const auto longer = static_cast<int>(std::lround(std::min(kSidePixelsMax, shorter * ratio)));
  const auto side = static_cast<int>(shorter);
  return is_wide ? Size{longer, side} : Size{side, longer};
}

}  // namespace

std::optional<Size> stated_size(const AVCodec& librsvg, const AVPacket& text) {
  for (const auto* option : {static_cast<const char*>(nullptr), "width", "height"}) {
    if (const auto size = size_with(librsvg, text, option)) return size;
  }
  return std::nullopt;
}

Size drawn_size(Size stated, const DrawnFor& frame) {
  if (frame.size.width <= 0 || frame.size.height <= 0) return stated;
  const double aspect = static_cast<double>(stated.width) / stated.height;
  if (frame.fit == Fit::letterbox) return fit_within(frame.size, aspect).size;
  return covering(frame.size, aspect);
}

void divide_by_alpha(AVFrame& picture) {
  if (picture.format != AV_PIX_FMT_RGB32 || av_frame_make_writable(&picture) < 0) return;
  for (int y = 0; y < picture.height; ++y) {
    auto* row = picture.data[0] + static_cast<std::ptrdiff_t>(y) * picture.linesize[0];
    for (int x = 0; x < picture.width; ++x) {
      auto* pixel = reinterpret_cast<std::uint32_t*>(row) + x;
      const unsigned alpha = *pixel >> 24U;
      if (alpha == 0 || alpha == kOpaque) continue;
      std::uint32_t straight = alpha << 24U;
      for (const unsigned shift : {0U, 8U, 16U}) {
        const unsigned part = (*pixel >> shift) & kOpaque;
        straight |= std::min(kOpaque, (part * kOpaque + alpha / 2) / alpha) << shift;
      }
      *pixel = straight;
    }
  }
}

}  // namespace submix::io
