// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/media_picture.hpp"

#include "common/media/pixels.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace submix::io {
namespace {

// A file that lasts less than this many pictures has a single one: lengths are rounded.
constexpr double kStillPicturesMax = 1.5;

// Enough for the mean of a clip whose pictures cost differently.
constexpr int kPicturesMeasured = 8;
constexpr std::chrono::milliseconds kMeasuringMax{100};

PictureRequest at_moment(double seconds) {
  return {.course = {.seconds = seconds, .in_seconds = seconds}};
}

// Decodes on from `moment`. The mean also has the pictures from the last key picture on, and what it
// took to go there.
std::chrono::nanoseconds cpu_time_of_one(PictureSource& source, double moment, Size size,
                                         const SourceOpener& opener) {
  const auto length = source.report().length;
  const auto deadline = PictureSource::SteadyTime::clock::now() + kMeasuringMax;
  for (int picture = 1; picture <= kPicturesMeasured; ++picture) {
    const double next = moment + picture * length.picture_seconds;
    const bool is_over = length.end_seconds > 0 && next >= length.end_seconds;
    if (is_over || PictureSource::SteadyTime::clock::now() > deadline) break;
    if (!read_picture(source, at_moment(next), size, opener)) break;
  }
  const auto& report = source.report();
  return report.decoded == 0 ? std::chrono::nanoseconds(0)
                             : report.decoding_cpu / static_cast<std::int64_t>(report.decoded);
}

}  // namespace

Result<MediaPicture> read_media_picture(OpenFile file, Size size, double at,
                                        const SourceOpener& opener) {
  const auto source =
      open_ready(opener, std::move(file), {.slot = "media", .size = size, .is_for_show = false});
  SUBMIX_TRY(source);
  const auto length = (*source)->report().length;
  const double last = std::max(length.end_seconds - length.picture_seconds / 2, 0.0);
  const double moment = at > 0 ? std::min(at, 1.0) * last : 0;
  const auto rgba = read_picture(**source, at_moment(moment), size, opener);
  SUBMIX_TRY(rgba);

  const auto& report = (*source)->report();
  MediaPicture found{
      .picture = {.size = size, .pixels = {}}, .own_size = report.own_size, .codec = report.codec};
  found.picture.pixels.resize(size.pixels() * 3);
  media::pack_rgb24(*rgba, found.picture.pixels);
  const bool is_still = length.end_seconds < kStillPicturesMax * length.picture_seconds;
  const bool has_length = length.end_seconds > 0;
  if (has_length && !is_still) found.seconds = length.end_seconds;
  if (has_length && is_still) return found;
  found.rate = 1 / length.picture_seconds;
  found.decoding = cpu_time_of_one(**source, moment, size, opener);
  return found;
}

}  // namespace submix::io
