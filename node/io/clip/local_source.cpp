// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/local_source.hpp"

#include "node/io/ffmpeg.hpp"

#include <algorithm>
#include <utility>

namespace submix::io {

Result<std::unique_ptr<LocalSource>> LocalSource::open(OpenFile file, Size size) {
  auto reader = VideoReader::open(std::move(file));
  SUBMIX_TRY(reader);
  return std::make_unique<LocalSource>(*std::move(reader), size);
}

LocalSource::LocalSource(VideoReader reader, Size size)
    : PictureSource(reader.path().string()),
      playhead_(std::move(reader)),
      painter_(size, Fit::letterbox) {
  report_.length = playhead_.length();
}

PaintedPicture LocalSource::paint(const PictureRequest& request, media::WritableFrame output,
                                  const std::stop_token& stop) {
  using Outcome = PaintedPicture::Outcome;
  const bool is_painted = paint_over(request, output.rgba(), stop);
  return {is_painted ? Outcome::painted : Outcome::known, std::move(output)};
}

bool LocalSource::paint_over(const PictureRequest& request, std::span<std::uint8_t> rgba,
                             const std::stop_token& stop) {
  const auto begun = std::chrono::steady_clock::now();
  const auto& picture = playhead_.picture_at(request.seconds, stop);
  report_.decoding += std::chrono::steady_clock::now() - begun;
  look_at(picture);
  if (picture.serial == request.known_serial) return false;

  painter_.set_fit(request.fit);
  if (!painter_.paint(*picture.frame, rgba)) {
    report_.is_unpaintable = true;
    std::ranges::fill(rgba, std::uint8_t{0});
  }
  return true;
}

void LocalSource::look_at(const ClipPicture& picture) {
  report_.length = playhead_.length();
  report_.missing_seconds = playhead_.missing_seconds();
  report_.damaged_at = playhead_.damaged_at();
  report_.faults = playhead_.reader().faults();
  report_.serial = picture.serial;
  report_.own_size = {picture.frame->width, picture.frame->height};
}

}  // namespace submix::io
