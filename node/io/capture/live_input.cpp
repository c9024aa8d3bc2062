// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/capture/live_input.hpp"

#include "node/io/live_decoder.hpp"

#include <fmt/format.h>

extern "C" {
#include <libavdevice/avdevice.h>
}

#include <cerrno>
#include <mutex>
#include <thread>
#include <utility>

namespace submix::io {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{5};
constexpr std::chrono::milliseconds kGlance{2};  // between two tries to read the device

const AVInputFormat* find_format(const std::string& name) {
  static std::once_flag registered;
  std::call_once(registered, [] { avdevice_register_all(); });
  return av_find_input_format(name.c_str());
}

std::string reason(int code) {
  if (code == AVERROR(EBUSY)) return "another program or slot has it";
  if (code == AVERROR(ENOENT) || code == AVERROR(ENODEV))
    return "it is not there, or gives no video";
  if (code == AVERROR(EACCES) || code == AVERROR(EPERM))
    return "it may not be read; for a camera, this user has to be in the group video";
  if (code == AVERROR(EIO))
    return "it does not answer; plug a camera in again; a screen's X server has to run, and to "
           "admit this user";
  return ffmpeg_error(code);
}

}  // namespace

// A device of v4l2loopback answers EINVAL from the moment at which its writer opens it to the first
// picture.
bool has_only_no_picture(int code, bool gave_pictures) {
  return code == AVERROR(EAGAIN) || (code == AVERROR(EINVAL) && !gave_pictures);
}

Result<LiveInput> LiveInput::open(const CaptureInput& input, std::stop_token stop) {
  const auto* kind = find_format(input.format);
  if (kind == nullptr) return fail("this FFmpeg has no input \"{}\"", input.format);
  LiveInput opened;
  opened.name_ = input.name;
  opened.stop_ = std::move(stop);
  int code = AVERROR(EINVAL);
  for (const auto& attempt : input.attempts) {
    AVDictionary* options = nullptr;
    for (const auto& [name, value] : attempt)
      av_dict_set(&options, name.c_str(), value.c_str(), 0);
    auto* format = avformat_alloc_context();
    if (format == nullptr) throw std::bad_alloc();
    format->flags |= AVFMT_FLAG_NONBLOCK;
    code = avformat_open_input(&format, input.name.c_str(), kind, &options);  // frees at failure
    av_dict_free(&options);
    if (code >= 0) opened.format_.reset(format);
    if (code >= 0 || code == AVERROR(EBUSY)) break;
  }
  if (code < 0) return fail("{} cannot be opened: {}", input.name, reason(code));
  SUBMIX_TRY(opened.open_decoder());
  return opened;
}

// A device has one video stream. Its format is known before the first packet.
Result<void> LiveInput::open_decoder() {
  if (format_->nb_streams == 0) return fail("{} gives no pictures", name_);
  const auto& parameters = *format_->streams[0]->codecpar;
  auto decoder = open_live_decoder(name_, parameters, PictureOrder::as_they_come);
  SUBMIX_TRY(decoder);
  decoder_ = std::move(*decoder);
  packet_ = make_packet();
  return {};
}

Result<FramePointer> LiveInput::next() {
  auto frame = make_frame();
  const auto deadline = SteadyClock::now() + kPatience;
  while (!stop_.stop_requested()) {
    if (avcodec_receive_frame(decoder_.get(), frame.get()) == 0) {
      // FFmpeg does not ask drivers for their colour matrix. Cameras use BT.601 at all sizes.
      if (frame->colorspace == AVCOL_SPC_UNSPECIFIED) frame->colorspace = AVCOL_SPC_SMPTE170M;
      return frame;
    }
    if (SteadyClock::now() > deadline)
      return fail("{} gives no picture for {} s", name_, kPatience.count());
    const auto fed = feed();
    SUBMIX_TRY(fed);
    if (!*fed) std::this_thread::sleep_for(kGlance);
  }
  return FramePointer();
}

Result<bool> LiveInput::feed() {
  int code = av_read_frame(format_.get(), packet_.get());
  if (has_only_no_picture(code, gave_pictures_)) return false;
  if (code < 0) return fail("{} stopped: {}", name_, reason(code));
  const bool is_picture = packet_->stream_index == 0;
  gave_pictures_ = gave_pictures_ || is_picture;
  if (is_picture) {
    av_packet_rescale_ts(packet_.get(), format_->streams[0]->time_base,
                         AVRational{1, AV_TIME_BASE});
    // A damaged picture is left out; the next one comes soon.
    static_cast<void>(avcodec_send_packet(decoder_.get(), packet_.get()));
  }
  av_packet_unref(packet_.get());
  return is_picture;
}

}  // namespace submix::io
