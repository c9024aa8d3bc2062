// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/matroska_file.hpp"

namespace submix::io {

void MatroskaFile::OutputDeleter::operator()(AVFormatContext* output) const {
  avio_closep(&output->pb);
  avformat_free_context(output);
}

Result<MatroskaFile> MatroskaFile::create(const std::filesystem::path& path,
                                          const AVCodecParameters& parameters, AVRational time_base) {
  AVFormatContext* output = nullptr;
  int code = avformat_alloc_output_context2(&output, nullptr, "matroska", nullptr);
  if (code < 0) return fail("{}: cannot be made: {}", path.string(), ffmpeg_error(code));
  MatroskaFile file;
  file.path_ = path;
  file.output_.reset(output);
  file.packet_ = make_packet();
  output->flags |= AVFMT_FLAG_FLUSH_PACKETS;
  auto* stream = avformat_new_stream(output, nullptr);
  if (stream == nullptr || avcodec_parameters_copy(stream->codecpar, &parameters) < 0) throw std::bad_alloc();
  stream->codecpar->codec_tag = 0;
  stream->time_base = time_base;
  stream->avg_frame_rate = av_inv_q(time_base);
  code = avio_open(&output->pb, ("file:" + path.string()).c_str(), AVIO_FLAG_WRITE);
  if (code >= 0) {
    AVDictionary* options = nullptr;
    av_dict_set(&options, "cluster_time_limit", "500", 0);  // ms; the muxer holds a cluster in memory
    code = avformat_write_header(output, &options);
    av_dict_free(&options);
  }
  if (code < 0) return fail("{}: cannot be written: {}", path.string(), ffmpeg_error(code));
  return file;
}

Result<void> MatroskaFile::write(const AVPacket& packet, AVRational time_base) {
  int code = av_packet_ref(packet_.get(), &packet);
  if (code >= 0) {
    packet_->stream_index = 0;
    av_packet_rescale_ts(packet_.get(), time_base, output_->streams[0]->time_base);
    code = av_write_frame(output_.get(), packet_.get());
    av_packet_unref(packet_.get());
  }
  if (code < 0) return fail("{}: cannot be written further: {}", path_.string(), ffmpeg_error(code));
  return {};
}

Result<void> MatroskaFile::finish() {
  const int code = av_write_trailer(output_.get());
  const int closed = avio_closep(&output_->pb);
  if (code < 0 || closed < 0) {
    return fail("{}: its end cannot be written: {}", path_.string(), ffmpeg_error(code < 0 ? code : closed));
  }
  return {};
}

}  // namespace submix::io
