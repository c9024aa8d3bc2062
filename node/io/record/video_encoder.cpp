// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/record/video_encoder.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace submix::io {
namespace {

constexpr int kFfv1Slices = 4;  // one for each thread of a picture

struct Coding {
  const char* name;     ///< in shows
  const char* encoder;  ///< FFmpeg's name
  AVPixelFormat format;
};

// In the order of RecordCodec.
constexpr std::array<Coding, 4> kCodings{{{"huffyuv", "huffyuv", AV_PIX_FMT_RGB24},
                                          {"ffv1", "ffv1", AV_PIX_FMT_BGR0},
                                          {"h264", "libx264", AV_PIX_FMT_YUV420P},
                                          {"mjpeg", "mjpeg", AV_PIX_FMT_YUVJ420P}}};

const Coding& coding_of(RecordCodec codec) {
  return kCodings.at(static_cast<std::size_t>(codec));
}

void set_shape(AVCodecContext& context, Size size, FrameRate rate, AVPixelFormat format) {
  context.width = size.width;
  context.height = size.height;
  context.time_base = {static_cast<int>(rate.denominator), static_cast<int>(rate.numerator)};
  context.framerate = av_inv_q(context.time_base);
  context.sample_aspect_ratio = {1, 1};
  // Half-resolution color needs even sizes.
  const bool is_odd = size.width % 2 != 0 || size.height % 2 != 0;
  context.pix_fmt = is_odd && format == AV_PIX_FMT_YUV420P ? AV_PIX_FMT_YUV444P : format;
  if (format == AV_PIX_FMT_YUV420P || format == AV_PIX_FMT_YUVJ420P) {
    // As Scaler converts.
    context.colorspace = size.height >= 720 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
    context.color_range = format == AV_PIX_FMT_YUVJ420P ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  }
}

void set_quality(AVCodecContext& context, VideoCoding wanted, FrameRate rate) {
  context.thread_count = codec_threads();
  context.flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  const auto option = [&](const char* name, const char* value) {
    av_opt_set(context.priv_data, name, value, 0);
  };
  switch (wanted.codec) {
    case RecordCodec::huffyuv:
      break;
    case RecordCodec::ffv1:
      context.level = 3;  // the version with slices and checksums
      context.gop_size = 1;
      context.slices = kFfv1Slices;
      context.thread_count = kFfv1Slices;
      option("coder", "rice");  // 46 ms a picture; the range coder takes 80 for 8 % less
      option("context", "0");
      break;
    case RecordCodec::h264:
      context.gop_size = static_cast<int>(rate.numerator / rate.denominator);
      option("preset", "ultrafast");
      // The encoder keeps no picture back, so a killed process loses none.
      option("tune", "zerolatency");
      if (wanted.bits_per_second == 0) option("crf", "16");
      context.bit_rate = wanted.bits_per_second;
      context.rc_max_rate = wanted.bits_per_second;
      context.rc_buffer_size = static_cast<int>(wanted.bits_per_second / 2);
      option("forced-idr", "1");
      break;
    case RecordCodec::mjpeg:
      context.flags |= AV_CODEC_FLAG_QSCALE;
      context.global_quality = 2 * FF_QP2LAMBDA;
      break;
  }
}

}  // namespace

std::vector<std::string> record_codec_names() {
  std::vector<std::string> names;
  for (const auto& coding : kCodings)
    names.emplace_back(coding.name);
  return names;
}

RecordCodec record_codec_named(std::string_view name) {
  const auto* found =
      std::find_if(kCodings.begin(), kCodings.end(), [&](const auto& c) { return c.name == name; });
  return found == kCodings.end() ? RecordCodec::huffyuv
                                 : static_cast<RecordCodec>(found - kCodings.begin());
}

Result<VideoEncoder> VideoEncoder::open(VideoCoding wanted, Size size, FrameRate rate) {
  const auto& coding = coding_of(wanted.codec);
  const auto* encoder = avcodec_find_encoder_by_name(coding.encoder);
  if (encoder == nullptr)
    return fail("FFmpeg here has no encoder {}; choose another codec", coding.encoder);
  VideoEncoder opened;
  opened.context_.reset(avcodec_alloc_context3(encoder));
  opened.picture_ = make_frame();
  opened.packet_ = make_packet();
  auto& context = *opened.context_;
  set_shape(context, size, rate, coding.format);
  set_quality(context, wanted, rate);
  auto& picture = *opened.picture_;
  picture.width = size.width;
  picture.height = size.height;
  picture.format = context.pix_fmt;
  picture.color_range = context.color_range;
  picture.colorspace = context.colorspace;
  int code = avcodec_open2(&context, encoder, nullptr);
  if (code >= 0) code = av_frame_get_buffer(&picture, 0);
  if (code < 0) {
    return fail("encoder {} refuses {}x{}: {}", coding.encoder, size.width, size.height,
                ffmpeg_error(code));
  }
  return opened;
}

CodecParametersPointer VideoEncoder::parameters() const {
  CodecParametersPointer parameters(avcodec_parameters_alloc());
  if (!parameters || avcodec_parameters_from_context(parameters.get(), context_.get()) < 0)
    throw std::bad_alloc();
  return parameters;
}

Result<void> VideoEncoder::encode(const media::Frame& frame, bool is_key, const Sink& sink) {
  // Takes a new buffer only if the encoder still has the previous picture.
  if (av_frame_make_writable(picture_.get()) < 0) return fail("no memory for a picture to encode");
  auto converted = scaler_.convert(media::source_picture(frame), media::target_picture(*picture_));
  if (!converted) return converted;
  picture_->pts = frames_++;
  picture_->pict_type = is_key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
  return send(picture_.get(), sink);
}

Result<void> VideoEncoder::finish(const Sink& sink) {
  return send(nullptr, sink);
}

Result<void> VideoEncoder::send(const AVFrame* picture, const Sink& sink) {
  int code = avcodec_send_frame(context_.get(), picture);
  while (code >= 0) {
    code = avcodec_receive_packet(context_.get(), packet_.get());
    if (code < 0) break;
    packet_->duration = 1;
    auto taken = sink(*packet_);
    av_packet_unref(packet_.get());
    if (!taken) return taken;
  }
  if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return {};
  return fail("frame {} could not be encoded: {}", frames_ - 1, ffmpeg_error(code));
}

}  // namespace submix::io
