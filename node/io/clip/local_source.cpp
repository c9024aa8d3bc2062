// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/local_source.hpp"

#include "node/io/ffmpeg.hpp"

#include <algorithm>
#include <utility>

namespace submix::io {

using Outcome = PaintedPicture::Outcome;

Result<std::unique_ptr<LocalSource>> LocalSource::open(OpenFile file, Size size, Fit fit) {
  auto reader = VideoReader::open(std::move(file), {size, fit});
  SUBMIX_TRY(reader);
  return std::make_unique<LocalSource>(*std::move(reader), size);
}

LocalSource::LocalSource(VideoReader reader, Size size)
    : PictureSource(reader.path().string()),
      ahead_(std::make_unique<Playhead>(std::move(reader))),
      painter_(size, Fit::letterbox),
      report_(ahead_.report()) {}

PaintedPicture LocalSource::paint(const PictureRequest& request, media::WritableFrame output,
                                  const std::stop_token& stop) {
  const auto outcome = paint_over(request, output.rgba(), stop);
  if (outcome == Outcome::stopped) return {outcome, std::nullopt};
  return {outcome, std::move(output), is_late_};
}

PaintedPicture::Outcome LocalSource::paint_over(const PictureRequest& request,
                                                std::span<std::uint8_t> rgba,
                                                const std::stop_token& stop) {
  const auto found = ahead_.find(request.course, request.may_hold, stop);
  is_late_ = found.is_late;
  if (is_late_ && !request.may_hold) return Outcome::stopped;
  look_at_file();
  if (!found.picture) return Outcome::held;

  look_at(*found.picture);
  if (found.picture->serial == request.known_serial) return Outcome::known;
  painter_.set_fit(request.fit);
  if (!painter_.paint(*found.picture->frame, rgba)) {
    report_.is_unpaintable = true;
    std::ranges::fill(rgba, std::uint8_t{0});
  }
  return Outcome::painted;
}

void LocalSource::wait_for(const Course& course) {
  const auto found = ahead_.find(course, false, {});
  look_at_file();
  if (found.picture) look_at(*found.picture);
}

void LocalSource::look_at_file() {
  const auto now = ahead_.report();
  report_.length = now.length;
  report_.missing_seconds = now.missing_seconds;
  report_.damaged_at = now.damaged_at;
  report_.faults = now.faults;
  report_.decoding = now.decoding;
  report_.decoding_cpu = now.decoding_cpu;
  report_.decoded = now.decoded;
  report_.stuck = now.stuck;
}

void LocalSource::look_at(const ClipPicture& picture) {
  report_.serial = picture.serial;
  report_.own_size = picture.own_size;
}

}  // namespace submix::io
