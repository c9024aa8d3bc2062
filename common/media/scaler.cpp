// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/scaler.hpp"

#include "common/base/assert.hpp"

extern "C" {
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <tuple>
#include <vector>

namespace submix::media {
namespace {

// libswscale's vector code works in blocks of pixels. It may write past a row's last pixel, or
// leave the last pixels undone if the stride has no room. So packed rows that are not whole blocks
// go through a scratch buffer.
constexpr int kBlockPixels = 16;
constexpr int kAlignmentBytes = 64;

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

/// Whether libswscale has tables from this format to RGB.
bool has_tables(AVPixelFormat format) {
  return format == AV_PIX_FMT_YUV420P || format == AV_PIX_FMT_YUV422P;
}

/// The tables convert two rows at a time. A single last row is converted with the row before it.
bool is_for_tables(const TargetPicture& target) {
  const bool has_pairs = target.size.height % 2 == 0;
  const bool has_single_row = target.size.height > 1 && packed_pixel_bytes(target.format) != 0;
  return is_rgb(pixel_format(target.format)) && (has_pairs || has_single_row);
}

bool has_single_row(const SourcePicture& source, const TargetPicture& target) {
  return target.size.height % 2 != 0 && source.size == target.size && is_for_tables(target) &&
         has_tables(without_range(pixel_format(source.format)));
}

/// The format between two steps to RGB. Empty: one step is as good.
///
/// libswscale turns planar 8-bit YUV of the same size into RGB by exact tables, the fastest of its
/// ways. All other ways give 253 for the white of 16 to 235, or take six times as long
/// (SWS_FULL_CHR_H_INT). They have no more chroma than 4:2:2.
std::optional<AVPixelFormat> planar_between(const SourcePicture& source,
                                            const TargetPicture& target) {
  const auto format = without_range(pixel_format(source.format));
  const auto* from = av_pix_fmt_desc_get(format);
  const bool has_halved_chroma = from != nullptr && from->nb_components == 3 &&
                                 from->log2_chroma_w + from->log2_chroma_h > 0 && !is_rgb(format);
  if (!has_halved_chroma || !is_for_tables(target)) return std::nullopt;

  const bool is_scaled = source.size != target.size;
  if (!is_scaled && has_tables(format)) return std::nullopt;
  const bool has_halved_rows = from->log2_chroma_h > 0;
  return !is_scaled && has_halved_rows ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUV422P;
}

int aligned(int bytes) {
  return (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

/// A picture in memory of its own, which grows as needed.
class PlanarPicture {
 public:
  TargetPicture shaped(Size size, AVPixelFormat format, bool has_full_range) {
    const int chroma_rows = format == AV_PIX_FMT_YUV420P ? (size.height + 1) / 2 : size.height;
    const std::array<int, 3> strides{aligned(size.width), aligned((size.width + 1) / 2),
                                     aligned((size.width + 1) / 2)};
    const std::array<int, 3> rows{size.height, chroma_rows, chroma_rows};

    TargetPicture picture{size, format, {}, {}, has_full_range};
    std::array<std::size_t, 3> places{};
    std::size_t bytes = kAlignmentBytes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      picture.strides_bytes[i] = strides[i] + kAlignmentBytes;  // room beyond the last pixel
      places[i] = bytes;
      bytes +=
          static_cast<std::size_t>(picture.strides_bytes[i]) * static_cast<std::size_t>(rows[i]);
    }

    bytes_.resize(bytes);
    const auto misaligned = reinterpret_cast<std::uintptr_t>(bytes_.data()) % kAlignmentBytes;
    for (std::size_t i = 0; i < rows.size(); ++i)
      picture.planes[i] = bytes_.data() + places[i] - misaligned;
    return picture;
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

SourcePicture as_source(const TargetPicture& picture, int color_space) {
  SourcePicture source;
  source.size = picture.size;
  source.format = picture.format;
  std::ranges::copy(picture.planes, source.planes.begin());
  source.strides_bytes = picture.strides_bytes;
  source.color_space = color_space;
  source.has_full_range = picture.has_full_range;
  return source;
}

/// The last two rows, of which the second has its own chroma.
SourcePicture last_rows(const SourcePicture& source) {
  auto rows = source;
  const int last = source.size.height - 1;
  const bool has_halved_rows = without_range(pixel_format(source.format)) == AV_PIX_FMT_YUV420P;
  for (std::size_t i = 0; i < 3; ++i) {
    const int row = i > 0 && has_halved_rows ? last / 2 : last - 1;
    rows.planes[i] += std::ptrdiff_t{row} * source.strides_bytes[i];
  }
  rows.size.height = 2;
  return rows;
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

TargetPicture yuyv_target(Size size, std::span<std::uint8_t> pixels) {
  auto target = packed_target(size, AV_PIX_FMT_YUYV422, pixels, kBytesPerYuyvPixel);
  target.has_full_range = false;
  return target;
}

/// One conversion by libswscale.
class Scaler::Step {
 public:
  Step() = default;
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  ~Step() { sws_freeContext(sws_); }

  [[nodiscard]] Result<void> convert(const SourcePicture& source, const TargetPicture& target);

 private:
  using Shape = std::tuple<int, int, int, int, int, int, int, bool, bool>;

  [[nodiscard]] Result<void> prepare(const SourcePicture& source, const TargetPicture& target);
  [[nodiscard]] TargetPicture scratch_for(const TargetPicture& target);

  Shape shape_{};
  SwsContext* sws_ = nullptr;
  std::vector<std::uint8_t> scratch_;  // padded rows, for targets without padding
};

struct Scaler::Steps {
  Step to_planar;
  PlanarPicture planar;
  Step to_target;
  Step to_last_rows;
  std::vector<std::uint8_t> rows;  // the last two

  [[nodiscard]] Result<void> convert_pairs(const SourcePicture& source, TargetPicture target);
};

Scaler::Scaler() : steps_(std::make_unique<Steps>()) {}
Scaler::~Scaler() = default;
Scaler::Scaler(Scaler&&) noexcept = default;
Scaler& Scaler::operator=(Scaler&&) noexcept = default;

Result<void> Scaler::convert(const SourcePicture& source, const TargetPicture& target) {
  auto from = source;
  from.color_space = color_matrix(source);
  if (const auto between = planar_between(source, target)) {
    const auto planar = steps_->planar.shaped(target.size, *between, source.has_full_range);
    SUBMIX_TRY(steps_->to_planar.convert(source, planar));
    from = as_source(planar, from.color_space);
  }
  if (has_single_row(from, target)) return steps_->convert_pairs(from, target);
  return steps_->to_target.convert(from, target);
}

/// The last row is single. It is converted once more with the row before it, whose result is not
/// used.
Result<void> Scaler::Steps::convert_pairs(const SourcePicture& source, TargetPicture target) {
  const int last = target.size.height - 1;
  const auto row_bytes = static_cast<std::size_t>(target.size.width) *
                         static_cast<std::size_t>(packed_pixel_bytes(target.format));
  rows.resize(2 * row_bytes);
  auto pair = target;
  pair.size.height = 2;
  pair.planes[0] = rows.data();
  pair.strides_bytes[0] = static_cast<int>(row_bytes);
  SUBMIX_TRY(to_last_rows.convert(last_rows(source), pair));
  std::memcpy(target.planes[0] + std::ptrdiff_t{last} * target.strides_bytes[0],
              rows.data() + row_bytes, row_bytes);

  auto pairs = source;
  pairs.size.height = target.size.height = last;
  return to_target.convert(pairs, target);
}

Result<void> Scaler::Step::convert(const SourcePicture& source, const TargetPicture& target) {
  if (auto prepared = prepare(source, target); !prepared) return prepared;
  const auto pixel_bytes = packed_pixel_bytes(target.format);
  const bool takes_detour = pixel_bytes != 0 && target.size.width % kBlockPixels != 0;
  const auto written = takes_detour ? scratch_for(target) : target;
  const auto rows =
      sws_scale(sws_, source.planes.data(), source.strides_bytes.data(), 0, source.size.height,
                written.planes.data(), written.strides_bytes.data());
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

Result<void> Scaler::Step::prepare(const SourcePicture& source, const TargetPicture& target) {
  const Shape shape{source.size.width,    source.size.height,    source.format,
                    target.size.width,    target.size.height,    target.format,
                    color_matrix(source), source.has_full_range, target.has_full_range};
  if (sws_ != nullptr && shape == shape_) return {};
  sws_freeContext(sws_);
  sws_ = sws_getContext(source.size.width, source.size.height,
                        without_range(pixel_format(source.format)), target.size.width,
                        target.size.height, without_range(pixel_format(target.format)),
                        SWS_BILINEAR, nullptr, nullptr, nullptr);
  if (sws_ == nullptr) {
    return fail("picture of {}x{} {} cannot be converted to {}x{} {}", source.size.width,
                source.size.height, format_name(source.format), target.size.width,
                target.size.height, format_name(target.format));
  }
  shape_ = shape;
  const bool from_rgb = is_rgb(pixel_format(source.format));
  const bool to_rgb = is_rgb(pixel_format(target.format));
  if (from_rgb && to_rgb) return {};
  // The same matrix for both sides: a show's pixels are RGB, so only one side of a conversion is
  // Y'CbCr.
  const int* matrix = sws_getCoefficients(color_matrix(source));
  sws_setColorspaceDetails(sws_, matrix, from_rgb || source.has_full_range ? 1 : 0, matrix,
                           to_rgb || target.has_full_range ? 1 : 0, 0, 1 << 16, 1 << 16);
  return {};
}

TargetPicture Scaler::Step::scratch_for(const TargetPicture& target) {
  const auto pixel_bytes = packed_pixel_bytes(target.format);
  const auto row_bytes = (target.size.width + 2 * kBlockPixels) * pixel_bytes;
  const auto stride = aligned(row_bytes);
  scratch_.resize(static_cast<std::size_t>(stride) * static_cast<std::size_t>(target.size.height) +
                  kAlignmentBytes);
  auto scratch = target;
  const auto misaligned = reinterpret_cast<std::uintptr_t>(scratch_.data()) % kAlignmentBytes;
  scratch.planes[0] = scratch_.data() + (kAlignmentBytes - misaligned) % kAlignmentBytes;
  scratch.strides_bytes[0] = stride;
  return scratch;
}

}  // namespace submix::media
