// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/picture_stream.hpp"

#include <fmt/format.h>

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <array>
#include <new>
#include <span>
#include <string_view>
#include <utility>

namespace submix::io {
namespace {

constexpr int kIoBufferBytes = 1 << 16;
constexpr std::array<std::uint8_t, 4> kMatroskaMagic{0x1A, 0x45, 0xDF, 0xA3};
constexpr std::string_view kY4mMagic = "YUV4MPEG2 ";
constexpr auto kConvertIt =
    "let FFmpeg convert it: ffmpeg -i FILE -pix_fmt yuv444p -f yuv4mpegpipe - | submix pipe in "
    "NAME";

std::string_view container_name(PipeFormat format) {
  return format == PipeFormat::y4m ? "Y4M" : "Matroska";
}

/// FFmpeg's Matroska has no tag for RGB24: the order of the colours is unknown there.
int pixel_format_of(std::uint32_t tag) {
  if (tag == MKTAG('R', 'G', 'B', 24)) return AV_PIX_FMT_RGB24;
  if (tag == 0) return AV_PIX_FMT_NONE;
  for (int format = 0; av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format)) != nullptr;
       ++format) {
    if (avcodec_pix_fmt_to_codec_tag(static_cast<AVPixelFormat>(format)) == tag) return format;
  }
  return AV_PIX_FMT_NONE;
}

}  // namespace

void PictureStream::CloseIo::operator()(AVIOContext* io) const {
  av_freep(static_cast<void*>(&io->buffer));
  avio_context_free(&io);
}

Result<std::optional<PictureShape>> PictureStream::open(const std::stop_token& stop) {
  stop_ = stop;
  auto format = options_.format == PipeFormat::by_itself ? find_format() : options_.format;
  SUBMIX_TRY(format);
  if (stop.stop_requested()) return std::nullopt;
  const auto shape = *format == PipeFormat::raw ? open_raw() : open_container(*format);
  if (stop.stop_requested()) return std::nullopt;
  SUBMIX_TRY(shape);
  shape_ = *shape;
  if (!shape_.rate) shape_.rate = options_.rate;
  const auto bytes = picture_bytes(shape_, "standard input");
  SUBMIX_TRY(bytes);
  picture_bytes_ = *bytes;
  return shape_;
}

Result<PictureStream::Time> PictureStream::next(std::vector<std::uint8_t>& pixels,
                                                const std::stop_token& stop) {
  stop_ = stop;
  auto time = input_ ? next_packet(pixels) : next_raw(pixels);
  if (stop.stop_requested()) return std::nullopt;
  if (time && *time) ++pictures_;
  return time;
}

Result<PipeFormat> PictureStream::find_format() {
  const auto first = bytes_.peek(kMatroskaMagic.size(), stop_);
  SUBMIX_TRY(first);
  if (stop_.stop_requested()) return PipeFormat::by_itself;
  if (first->empty()) return fail("standard input is empty: no picture came");
  if (std::ranges::equal(*first, kMatroskaMagic)) return PipeFormat::matroska;
  if (std::ranges::equal(*first, kY4mMagic.substr(0, first->size()))) return PipeFormat::y4m;
  return fail(
      "standard input is neither Y4M nor Matroska; {}; for pixels alone: --format raw --size "
      "WIDTHxHEIGHT",
      kConvertIt);
}

Result<PictureShape> PictureStream::open_raw() {
  PictureShape shape;
  shape.size = options_.size;
  shape.rate = options_.rate;
  shape.pixel_format = AV_PIX_FMT_RGB24;
  return shape;
}

Result<PictureShape> PictureStream::open_container(PipeFormat format) {
  auto* buffer = static_cast<std::uint8_t*>(av_malloc(kIoBufferBytes));
  if (buffer == nullptr) throw std::bad_alloc();
  io_.reset(avio_alloc_context(buffer, kIoBufferBytes, 0, this, &PictureStream::read_for_ffmpeg,
                               nullptr, nullptr));
  auto* input = avformat_alloc_context();
  if (!io_ || input == nullptr) throw std::bad_alloc();
  input->pb = io_.get();
  input->io_open = &refuse_other_file;
  const auto* kind = av_find_input_format(format == PipeFormat::y4m ? "yuv4mpegpipe" : "matroska");
  const int code =
      avformat_open_input(&input, "standard input", kind, nullptr);  // frees at failure
  if (!failure_.empty()) return fail("{}", failure_);
  if (code < 0)
    return fail("standard input is no {} that can be read ({}); {}", container_name(format),
                ffmpeg_error(code), kConvertIt);
  input_.reset(input);
  packet_ = make_packet();
  return shape_of_track(format);
}

Result<PictureShape> PictureStream::shape_of_track(PipeFormat format) {
  for (auto* track : std::span(input_->streams, input_->nb_streams)) {
    if (track_ == nullptr && track->codecpar->codec_type == AVMEDIA_TYPE_VIDEO) {
      track_ = track;
    } else {
      track->discard = AVDISCARD_ALL;
    }
  }
  if (track_ == nullptr) return fail("{}: no track of pictures", container_name(format));
  const auto& pictures = *track_->codecpar;
  if (pictures.codec_id != AV_CODEC_ID_RAWVIDEO)
    return fail("{}: compressed pictures ({}); {}", container_name(format),
                avcodec_get_name(pictures.codec_id), kConvertIt);
  PictureShape shape;
  shape.format = format;
  shape.size = {pictures.width, pictures.height};
  shape.pixel_format = pictures.format >= 0 ? pictures.format : pixel_format_of(pictures.codec_tag);
  if (shape.pixel_format < 0)
    return fail("{}: the stream does not tell the kind of its pixels; {}", container_name(format),
                kConvertIt);
  shape.has_full_range = pictures.color_range == AVCOL_RANGE_JPEG;
  if (const auto rate = track_->avg_frame_rate; rate.num > 0 && rate.den > 0)
    shape.rate =
        FrameRate{static_cast<std::uint32_t>(rate.num), static_cast<std::uint32_t>(rate.den)};
  if (const auto aspect = track_->sample_aspect_ratio; aspect.num > 0 && aspect.den > 0) {
    shape.aspect_numerator = aspect.num;
    shape.aspect_denominator = aspect.den;
  }
  return shape;
}

Result<PictureStream::Time> PictureStream::next_raw(std::vector<std::uint8_t>& pixels) {
  pixels.resize(picture_bytes_);
  const auto read = bytes_.read(pixels, stop_);
  SUBMIX_TRY(read);
  if (*read == 0) return std::nullopt;
  if (*read < picture_bytes_) return tl::unexpected(cut_off(*read));
  return shape_.rate->time_of({pictures_});
}

Result<PictureStream::Time> PictureStream::next_packet(std::vector<std::uint8_t>& pixels) {
  for (;;) {
    av_packet_unref(packet_.get());
    const int code = av_read_frame(input_.get(), packet_.get());
    if (code < 0) return end_of_container(code);
    if (packet_->stream_index == track_->index) break;
  }
  const std::span<const std::uint8_t> picture(packet_->data,
                                              static_cast<std::size_t>(packet_->size));
  if (picture.size() != picture_bytes_)
    return fail("picture {} has {} bytes, but one of {}x{} has {}", pictures_ + 1, picture.size(),
                shape_.size.width, shape_.size.height, picture_bytes_);
  picture_end_ = avio_tell(io_.get());
  pixels.assign(picture.begin(), picture.end());
  if (packet_->pts == AV_NOPTS_VALUE) return shape_.rate->time_of({pictures_});
  constexpr AVRational kNanosecond{1, 1'000'000'000};
  return std::chrono::nanoseconds(av_rescale_q(packet_->pts, track_->time_base, kNanosecond));
}

Result<PictureStream::Time> PictureStream::end_of_container(int code) {
  if (!failure_.empty()) return fail("{}", failure_);
  // Matroska may have an index after the last picture.
  const auto rest = avio_tell(io_.get()) - picture_end_;
  const bool is_cut_off = shape_.format == PipeFormat::y4m && pictures_ > 0 && rest > 0;
  if (code == AVERROR_EOF && is_cut_off)
    return tl::unexpected(cut_off(static_cast<std::size_t>(rest)));
  if (code == AVERROR_EOF) return std::nullopt;
  return fail("{}: picture {}: bytes are missing or damaged: {}", container_name(shape_.format),
              pictures_ + 1, ffmpeg_error(code));
}

Error PictureStream::cut_off(std::size_t bytes) const {
  return Error{fmt::format("the stream ends within picture {}: {} of {} bytes have come",
                           pictures_ + 1, bytes, picture_bytes_)};
}

int PictureStream::read_for_ffmpeg(void* opaque, std::uint8_t* bytes, int size) {
  auto& stream = *static_cast<PictureStream*>(opaque);
  const auto read = stream.bytes_.read_some({bytes, static_cast<std::size_t>(size)}, stream.stop_);
  if (!read) {
    stream.failure_ = read.error().message;
    return AVERROR(EIO);
  }
  if (*read > 0) return static_cast<int>(*read);
  return stream.stop_.stop_requested() ? AVERROR_EXIT : AVERROR_EOF;
}

}  // namespace submix::io
