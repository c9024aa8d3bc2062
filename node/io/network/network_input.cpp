// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/network/network_input.hpp"

#include "common/base/shown_address.hpp"
#include "node/io/file_io.hpp"
#include "node/io/live_decoder.hpp"
#include "node/io/network/network_address.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <string_view>
#include <thread>
#include <utility>

namespace submix::io {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// FFmpeg may open nothing else for a picture, above all no file. `crypto` decrypts encrypted
/// playlists, whose parts come by these protocols, too.
constexpr const char* kProtocols = "srt,udp,rtp,tcp,tls,rtmp,rtmps,http,https,crypto";
/// Containers of video, and of the sound beside it in playlists. HLS is the only list of other
/// files.
constexpr const char* kFormats =
    "mpegts,flv,live_flv,rtsp,rtp,hls,mov,matroska,webm,mpjpeg,mjpeg,h264,hevc,mpeg,nut,aac,ac3,"
    "eac3,mp3";

// How much FFmpeg reads to recognise a stream. More would delay the first picture.
constexpr std::int64_t kProbeBytes = std::int64_t{1} << 20U;
constexpr std::int64_t kProbeUs = 500'000;
constexpr int kStreamsMax = 64;
constexpr std::chrono::milliseconds kGlance{2};  // where FFmpeg asks to be called again
constexpr std::chrono::seconds kSilence{1};      // of a stream, before another one replaces it
constexpr std::int64_t kStampMax = std::int64_t{1} << 60U;  // in microseconds

std::string reason(int code, std::chrono::milliseconds waited, const FailureSigns* signs) {
  if (code == AVERROR_EXIT)
    return fmt::format("it gave no picture for {:.3g} s; start its stream",
                       std::chrono::duration<double>(waited).count());
  if (code == AVERROR_INVALIDDATA || code == AVERROR_PATCHWELCOME)
    return "what it sends is no video that is known here; send MPEG-TS, FLV or RTP, for example";
  if (code == AVERROR_EOF) return "it ended the stream";
  if (code == AVERROR(EINVAL))
    return "it names what may not be opened, such as a file of this computer, or has a wrong "
           "option; correct the address";
  if (code == AVERROR(EIO))
    return signs != nullptr ? signs->reason() : "the connection broke; start it again";
  return ffmpeg_error(code) + "; start it, or correct the address";
}

Result<void> check_size(const std::string& name, const AVCodecParameters& parameters) {
  if (std::int64_t{parameters.width} * parameters.height <= kDecodedPixelsMax) return {};
  return fail(
      "{} sends pictures of {}x{} pixels; at most {} million pixels are decoded; send smaller ones",
      name, parameters.width, parameters.height, kDecodedPixelsMax / 1'000'000);
}

}  // namespace

int NetworkInput::is_over(void* patience) {
  const auto& asked = *static_cast<const Patience*>(patience);
  return asked.stop.stop_requested() || SteadyClock::now() > asked.deadline ? 1 : 0;
}

Result<NetworkInput> NetworkInput::open(const std::string& address, std::stop_token stop,
                                        Limits limits) {
  SUBMIX_TRY(check_network_address(address, Traffic::incoming));
  NetworkInput input;
  input.limits_ = limits;
  input.name_ = shown_address(address);
  input.packet_ = make_packet();
  input.patience_ =
      std::make_unique<Patience>(Patience{std::move(stop), SteadyClock::now() + limits.opening});
  SUBMIX_TRY(input.connect(address));
  SUBMIX_TRY(input.choose_stream());
  return input;
}

Result<void> NetworkInput::connect(const std::string& address) {
  auto* format = avformat_alloc_context();
  if (format == nullptr) throw std::bad_alloc();
  format->interrupt_callback = {&is_over, patience_.get()};
  format->probesize = kProbeBytes;
  format->max_analyze_duration = kProbeUs;
  format->max_streams = kStreamsMax;
  const FailureWatch watch;
  AVDictionary* options = nullptr;
  av_dict_set(&options, "protocol_whitelist", kProtocols, 0);
  av_dict_set(&options, "format_whitelist", kFormats, 0);
  av_dict_set(&options, "rtsp_flags", "prefer_tcp", 0);  // no port is opened, no packet lost
  int code = avformat_open_input(&format, address.c_str(), nullptr, &options);  // frees at failure
  av_dict_free(&options);
  if (code < 0) return tl::unexpected(failure("cannot be opened", code, &watch.signs()));
  format_.reset(format);
  code = find_streams(*format);
  if (code < 0) return tl::unexpected(failure("cannot be opened", code, &watch.signs()));
  const bool is_playlist = std::string_view(format->iformat->name) == "hls";
  const bool is_file = format->pb != nullptr && avio_size(format->pb) > 0;
  if (is_playlist || is_file) pace_ = StreamClock::Pace::reader;
  return {};
}

Result<void> NetworkInput::choose_stream() {
  const int best = av_find_best_stream(format_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (best < 0)
    return fail("{} sends no pictures that can be decoded here; send H.264, for example", name_);
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    if (static_cast<int>(i) != best) format_->streams[i]->discard = AVDISCARD_ALL;
  }
  return follow(best);
}

Result<void> NetworkInput::follow(int stream) {
  const auto& parameters = *format_->streams[stream]->codecpar;
  SUBMIX_TRY(check_size(name_, parameters));
  auto decoder = open_live_decoder(name_, parameters, PictureOrder::by_time);
  SUBMIX_TRY(decoder);
  decoder_ = std::move(*decoder);
  decoder_->pkt_timebase = format_->streams[stream]->time_base;
  stream_ = stream;
  fed_ = SteadyClock::now();
  return {};
}

Result<NetworkInput::Picture> NetworkInput::next() {
  auto frame = make_frame();
  patience_->deadline = SteadyClock::now() + limits_.silence;
  while (!patience_->stop.stop_requested()) {
    const int code = avcodec_receive_frame(decoder_.get(), frame.get());
    if (code == 0) {
      is_refused_ = false;
      const auto came = SteadyClock::now();
      const auto stamp = stamp_of(*frame, came);
      return Picture{std::move(frame), stamp, came};
    }
    if (code != AVERROR(EAGAIN)) is_refused_ = true;
    if (SteadyClock::now() > patience_->deadline)
      return tl::unexpected(failure("stopped", AVERROR_EXIT));
    SUBMIX_TRY(feed());
  }
  return Picture();
}

Result<void> NetworkInput::feed() {
  const int code = av_read_frame(format_.get(), packet_.get());
  if (patience_->stop.stop_requested()) return {};
  if (code == AVERROR(EAGAIN)) {
    std::this_thread::sleep_for(kGlance);
    return {};
  }
  if (code < 0) return tl::unexpected(failure("stopped", code));
  const auto wanted = is_wanted(*packet_);
  // A damaged picture is left out; the next one comes soon.
  if (wanted && *wanted && avcodec_send_packet(decoder_.get(), packet_.get()) < 0)
    is_refused_ = true;
  av_packet_unref(packet_.get());
  SUBMIX_TRY(wanted);
  return {};
}

Result<bool> NetworkInput::is_wanted(const AVPacket& packet) {
  const auto now = SteadyClock::now();
  const auto& parameters = *format_->streams[packet.stream_index]->codecpar;
  const bool is_same = packet.stream_index == stream_;
  if (is_same && parameters.codec_id == decoder_->codec_id) {
    fed_ = now;
    return true;
  }
  const bool is_new_codec = is_same && parameters.codec_type == AVMEDIA_TYPE_VIDEO;
  const bool is_new_stream =
      !is_same && parameters.codec_type == AVMEDIA_TYPE_VIDEO && now - fed_ > kSilence;
  if (!is_new_codec && !is_new_stream) return false;
  SUBMIX_TRY(follow(packet.stream_index));
  return true;
}

StreamClock::Span NetworkInput::stamp_of(const AVFrame& frame, StreamClock::Time came) const {
  const bool has_stamps = (format_->iformat->flags & AVFMT_NOTIMESTAMPS) == 0;
  const auto stamp = frame.best_effort_timestamp;
  if (!has_stamps || stamp == AV_NOPTS_VALUE)
    return std::chrono::duration_cast<StreamClock::Span>(came.time_since_epoch());
  const auto us =
      av_rescale_q(stamp, format_->streams[stream_]->time_base, AVRational{1, AV_TIME_BASE});
  return StreamClock::Span(std::clamp(us, -kStampMax, kStampMax));
}

Error NetworkInput::failure(const char* what, int code, const FailureSigns* signs) const {
  const auto waited = decoder_ ? limits_.silence : limits_.opening;
  const bool is_late = SteadyClock::now() > patience_->deadline;  // RTSP does not tell
  if (is_late && is_refused_)
    return {
        fmt::format("{} {}: its pictures cannot be decoded: they are damaged, or larger than {} "
                    "million pixels; send smaller ones",
                    name_, what, kDecodedPixelsMax / 1'000'000)};
  const auto why = reason(is_late ? AVERROR_EXIT : code, waited, signs);
  return {fmt::format("{} {}: {}", name_, what, why)};
}

}  // namespace submix::io
