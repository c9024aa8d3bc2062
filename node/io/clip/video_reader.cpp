// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/video_reader.hpp"

#include "common/base/realtime.hpp"
#include "node/io/file_io.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace submix::io {
namespace {

constexpr double kUnknownRatePictureSeconds = 1.0 / 25.0;
constexpr int kReadRetriesMax = 16;

/// The limit of a picture's size, for messages.
std::string limit_text() {
  return fmt::format("pictures of more than {} million pixels (8192x8192) are not decoded",
                     kDecodedPixelsMax / 1'000'000);
}

/// The container's display matrix. Null: it has none.
const std::uint8_t* display_matrix(const AVStream& stream, std::size_t& bytes) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  const auto& shape = *stream.codecpar;
  const auto* stated = av_packet_side_data_get(shape.coded_side_data, shape.nb_coded_side_data,
                                               AV_PKT_DATA_DISPLAYMATRIX);
  bytes = stated == nullptr ? 0 : stated->size;
  return stated == nullptr ? nullptr : stated->data;
#else
  return av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &bytes);
#endif
}

/// A decoder gives a picture its own matrix, if it has one, but not the container's.
void add_display_matrix(AVFrame& picture, const AVStream& stream) {
  std::size_t bytes = 0;
  const auto* matrix = display_matrix(stream, bytes);
  if (matrix == nullptr || av_frame_get_side_data(&picture, AV_FRAME_DATA_DISPLAYMATRIX) != nullptr)
    return;
  auto* added = av_frame_new_side_data(&picture, AV_FRAME_DATA_DISPLAYMATRIX, bytes);
  if (added != nullptr) std::memcpy(added->data, matrix, bytes);
}

/// FFmpeg's own decoders of VP8 and VP9 leave out the alpha that WebM carries beside the pictures.
const AVCodec* decoder_with_alpha(const AVStream& stream, const AVCodec* codec) {
  const auto* mode = av_dict_get(stream.metadata, "alpha_mode", nullptr, 0);
  if (mode == nullptr || std::string_view(mode->value) != "1") return codec;
  const auto* name = codec->id == AV_CODEC_ID_VP9 ? "libvpx-vp9" : "libvpx";
  const auto* other = avcodec_find_decoder_by_name(name);
  return other != nullptr && other->id == codec->id ? other : codec;
}

/// In the time base of its stream; 0: unknown.
std::int64_t ticks_shown(const AVFrame& frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame.duration;
#else
  return frame.pkt_duration;
#endif
}

double as_seconds(std::int64_t ticks, AVRational base) {
  return static_cast<double>(ticks) * av_q2d(base);
}

}  // namespace

// May take long: a large image's first picture does.
Result<VideoReader> VideoReader::open(OpenFile file, const DrawnFor& drawn_for) {
  const OrdinaryThread ordinary;
  VideoReader reader;
  reader.file_ = std::move(file);
  reader.drawn_for_ = drawn_for;
  reader.packet_ = make_packet();
  if (reader.file_.is_series()) {
    auto series = PictureSeries::open(reader.file_);
    SUBMIX_TRY(series);
    reader.series_ = std::move(*series);
    reader.base_ = 0;  // also if the first picture cannot be decoded
  }
  SUBMIX_TRY(reader.open_input());
  SUBMIX_TRY(reader.read_first());
  return reader;
}

Result<void> VideoReader::open_input() {
  auto opened = series_ ? series_->open_first() : io::open_input(file_);
  SUBMIX_TRY(opened);
  input_ = std::move(*opened);
  const AVCodec* codec = nullptr;
  stream_index_ = av_find_best_stream(input_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
  if (stream_index_ == AVERROR_STREAM_NOT_FOUND) return fail("{}: has no video in it", about());
  if (stream_index_ < 0 || codec == nullptr)
    return fail("{}: FFmpeg has no decoder for its video", about());
  for (unsigned i = 0; i < input_->nb_streams; ++i) {
    if (static_cast<int>(i) != stream_index_) input_->streams[i]->discard = AVDISCARD_ALL;
  }
  const auto& shape = *input_->streams[stream_index_]->codecpar;
  if (std::int64_t{shape.width} * shape.height > kDecodedPixelsMax)
    return fail("{}: is {}x{}: {}; make it smaller", about(), shape.width, shape.height,
                limit_text());
  measure();
  if (codec->id == AV_CODEC_ID_SVG) return open_drawing(*codec);
  return open_decoder(*decoder_with_alpha(*input_->streams[stream_index_], codec));
}

/// The decoder gets the file's only packet here: the size in which to draw must be set before.
Result<void> VideoReader::open_drawing(const AVCodec& librsvg) {
  av_packet_unref(packet_.get());
  if (const int code = av_read_frame(input_.get(), packet_.get()); code < 0)
    return fail("{}: cannot be read: {}", about(), ffmpeg_error(code));
  stated_size_ = stated_size(librsvg, *packet_);
  if (!stated_size_) {
    return fail(
        "{}: is no SVG that can be drawn: it is cut off, is not well-formed, or states no size; "
        "save it again, or as PNG",
        about());
  }
  const auto size = drawn_size(*stated_size_, drawn_for_);
  AVDictionary* options = nullptr;
  av_dict_set_int(&options, "width", size.width, 0);
  av_dict_set_int(&options, "height", size.height, 0);
  av_dict_set_int(&options, "keep_ar", 0, 0);
  SUBMIX_TRY(open_decoder(librsvg, options));
  if (avcodec_send_packet(decoder_.get(), packet_.get()) < 0) ++faults_;
  return {};
}

/// Frees `options`.
Result<void> VideoReader::open_decoder(const AVCodec& codec, AVDictionary* options) {
  decoder_.reset(avcodec_alloc_context3(&codec));
  const auto* stream = input_->streams[stream_index_];
  int code =
      decoder_ ? avcodec_parameters_to_context(decoder_.get(), stream->codecpar) : AVERROR(ENOMEM);
  if (code >= 0) {
    decoder_->pkt_timebase = time_base();
    decoder_->thread_count = codec_threads();
    decoder_->max_pixels = kDecodedPixelsMax;
    code = avcodec_open2(decoder_.get(), &codec, &options);
  }
  av_dict_free(&options);
  if (code < 0)
    return fail("{}: its {} video cannot be decoded: {}", about(), codec.name, ffmpeg_error(code));
  return {};
}

Result<void> VideoReader::read_first() {
  is_draining_ = false;
  due_seconds_ = 0;
  first_ = decode();
  if (first_) return {};
  if (decoder_ && decoder_->codec_id == AV_CODEC_ID_WEBP) {
    return fail(
        "{}: is a WebP that is animated, which FFmpeg does not decode, or damaged; save it as GIF, "
        "APNG or a video",
        about());
  }
  return fail("{}: not one picture of its video can be decoded ({})", about(), limit_text());
}

std::optional<ClipPicture> VideoReader::next() {
  if (first_) return std::exchange(first_, std::nullopt);
  auto picture = decode();
  if (!picture && series_) series_->note_end();
  return picture;
}

std::optional<ClipPicture> VideoReader::decode() {
  if (!decoder_) return std::nullopt;
  auto frame = make_frame();
  while (true) {
    const int code = avcodec_receive_frame(decoder_.get(), frame.get());
    if (code >= 0) return stamp(std::move(frame));
    if (code == AVERROR_EOF) return std::nullopt;
    if (code != AVERROR(EAGAIN)) ++faults_;
    if (is_draining_ && code == AVERROR(EAGAIN)) return std::nullopt;
    if (!is_draining_ && !feed()) return std::nullopt;
  }
}

/// Gives the decoder one packet, or the end. Each call advances in the file, so decode() ends.
bool VideoReader::feed() {
  for (int attempt = 0; attempt < kReadRetriesMax; ++attempt) {
    av_packet_unref(packet_.get());
    const int code = read_packet();
    if (code == AVERROR(EAGAIN)) continue;
    if (code < 0) {
      if (code != AVERROR_EOF) ++faults_;
      is_draining_ = true;
      return avcodec_send_packet(decoder_.get(), nullptr) >= 0;
    }
    if (packet_->stream_index != stream_index_) {
      attempt = -1;  // another stream's packet: the file advanced
      continue;
    }
    if (avcodec_send_packet(decoder_.get(), packet_.get()) < 0) ++faults_;
    return true;
  }
  return false;
}

int VideoReader::read_packet() {
  return series_ ? series_->read(*packet_) : av_read_frame(input_.get(), packet_.get());
}

ClipPicture VideoReader::stamp(FramePointer frame) {
  const auto ticks = frame->best_effort_timestamp;
  if (!base_ && due_seconds_ == 0 && ticks != AV_NOPTS_VALUE) base_ = ticks;
  const bool has_time = base_ && ticks != AV_NOPTS_VALUE;
  ClipPicture picture;
  picture.seconds = has_time ? as_seconds(ticks - *base_, time_base()) : due_seconds_;
  const auto shown = ticks_shown(*frame);
  picture.lasts_seconds = shown > 0 ? as_seconds(shown, time_base()) : picture_seconds_;
  if (series_ && has_time) series_->note_decoded(ticks);
  frame->sample_aspect_ratio =
      av_guess_sample_aspect_ratio(input_.get(), input_->streams[stream_index_], frame.get());
  add_display_matrix(*frame, *input_->streams[stream_index_]);
  if (stated_size_) divide_by_alpha(*frame);
  picture.own_size = stated_size_.value_or(Size{frame->width, frame->height});
  picture.is_damaged =
      frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0;
  picture.serial = ++serial_;
  picture.frame = std::move(frame);
  due_seconds_ = picture.seconds + picture_seconds_;
  return picture;
}

bool VideoReader::seek(double seconds) {
  first_.reset();
  if (!input_ || !base_) return false;
  const auto ticks = ticks_at(seconds);
  if (series_) {
    series_->go_to(ticks);
  } else if (avformat_seek_file(input_.get(), stream_index_, INT64_MIN, ticks, ticks, 0) < 0) {
    return false;
  }
  avcodec_flush_buffers(decoder_.get());
  is_draining_ = false;
  due_seconds_ = seconds;
  return true;
}

std::optional<double> VideoReader::key_before(double seconds) const {
  if (!input_ || !base_) return std::nullopt;
  auto* stream = input_->streams[stream_index_];
  const auto ticks = ticks_at(seconds);
  if (series_) return as_seconds(std::min(ticks, series_->count() - 1), time_base());
  const int entries = avformat_index_get_entries_count(stream);
  const auto* last = avformat_index_get_entry(stream, entries - 1);
  if (last == nullptr || last->timestamp < ticks) return std::nullopt;
  const int key = av_index_search_timestamp(stream, ticks, AVSEEK_FLAG_BACKWARD);
  const auto* found = avformat_index_get_entry(stream, key);
  if (found == nullptr) return std::nullopt;
  return as_seconds(found->timestamp - *base_, stream->time_base);
}

AVRational VideoReader::time_base() const {
  return series_ ? series_->time_base() : input_->streams[stream_index_]->time_base;
}

std::int64_t VideoReader::ticks_at(double seconds) const {
  const auto base = av_q2d(time_base());
  return *base_ + static_cast<std::int64_t>(std::floor(seconds / base));
}

bool VideoReader::restart() {
  if (series_) return seek(0);
  first_.reset();
  base_.reset();  // no seek until a picture of the file has been decoded
  decoder_.reset();
  input_.reset();
  return open_input() && read_first();
}

void VideoReader::measure() {
  if (series_) {
    picture_seconds_ = av_q2d(series_->time_base());
    duration_seconds_ = static_cast<double>(series_->count()) * picture_seconds_;
    return;
  }
  auto* stream = input_->streams[stream_index_];
  const auto rate = av_guess_frame_rate(input_.get(), stream, nullptr);
  picture_seconds_ = rate.num > 0 && rate.den > 0 ? 1.0 / av_q2d(rate) : kUnknownRatePictureSeconds;
  duration_seconds_ =
      std::round(stated_seconds(*input_, *stream) / picture_seconds_) * picture_seconds_;
}

}  // namespace submix::io
