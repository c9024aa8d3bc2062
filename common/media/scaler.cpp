// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/scaler.hpp"

#include "common/base/assert.hpp"

extern "C" {
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <cstring>
#include <tuple>

namespace submix::media {
namespace {

// libswscale's vector code works in blocks of pixels. It may write past a row's last pixel, or
// leave the last pixels undone if the stride has no room. So packed rows that are not whole blocks
// go through a scratch buffer.
constexpr int kBlockPixels = 16;
constexpr int kScratchAlignmentBytes = 64;

AVPixelFormat pixel_format(int format) {
  return static_cast<AVPixelFormat>(format);
}

std::string format_name(int format) {
  const char* name = av_get_pix_fmt_name(pixel_format(format));
  return name != nullptr ? name : fmt::format("format {}", format);
}

/// The "J" formats imply full range by their name; libswscale needs the range as a separate flag.
bool is_full_range_format(AVPixelFormat format) {
  return format == AV_PIX_FMT_YUVJ420P || format == AV_PIX_FMT_YUVJ422P ||
         format == AV_PIX_FMT_YUVJ444P || format == AV_PIX_FMT_YUVJ440P ||
         format == AV_PIX_FMT_YUVJ411P;
}

AVPixelFormat without_range(AVPixelFormat format) {
  switch (format) {
    case AV_PIX_FMT_YUVJ420P:
      return AV_PIX_FMT_YUV420P;
    case AV_PIX_FMT_YUVJ422P:
      return AV_PIX_FMT_YUV422P;
    case AV_PIX_FMT_YUVJ444P:
      return AV_PIX_FMT_YUV444P;
    case AV_PIX_FMT_YUVJ440P:
      return AV_PIX_FMT_YUV440P;
    case AV_PIX_FMT_YUVJ411P:
      return AV_PIX_FMT_YUV411P;
    default:
      return format;
  }
}

bool is_rgb(AVPixelFormat format) {
  const auto* description = av_pix_fmt_desc_get(format);
  return description != nullptr &&
         (description->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0;
}

int color_matrix(const SourcePicture& source) {
  if (source.color_space != AVCOL_SPC_UNSPECIFIED && source.color_space != AVCOL_SPC_RGB)
    return source.color_space;
  return source.size.height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
}

TargetPicture packed_target(Size size, AVPixelFormat format, std::span<std::uint8_t> pixels,
                            int pixel_bytes) {
  SUBMIX_ASSERT(pixels.size() == size.pixels() * static_cast<std::size_t>(pixel_bytes));
  TargetPicture target{size, format, {}, {}, true};
  target.planes[0] = pixels.data();
  target.strides_bytes[0] = size.width * pixel_bytes;
  return target;
}

constexpr int kBytesPerYuyvPixel = 2;

int packed_pixel_bytes(int format) {
  if (format == AV_PIX_FMT_RGBA) return 4;
  if (format == AV_PIX_FMT_YUYV422) return kBytesPerYuyvPixel;
  return format == AV_PIX_FMT_RGB24 ? 3 : 0;
}

}  // namespace

SourcePicture source_picture(const AVFrame& frame) {
  SourcePicture source;
  source.size = {frame.width, frame.height};
  source.format = frame.format;
  for (std::size_t i = 0; i < 4; ++i) {
    source.planes[i] = frame.data[i];
    source.strides_bytes[i] = frame.linesize[i];
  }
  source.color_space = frame.colorspace;
  source.has_full_range =
      frame.color_range == AVCOL_RANGE_JPEG || is_full_range_format(pixel_format(frame.format));
  return source;
}

SourcePicture source_picture(const Frame& frame) {
  SourcePicture source;
  source.size = frame.size();
  source.format = AV_PIX_FMT_RGBA;
  source.planes[0] = frame.rgba().data();
  source.strides_bytes[0] = frame.size().width * static_cast<int>(kBytesPerRgbaPixel);
  source.has_full_range = true;
  return source;
}

TargetPicture target_picture(AVFrame& frame) {
  TargetPicture target{{frame.width, frame.height}, frame.format, {}, {}, false};
  for (std::size_t i = 0; i < 4; ++i) {
    target.planes[i] = frame.data[i];
    target.strides_bytes[i] = frame.linesize[i];
  }
  target.has_full_range =
      frame.color_range == AVCOL_RANGE_JPEG || is_full_range_format(pixel_format(frame.format));
  return target;
}

TargetPicture rgba_target(Size size, std::span<std::uint8_t> pixels) {
  return packed_target(size, AV_PIX_FMT_RGBA, pixels, static_cast<int>(kBytesPerRgbaPixel));
}

TargetPicture rgb24_target(Size size, std::span<std::uint8_t> pixels) {
  return packed_target(size, AV_PIX_FMT_RGB24, pixels, static_cast<int>(kBytesPerRgb24Pixel));
}

TargetPicture yuyv_target(Size size, std::span<std::uint8_t> pixels) {
  auto target = packed_target(size, AV_PIX_FMT_YUYV422, pixels, kBytesPerYuyvPixel);
  target.has_full_range = false;
  return target;
}

struct Scaler::Context {
  using Shape = std::tuple<int, int, int, int, int, int, int, bool, bool>;

  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { sws_freeContext(sws); }

  Shape shape{};
  SwsContext* sws = nullptr;
};

Scaler::Scaler() : context_(std::make_unique<Context>()) {}
Scaler::~Scaler() = default;
Scaler::Scaler(Scaler&&) noexcept = default;
Scaler& Scaler::operator=(Scaler&&) noexcept = default;

Result<void> Scaler::convert(const SourcePicture& source, const TargetPicture& target) {
  if (auto prepared = prepare(source, target); !prepared) return prepared;
  const auto pixel_bytes = packed_pixel_bytes(target.format);
  const bool takes_detour = pixel_bytes != 0 && target.size.width % kBlockPixels != 0;
  const auto written = takes_detour ? scratch_for(target) : target;
  const auto rows =
      sws_scale(context_->sws, source.planes.data(), source.strides_bytes.data(), 0,
                source.size.height, written.planes.data(), written.strides_bytes.data());
  if (rows != target.size.height) {
    return fail("picture of {}x{} {} could not be converted: {} of {} rows", source.size.width,
                source.size.height, format_name(source.format), rows, target.size.height);
  }
  if (!takes_detour) return {};
  const auto row_bytes =
      static_cast<std::size_t>(target.size.width) * static_cast<std::size_t>(pixel_bytes);
  for (std::ptrdiff_t y = 0; y < target.size.height; ++y) {
    std::memcpy(target.planes[0] + y * target.strides_bytes[0],
                written.planes[0] + y * written.strides_bytes[0], row_bytes);
  }
  return {};
}

Result<void> Scaler::prepare(const SourcePicture& source, const TargetPicture& target) {
  const Context::Shape shape{source.size.width,    source.size.height,    source.format,
                             target.size.width,    target.size.height,    target.format,
                             color_matrix(source), source.has_full_range, target.has_full_range};
  if (context_->sws != nullptr && shape == context_->shape) return {};
  sws_freeContext(context_->sws);
  context_->sws = sws_getContext(source.size.width, source.size.height,
                                 without_range(pixel_format(source.format)), target.size.width,
                                 target.size.height, without_range(pixel_format(target.format)),
                                 SWS_BILINEAR, nullptr, nullptr, nullptr);
  if (context_->sws == nullptr) {
    return fail("picture of {}x{} {} cannot be converted to {}x{} {}", source.size.width,
                source.size.height, format_name(source.format), target.size.width,
                target.size.height, format_name(target.format));
  }
  context_->shape = shape;
  const bool from_rgb = is_rgb(pixel_format(source.format));
  const bool to_rgb = is_rgb(pixel_format(target.format));
  if (from_rgb && to_rgb) return {};
  // The same matrix for both sides: a show's pixels are RGB, so only one side of a conversion is
  // Y'CbCr.
  const int* matrix = sws_getCoefficients(color_matrix(source));
  sws_setColorspaceDetails(context_->sws, matrix, from_rgb || source.has_full_range ? 1 : 0, matrix,
                           to_rgb || target.has_full_range ? 1 : 0, 0, 1 << 16, 1 << 16);
  return {};
}

TargetPicture Scaler::scratch_for(const TargetPicture& target) {
  const auto pixel_bytes = packed_pixel_bytes(target.format);
  const auto row_bytes = (target.size.width + 2 * kBlockPixels) * pixel_bytes;
  const auto stride =
      (row_bytes + kScratchAlignmentBytes - 1) / kScratchAlignmentBytes * kScratchAlignmentBytes;
  scratch_.resize(static_cast<std::size_t>(stride) * static_cast<std::size_t>(target.size.height) +
                  kScratchAlignmentBytes);
  auto scratch = target;
  const auto misaligned =
      reinterpret_cast<std::uintptr_t>(scratch_.data()) % kScratchAlignmentBytes;
  scratch.planes[0] =
      scratch_.data() + (kScratchAlignmentBytes - misaligned) % kScratchAlignmentBytes;
  scratch.strides_bytes[0] = stride;
  return scratch;
}

}  // namespace submix::media
