// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/sound_track.hpp"

#include "common/base/plain_text.hpp"
#include "node/io/file_io.hpp"
#include "node/io/sound/sound_stream.hpp"

extern "C" {
#include <libavutil/channel_layout.h>
#include <libswresample/swresample.h>
}

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <utility>

namespace submix::io {
namespace {

constexpr std::int64_t kWindow = std::int64_t{4} * kSoundRateHz;
// Up to this far ahead, decoding is cheaper than a seek.
constexpr std::int64_t kNear = std::int64_t{2} * kSoundRateHz;
// After a seek a codec may need earlier packets for the first ones: AAC, MP3 and Opus need one or a
// few.
constexpr std::int64_t kPreroll = kSoundRateHz / 10;
constexpr int kPrerollPackets = 3;
// Backwards, one second is decoded at a time.
constexpr std::int64_t kBackwards = kSoundRateHz;
// Containers round the times of packets to milliseconds. A longer gap than this is a real gap.
constexpr std::int64_t kGap = kSoundRateHz * 3 / 100;
constexpr std::size_t kTrackNameBytesMax = 40;
constexpr std::size_t kTracksNamed = 8;
constexpr double kSecondsMax = 1e6;  // the numbers in a file are not trusted

std::int64_t index_at(double seconds) {
  return std::llround(std::clamp(seconds, -kSecondsMax, kSecondsMax) * kSoundRateHz);
}

/// Null: the file has none.
const AVStream* picture_track(AVFormatContext& input) {
  const int video = av_find_best_stream(&input, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  return video < 0 ? nullptr : input.streams[video];
}

std::vector<int> sound_tracks(const AVFormatContext& input) {
  std::vector<int> streams;
  for (unsigned i = 0; i < input.nb_streams; ++i) {
    if (input.streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO)
      streams.push_back(static_cast<int>(i));
  }
  return streams;
}

/// "2: ger, Audiodescription"; "2" if the file says nothing about it.
std::string name_of_track(const AVStream& stream, std::size_t number) {
  auto name = std::to_string(number);
  auto separator = ": ";
  for (const auto* key : {"language", "title"}) {
    const auto* entry = av_dict_get(stream.metadata, key, nullptr, 0);
    if (entry == nullptr) continue;
    name += separator + plain_text(entry->value, kTrackNameBytesMax);
    separator = ", ";
  }
  return name;
}

/// -1: the main one.
Result<int> stream_of(const OpenFile& file, const AVFormatContext& input,
                      std::span<const int> tracks) {
  if (file.sound_track == 0) return -1;
  const auto number = static_cast<std::size_t>(file.sound_track);
  if (number <= tracks.size()) return tracks[number - 1];
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(tracks.size(), kTracksNamed); ++i)
    names.push_back(name_of_track(*input.streams[tracks[i]], i + 1));
  return fail("{}: has no sound track {}, only {} ({}); set sound_track to a number of these",
              file.path.string(), number, tracks.size(), fmt::join(names, "; "));
}

/// The time of the first picture, in the file's time.
double first_picture_seconds(AVFormatContext& input) {
  const auto* stream = picture_track(input);
  if (stream != nullptr && stream->start_time != AV_NOPTS_VALUE)
    return static_cast<double>(stream->start_time) * av_q2d(stream->time_base);
  return input.start_time == AV_NOPTS_VALUE ? 0.0
                                            : static_cast<double>(input.start_time) / AV_TIME_BASE;
}

}  // namespace

void SoundTrack::ResamplerDeleter::operator()(SwrContext* context) const {
  swr_free(&context);
}

Result<SoundTrack> SoundTrack::open(const OpenFile& file) {
  SoundTrack track;
  const auto about = file.path.string();
  auto opened = open_input(file);
  SUBMIX_TRY(opened);
  track.input_ = std::move(*opened);
  auto& input = *track.input_;
  const auto tracks = sound_tracks(input);
  if (tracks.empty()) return track;
  const auto wanted = stream_of(file, input, tracks);
  SUBMIX_TRY(wanted);
  const AVCodec* codec = nullptr;
  track.stream_index_ = av_find_best_stream(&input, AVMEDIA_TYPE_AUDIO, *wanted, -1, &codec, 0);
  if (track.stream_index_ < 0 || codec == nullptr)
    return fail("{}: FFmpeg has no decoder for its sound", about);
  for (unsigned i = 0; i < input.nb_streams; ++i) {
    if (static_cast<int>(i) != track.stream_index_) input.streams[i]->discard = AVDISCARD_ALL;
  }
  track.base_seconds_ = first_picture_seconds(input);
  if (const auto* pictures = picture_track(input))
    track.length_seconds_ = stated_seconds(input, *pictures);
  track.sought_ = std::numeric_limits<std::int64_t>::min();
  SUBMIX_TRY(track.open_decoder(*codec, about));
  return track;
}

Result<void> SoundTrack::open_decoder(const AVCodec& codec, const std::string& about) {
  decoder_.reset(avcodec_alloc_context3(&codec));
  if (!decoder_) throw std::bad_alloc();
  const auto& stream = *input_->streams[stream_index_];
  decoder_->pkt_timebase = stream.time_base;
  decoder_->thread_count = 1;
  int code = avcodec_parameters_to_context(decoder_.get(), stream.codecpar);
  if (code >= 0) code = avcodec_open2(decoder_.get(), &codec, nullptr);
  if (code < 0)
    return fail("{}: its {} sound cannot be decoded: {}", about, codec.name, ffmpeg_error(code));
  return {};
}

void SoundTrack::read(const Course& course, std::span<float> samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double seconds =
        course.in_loop(course.seconds + course.step_seconds * static_cast<double>(i));
    const bool is_played =
        seconds >= course.in_seconds && (seconds < course.out_seconds || course.out_seconds <= 0);
    samples[i] = is_played ? value_at(seconds) : 0.0F;
  }
}

float SoundTrack::value_at(double seconds) {
  if (!has_sound() || !std::isfinite(seconds) || std::abs(seconds) > kSecondsMax) return 0;
  const double place = seconds * kSoundRateHz;
  const auto index = static_cast<std::int64_t>(std::floor(place));
  const auto share = static_cast<float>(place - static_cast<double>(index));
  const float before = sample(index);
  const float value = before + share * (sample(index + 1) - before);
  return std::isfinite(value) ? std::clamp(value, -1.0F, 1.0F) : 0;
}

float SoundTrack::sample(std::int64_t index) {
  if (index < begin_ || index >= end()) reach(index);
  if (index < begin_ || index >= end()) return 0;
  return window_[static_cast<std::size_t>(index - begin_)];
}

/// Decodes until the window has the sample, if there is sound at all.
void SoundTrack::reach(std::int64_t index) {
  const bool is_before_sound = index < begin_ && index >= sought_;
  const bool is_past_end = index >= end() && is_at_end_;
  if (is_before_sound && !window_.empty()) return;
  if (is_past_end) return;
  if (index < sought_ || index >= end() + kNear) go_to(index);
  while (index >= end() && !is_at_end_)
    decode();
}

/// Empties the window and goes to a packet before the sample.
void SoundTrack::go_to(std::int64_t index) {
  sought_ = index - (index < begin_ ? kBackwards : kPreroll);
  begin_ = sought_;
  window_.clear();
  resampler_.reset();
  const double seconds = static_cast<double>(sought_) / kSoundRateHz + base_seconds_;
  const auto ticks = std::llround(seconds / av_q2d(input_->streams[stream_index_]->time_base));
  is_at_end_ = avformat_seek_file(input_.get(), stream_index_, INT64_MIN, ticks, ticks, 0) < 0 &&
               avformat_seek_file(input_.get(), stream_index_, INT64_MIN, ticks, INT64_MAX, 0) < 0;
  if (is_at_end_) note_damage();
  avcodec_flush_buffers(decoder_.get());
  is_draining_ = false;
  packets_since_jump_ = 0;
}

/// Takes one decoded frame, gives the decoder one packet, or reaches the end.
void SoundTrack::decode() {
  const int code = avcodec_receive_frame(decoder_.get(), frame_.get());
  if (code >= 0) return take(*frame_);
  is_at_end_ = code == AVERROR_EOF || is_draining_;
  if (code != AVERROR(EAGAIN) && code != AVERROR_EOF) note_damage();
  if (!is_at_end_) feed();
}

void SoundTrack::feed() {
  av_packet_unref(packet_.get());
  const int code = av_read_frame(input_.get(), packet_.get());
  if (code == AVERROR(EAGAIN)) return;
  if (code < 0) {
    if (code != AVERROR_EOF) note_damage();
    is_draining_ = true;
    avcodec_send_packet(decoder_.get(), nullptr);
    return;
  }
  if (packet_->stream_index != stream_index_) return;
  ++packets_since_jump_;
  if (avcodec_send_packet(decoder_.get(), packet_.get()) < 0) note_damage();
}

void SoundTrack::take(const AVFrame& frame) {
  if (frame.best_effort_timestamp != AV_NOPTS_VALUE)
    place(index_at(seconds_of(frame.best_effort_timestamp)));
  if (!follow_format(frame)) return note_damage();
  const auto before = window_.size();
  const int room = std::max(0, swr_get_out_samples(resampler_.get(), frame.nb_samples));
  window_.resize(before + static_cast<std::size_t>(room));
  auto* to = reinterpret_cast<std::uint8_t*>(window_.data() + before);
  const int given =
      swr_convert(resampler_.get(), &to, room,
                  const_cast<const std::uint8_t**>(frame.extended_data), frame.nb_samples);
  window_.resize(before + static_cast<std::size_t>(std::max(0, given)));
  trim();
}

/// A track may change its rate or channels, as broadcasts do.
bool SoundTrack::follow_format(const AVFrame& frame) {
  const bool is_same = resampler_ && format_ == frame.format && rate_hz_ == frame.sample_rate &&
                       channels_ == frame.ch_layout.nb_channels;
  if (is_same) return true;
  format_ = frame.format;
  rate_hz_ = frame.sample_rate;
  channels_ = frame.ch_layout.nb_channels;
  AVChannelLayout from = frame.ch_layout;
  if (from.order == AV_CHANNEL_ORDER_UNSPEC) av_channel_layout_default(&from, channels_);
  AVChannelLayout mono{};
  av_channel_layout_default(&mono, 1);
  SwrContext* context = nullptr;
  const int set = swr_alloc_set_opts2(&context, &mono, AV_SAMPLE_FMT_FLT, kSoundRateHz, &from,
                                      static_cast<AVSampleFormat>(format_), rate_hz_, 0, nullptr);
  resampler_.reset(context);
  if (set < 0 || context == nullptr) return false;
  av_opt_set_double(context, "rematrix_maxval", 1.0, 0);  // the mix is not louder than each
  if (swr_init(context) >= 0) return true;
  resampler_.reset();
  return false;
}

/// The next sound begins at this sample. A gap before it becomes silence.
void SoundTrack::place(std::int64_t index) {
  const auto gap = index - end();
  if (gap > kGap && !window_.empty()) note_damage();
  if (window_.empty() || gap > kWindow) {
    if (!window_.empty()) sought_ = end();
    window_.clear();
    begin_ = index;
  } else if (gap > kGap) {
    window_.resize(window_.size() + static_cast<std::size_t>(gap));
  }
}

void SoundTrack::trim() {
  const auto spare = static_cast<std::int64_t>(window_.size()) - kWindow;
  if (spare < kWindow) return;
  window_.erase(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(spare));
  begin_ += spare;
  sought_ = begin_;
}

void SoundTrack::note_damage() {
  if (damaged_at_ || packets_since_jump_ < kPrerollPackets) return;
  damaged_at_ = std::max(0.0, static_cast<double>(end()) / kSoundRateHz);
}

double SoundTrack::seconds_of(std::int64_t ticks) const {
  return static_cast<double>(ticks) * av_q2d(input_->streams[stream_index_]->time_base) -
         base_seconds_;
}

}  // namespace submix::io
