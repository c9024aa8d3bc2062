// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/io/numbered_clip.hpp"

#include "common/base/assert.hpp"
#include "common/media/scaler.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/ffmpeg_log.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace submix::testing {
namespace {

constexpr int kBits = 10;

/// What the encoder takes: its favourite first, AV_PIX_FMT_NONE last.
const AVPixelFormat* formats_of(const AVCodec& codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void* formats = nullptr;
  SUBMIX_ASSERT(avcodec_get_supported_config(nullptr, &codec, AV_CODEC_CONFIG_PIX_FORMAT, 0,
                                             &formats, nullptr) >= 0);
  return static_cast<const AVPixelFormat*>(formats);
#else
  return codec.pix_fmts;
#endif
}

AVPixelFormat format_with_alpha(const AVCodec& codec) {
  const auto* format = formats_of(codec);
  while (*format != AV_PIX_FMT_YUVA420P && *format != AV_PIX_FMT_YUVA444P10 &&
         *format != AV_PIX_FMT_RGBA)
    SUBMIX_ASSERT(*format++ != AV_PIX_FMT_NONE);
  return *format;
}

void clear_right_half(std::span<std::uint8_t> rgba, Size size) {
  for (std::size_t i = 0; i < size.pixels(); ++i) {
    if (static_cast<int>(i) % size.width >= size.width / 2) rgba[i * 4 + 3] = 0;
  }
}

class ClipWriter {
 public:
  ClipWriter(const std::filesystem::path& path, const NumberedClip& clip) : clip_(clip) {
    SUBMIX_ASSERT(avformat_alloc_output_context2(&output_, nullptr, nullptr, path.c_str()) >= 0);
    const auto* codec = avcodec_find_encoder_by_name(clip.codec.c_str());
    SUBMIX_ASSERT(codec != nullptr);
    encoder_.reset(avcodec_alloc_context3(codec));
    encoder_->width = clip.size.width;
    encoder_->height = clip.size.height;
    encoder_->time_base = {static_cast<int>(clip.rate.denominator),
                           static_cast<int>(clip.rate.numerator)};
    encoder_->framerate = av_inv_q(encoder_->time_base);
    encoder_->pix_fmt =
        clip.is_half_transparent ? format_with_alpha(*codec) : formats_of(*codec)[0];
    encoder_->gop_size = clip.pictures_per_key;
    encoder_->bit_rate = 4'000'000;
    encoder_->thread_count = 1;
    encoder_->sample_aspect_ratio = av_d2q(clip.pixel_aspect, 100);
    if ((output_->oformat->flags & AVFMT_GLOBALHEADER) != 0)
      encoder_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    SUBMIX_ASSERT(avcodec_open2(encoder_.get(), codec, nullptr) >= 0);
    stream_ = avformat_new_stream(output_, nullptr);
    stream_->time_base = encoder_->time_base;
    stream_->avg_frame_rate = encoder_->framerate;
    stream_->sample_aspect_ratio = encoder_->sample_aspect_ratio;
    SUBMIX_ASSERT(avcodec_parameters_from_context(stream_->codecpar, encoder_.get()) >= 0);
    if (clip.is_turned) turn();
    const bool opens_files = (output_->oformat->flags & AVFMT_NOFILE) != 0;
    SUBMIX_ASSERT(opens_files || avio_open(&output_->pb, path.c_str(), AVIO_FLAG_WRITE) >= 0);
    SUBMIX_ASSERT(avformat_write_header(output_, nullptr) >= 0);
  }
  ClipWriter(const ClipWriter&) = delete;
  ClipWriter& operator=(const ClipWriter&) = delete;
  ~ClipWriter() {
    encode(nullptr);
    av_write_trailer(output_);
    avio_closep(&output_->pb);
    avformat_free_context(output_);
  }

  void write(int number) {
    std::vector<std::uint8_t> rgba(clip_.size.pixels() * 4);
    draw_number(rgba, clip_.size, clip_.first_number + number);
    if (clip_.is_half_transparent) clear_right_half(rgba, clip_.size);
    media::SourcePicture source;
    source.size = clip_.size;
    source.format = AV_PIX_FMT_RGBA;
    source.planes[0] = rgba.data();
    source.strides_bytes[0] = clip_.size.width * 4;
    const auto frame = io::make_frame();
    frame->width = clip_.size.width;
    frame->height = clip_.size.height;
    frame->format = encoder_->pix_fmt;
    SUBMIX_ASSERT(av_frame_get_buffer(frame.get(), 0) >= 0);
    SUBMIX_ASSERT(scaler_.convert(source, media::target_picture(*frame)).has_value());
    frame->pts = number;
    encode(frame.get());
  }

 private:
  void turn() {
    constexpr std::array<std::int32_t, 9> kQuarter{0, 1 << 16, 0, -(1 << 16), 0, 0, 0, 0, 1 << 30};
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    auto& shape = *stream_->codecpar;
    auto* added = av_packet_side_data_new(&shape.coded_side_data, &shape.nb_coded_side_data,
                                          AV_PKT_DATA_DISPLAYMATRIX, sizeof(kQuarter), 0);
    SUBMIX_ASSERT(added != nullptr);
    auto* const matrix = added->data;
#else
    auto* const matrix =
        av_stream_new_side_data(stream_, AV_PKT_DATA_DISPLAYMATRIX, sizeof(kQuarter));
    SUBMIX_ASSERT(matrix != nullptr);
#endif
    std::memcpy(matrix, kQuarter.data(), sizeof(kQuarter));
  }
  void encode(const AVFrame* frame) {
    SUBMIX_ASSERT(avcodec_send_frame(encoder_.get(), frame) >= 0);
    const auto packet = io::make_packet();
    while (avcodec_receive_packet(encoder_.get(), packet.get()) >= 0) {
      packet->duration = 1;
      av_packet_rescale_ts(packet.get(), encoder_->time_base, stream_->time_base);
      SUBMIX_ASSERT(av_interleaved_write_frame(output_, packet.get()) >= 0);
    }
  }

  NumberedClip clip_;
  AVFormatContext* output_ = nullptr;
  AVStream* stream_ = nullptr;
  io::CodecPointer encoder_;
  media::Scaler scaler_;
};

}  // namespace

void write_numbered_clip(const std::filesystem::path& path, const NumberedClip& clip) {
  io::silence_ffmpeg();
  ClipWriter writer(path, clip);
  for (int number = 0; number < clip.pictures; ++number)
    writer.write(number);
}

void draw_number(std::span<std::uint8_t> rgba, Size size, int number) {
  for (std::size_t i = 0; i < size.pixels(); ++i) {
    const int x = static_cast<int>(i) % size.width;
    const bool is_white = (number >> (x * kBits / size.width) & 1) != 0;
    for (std::size_t channel = 0; channel < 3; ++channel)
      rgba[i * 4 + channel] = is_white ? 255 : 0;
    rgba[i * 4 + 3] = 255;
  }
}

int shown_number(std::span<const std::uint8_t> rgba, Size size) {
  int number = 0;
  for (int bit = 0; bit < kBits; ++bit) {
    const int x = (2 * bit + 1) * size.width / (2 * kBits);
    const auto middle = static_cast<std::size_t>(size.height / 2 * size.width + x);
    const int value = rgba[middle * 4];
    if (value > 80 && value < 175) return -1;
    if (value > 127) number |= 1 << bit;
  }
  return number;
}

}  // namespace submix::testing
