// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/picture_fit.hpp"

#include "node/io/ffmpeg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace submix::io {
namespace {

double display_aspect(const AVFrame& picture) {
  const auto pixel = picture.sample_aspect_ratio;
  const double pixel_aspect = pixel.num > 0 && pixel.den > 0 ? av_q2d(pixel) : 1.0;
  return pixel_aspect * picture.width / picture.height;
}

/// The largest part of `picture` that has the aspect ratio, from its middle. Shares the pixels.
FramePointer cropped(const AVFrame& picture, double aspect) {
  auto part = make_frame();
  if (av_frame_ref(part.get(), &picture) < 0) return part;
  const double squeeze = display_aspect(picture) * picture.height / picture.width;
  const auto inner = fit_within({picture.width, picture.height}, aspect / squeeze);
  part->crop_left = static_cast<std::size_t>(inner.x);
  part->crop_right = static_cast<std::size_t>(picture.width - inner.x - inner.size.width);
  part->crop_top = static_cast<std::size_t>(inner.y);
  part->crop_bottom = static_cast<std::size_t>(picture.height - inner.y - inner.size.height);
  av_frame_apply_cropping(part.get(), 0);
  return part;
}

/// Black and transparent: a layer below shows through.
void paint_bars(std::span<std::uint8_t> rgba, Size size, const Rectangle& inner) {
  const auto clear = [&](int y, int from, int to) {
    const auto row = static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width);
    const auto first = (row + static_cast<std::size_t>(from)) * media::kBytesPerRgbaPixel;
    const auto pixels = static_cast<std::size_t>(to - from);
    std::ranges::fill(rgba.subspan(first, pixels * media::kBytesPerRgbaPixel), std::uint8_t{0});
  };
  for (int y = 0; y < size.height; ++y) {
    const bool is_bar = y < inner.y || y >= inner.y + inner.size.height;
    clear(y, 0, is_bar ? size.width : inner.x);
    if (!is_bar) clear(y, inner.x + inner.size.width, size.width);
  }
}

PictureTurn turn_of(const AVFrame& picture) {
  const auto* stated = av_frame_get_side_data(&picture, AV_FRAME_DATA_DISPLAYMATRIX);
  DisplayMatrix matrix;
  if (stated == nullptr || stated->size < sizeof(matrix)) return {};
  std::memcpy(matrix.data(), stated->data, sizeof(matrix));
  return io::turn_of(matrix);
}

}  // namespace

std::vector<std::string> fit_names() {
  return {"letterbox", "fill", "stretch"};
}

Fit fit_named(std::string_view name) {
  if (name == "fill") return Fit::fill;
  return name == "stretch" ? Fit::stretch : Fit::letterbox;
}

Rectangle fit_within(Size size, double aspect) {
  const double width = std::min<double>(size.width, size.height * aspect);
  Size inner{static_cast<int>(std::lround(width)), static_cast<int>(std::lround(width / aspect))};
  inner.width = std::clamp(inner.width, 1, size.width);
  inner.height = std::clamp(inner.height, 1, size.height);
  return {(size.width - inner.width) / 2, (size.height - inner.height) / 2, inner};
}

Result<void> PicturePainter::paint(const AVFrame& picture, std::span<std::uint8_t> rgba) {
  const auto turn = turn_of(picture);
  if (turn == PictureTurn()) return fit_into(picture, rgba, size_);
  unturned_.resize(rgba.size());
  SUBMIX_TRY(fit_into(picture, unturned_, turned(size_, turn)));
  turn_pixels(unturned_, rgba, size_, turn);
  return {};
}

Result<void> PicturePainter::fit_into(const AVFrame& picture, std::span<std::uint8_t> rgba,
                                      Size size) {
  auto target = media::rgba_target(size, rgba);
  if (fit_ == Fit::stretch) return scaler_.convert(media::source_picture(picture), target);
  if (fit_ == Fit::fill) {
    const auto part = cropped(picture, static_cast<double>(size.width) / size.height);
    return scaler_.convert(media::source_picture(*part), target);
  }
  const auto inner = fit_within(size, display_aspect(picture));
  const auto offset =
      static_cast<std::ptrdiff_t>(inner.y) * target.strides_bytes[0] +
      static_cast<std::ptrdiff_t>(inner.x) * static_cast<std::ptrdiff_t>(media::kBytesPerRgbaPixel);
  target.planes[0] += offset;
  target.size = inner.size;
  if (inner.size != size) paint_bars(rgba, size, inner);
  return scaler_.convert(media::source_picture(picture), target);
}

}  // namespace submix::io
