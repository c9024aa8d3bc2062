// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/ffmpeg.hpp"

#include "node/io/ffmpeg_log.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <thread>

namespace submix::io {

int refuse_other_file(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
  return AVERROR(EPERM);
}

FramePointer make_frame() {
  FramePointer frame(av_frame_alloc());
  if (!frame) throw std::bad_alloc();
  return frame;
}

PacketPointer make_packet() {
  PacketPointer packet(av_packet_alloc());
  if (!packet) throw std::bad_alloc();
  return packet;
}

void add_track(AVFormatContext& output, const AVCodecParameters& parameters, AVRational time_base) {
  auto* stream = avformat_new_stream(&output, nullptr);
  if (stream == nullptr || avcodec_parameters_copy(stream->codecpar, &parameters) < 0)
    throw std::bad_alloc();
  stream->codecpar->codec_tag = 0;
  stream->time_base = time_base;
  stream->avg_frame_rate = av_inv_q(time_base);
}

int write_packet(AVFormatContext& output, const AVPacket& packet, AVRational time_base,
                 AVPacket& scratch) {
  int code = av_packet_ref(&scratch, &packet);
  if (code < 0) return code;
  scratch.stream_index = 0;
  av_packet_rescale_ts(&scratch, time_base, output.streams[0]->time_base);
  code = av_write_frame(&output, &scratch);
  av_packet_unref(&scratch);
  return code;
}

std::string ffmpeg_error(int code) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(code, text.data(), text.size());
  return text.data();
}

void silence_ffmpeg() {
  av_log_set_level(AV_LOG_QUIET);
}

double stated_seconds(const AVFormatContext& input, const AVStream& stream) {
  // Beside the cover of a sound, all lengths are the sound's.
  if ((stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) return 0;
  if (stream.duration > 0) return static_cast<double>(stream.duration) * av_q2d(stream.time_base);
  return input.duration > 0 ? static_cast<double>(input.duration) / AV_TIME_BASE : 0;
}

int codec_threads() {
  // A quarter of the cores, at most 4: a stage is one thread in the engine's plan, and each frame
  // thread adds a frame of latency after a seek.
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / 4, 1, 4);
}

}  // namespace submix::io
