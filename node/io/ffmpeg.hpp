// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
}

#include <memory>
#include <string>

/// Owning pointers for FFmpeg's objects, and FFmpeg's errors as text. For sources of this folder
/// only.
namespace submix::io {

struct FfmpegDeleter {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVCodecParameters* parameters) const { avcodec_parameters_free(&parameters); }
};

using FramePointer = std::unique_ptr<AVFrame, FfmpegDeleter>;
using PacketPointer = std::unique_ptr<AVPacket, FfmpegDeleter>;
using CodecPointer = std::unique_ptr<AVCodecContext, FfmpegDeleter>;
using CodecParametersPointer = std::unique_ptr<AVCodecParameters, FfmpegDeleter>;

/// For the results of file_io.hpp. Also closes the file.
struct IoDeleter {
  void operator()(AVIOContext* io) const;
};
using IoPointer = std::unique_ptr<AVIOContext, IoDeleter>;

/// Closes a container opened by open_input(), then its file.
struct InputDeleter {
  void operator()(AVFormatContext* input) const {
    const IoPointer io(input->pb);
    avformat_close_input(&input);
  }
};
using InputPointer = std::unique_ptr<AVFormatContext, InputDeleter>;

/// For AVFormatContext::io_open: a container that refers to another file is refused.
int refuse_other_file(AVFormatContext* input, AVIOContext** io, const char* name, int flags,
                      AVDictionary** options);

/// Both throw std::bad_alloc when memory is out.
[[nodiscard]] FramePointer make_frame();
[[nodiscard]] PacketPointer make_packet();

/// Adds the only track of `output`. `time_base` is the time of one frame. Throws std::bad_alloc
/// when memory is out.
void add_track(AVFormatContext& output, const AVCodecParameters& parameters, AVRational time_base);
/// Writes `packet`, whose times are in `time_base`, to this track. `scratch` must be empty, and is
/// empty afterwards. Returns FFmpeg's code, negative for a failure.
[[nodiscard]] int write_packet(AVFormatContext& output, const AVPacket& packet,
                               AVRational time_base, AVPacket& scratch);

/// "Invalid data found when processing input"
[[nodiscard]] std::string ffmpeg_error(int code);

/// The length that the file states of the pictures in `stream`, else of all its streams; 0: it
/// states none, or the picture is the cover of a sound.
[[nodiscard]] double stated_seconds(const AVFormatContext& input, const AVStream& stream);

/// How many threads one codec of FFmpeg may use. A patch's stages share the cores.
[[nodiscard]] int codec_threads();

}  // namespace submix::io
