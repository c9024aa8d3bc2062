// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/picture_series.hpp"

#include "node/io/file_io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>

namespace submix::io {
namespace {

constexpr int kRateTermMax = 1'000'000;  // 29.97 is 2997/100

// Whether FFmpeg reads the file as a still image: the whole file is one packet.
bool is_image(const AVFormatContext& input) {
  const std::string_view format(input.iformat->name);
  const auto codec =
      input.nb_streams == 1 ? input.streams[0]->codecpar->codec_id : AV_CODEC_ID_NONE;
  return (format.ends_with("_pipe") || format == "image2pipe") && codec != AV_CODEC_ID_SVG;
}

bool read_whole(int file, std::span<std::uint8_t> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto rest = bytes.subspan(done);
    const auto count = ::pread(file, rest.data(), rest.size(), static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

bool read_into(AVPacket& packet, const OpenFile& picture) {
  struct stat status{};
  const int file = picture.descriptor.get();
  if (::fstat(file, &status) != 0 || status.st_size > kImageBytesMax) return false;
  if (av_new_packet(&packet, static_cast<int>(status.st_size)) < 0) return false;
  if (read_whole(file, {packet.data, static_cast<std::size_t>(packet.size)})) return true;
  av_packet_unref(&packet);
  return false;
}

}  // namespace

Result<PictureSeries> PictureSeries::open(const OpenFile& series) {
  const auto about = series.path.string();
  Descriptor again(::fcntl(series.descriptor.get(), F_DUPFD_CLOEXEC, 0));
  if (!again) return fail("{}: cannot be opened again: {}", about, std::strerror(errno));
  auto name = show::series_name(about);
  if (!name)
    return fail("{}: is no pattern of numbered pictures; name them as in glow_%04d.png", about);
  OpenFolder folder(std::move(again), series.path.parent_path());
  const auto numbers = show::series_numbers(*name, folder.names());
  if (!numbers)
    return fail(
        "{}: there is no such file, and no numbered picture such as {} in {}; put the pictures "
        "there, or name others",
        about, show::picture_name(*name, 1), folder.path().string());
  const auto time_base = av_inv_q(av_d2q(series.series_rate, kRateTermMax));
  return PictureSeries(std::move(folder), *std::move(name), *numbers, time_base);
}

Result<InputPointer> PictureSeries::open_first() const {
  const auto picture = open_picture(0);
  SUBMIX_TRY(picture);
  auto input = open_input(*picture);
  SUBMIX_TRY(input);
  if (is_image(**input)) return input;
  return fail(
      "{}: is a film or a drawing ({}); a series has pictures such as PNG, JPEG, TIFF or TGA: save "
      "them so",
      picture->path.string(), (*input)->iformat->name);
}

Result<OpenFile> PictureSeries::open_picture(std::int64_t place) const {
  const auto number = numbers_.first + static_cast<std::uint32_t>(place);
  return folder_.open_file(show::picture_name(name_, number));
}

int PictureSeries::read(AVPacket& packet) {
  while (next_ < count()) {
    const auto place = next_++;
    const auto picture = open_picture(place);
    if (!picture || !read_into(packet, *picture)) continue;
    packet.pts = packet.dts = place;
    packet.duration = 1;
    packet.flags |= AV_PKT_FLAG_KEY;
    return 0;
  }
  return AVERROR_EOF;
}

void PictureSeries::go_to(std::int64_t place) {
  next_ = due_ = std::clamp<std::int64_t>(place, 0, count() - 1);
}

void PictureSeries::note_decoded(std::int64_t place) {
  if (place > due_) {
    lost_ += static_cast<std::uint64_t>(place - due_);
    lost_place_ = due_;
  }
  due_ = place + 1;
}

}  // namespace submix::io
