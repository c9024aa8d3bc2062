// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/send/network_output.hpp"

#include "common/base/shown_address.hpp"
#include "node/io/network/failure_signs.hpp"
#include "node/io/network/network_address.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

namespace submix::io {
namespace {

constexpr std::chrono::seconds kPatience{5};
constexpr std::chrono::seconds kPatienceAtTheEnd{1};
/// FFmpeg may open nothing else for an address, above all no file.
constexpr const char* kProtocols = "srt,udp,tcp,rtmp,rtmps,rtsp,rtp,tls";

}  // namespace

int NetworkOutput::is_over(void* patience) {
  const auto& asked = *static_cast<const Patience*>(patience);
  const bool is_stopped = asked.stop.stop_requested() && !asked.is_ending;
  return is_stopped || std::chrono::steady_clock::now() > asked.deadline ? 1 : 0;
}

void NetworkOutput::OutputDeleter::operator()(AVFormatContext* output) const {
  if (auto& patience = *static_cast<Patience*>(output->opaque); patience.has_begun) {
    patience.is_ending = !patience.has_failed;
    patience.deadline = std::chrono::steady_clock::now() + kPatienceAtTheEnd;
    av_write_trailer(output);  // RTSP closes its sockets here, also after a failure
  }
  if ((output->oformat->flags & AVFMT_NOFILE) == 0) avio_closep(&output->pb);
  avformat_free_context(output);
}

Result<NetworkOutput> NetworkOutput::open(const std::string& address,
                                          const AVCodecParameters& parameters, AVRational time_base,
                                          std::stop_token stop) {
  SUBMIX_TRY(check_network_address(address, Traffic::outgoing));
  AVFormatContext* made = nullptr;
  int code = avformat_alloc_output_context2(&made, nullptr, muxer_of(address), address.c_str());
  if (code < 0) {
    return fail("{}: this FFmpeg has no muxer for it: {}", shown_address(address),
                ffmpeg_error(code));
  }
  NetworkOutput output;
  output.address_ = address;
  output.time_base_ = time_base;
  output.patience_ = std::make_unique<Patience>(std::move(stop));
  made->opaque = output.patience_.get();
  output.output_.reset(made);
  output.packet_ = make_packet();
  add_track(*made, parameters, time_base);
  SUBMIX_TRY(output.connect(*made));
  return output;
}

Result<void> NetworkOutput::connect(AVFormatContext& output) {
  output.interrupt_callback = {&is_over, patience_.get()};
  output.flags |= AVFMT_FLAG_FLUSH_PACKETS;
  output.max_delay = 0;  // a live picture: no packet is kept back
  if (output.protocol_whitelist == nullptr) output.protocol_whitelist = av_strdup(kProtocols);
  patience_->deadline = std::chrono::steady_clock::now() + kPatience;
  const FailureWatch watch;
  int code = 0;
  if ((output.oformat->flags & AVFMT_NOFILE) == 0) {
    AVDictionary* options = nullptr;
    av_dict_set(&options, "protocol_whitelist", kProtocols, 0);
    code = avio_open2(&output.pb, address_.c_str(), AVIO_FLAG_WRITE, &output.interrupt_callback,
                      &options);
    av_dict_free(&options);
  }
  if (code >= 0) code = avformat_write_header(&output, nullptr);
  if (code == AVERROR(EIO)) {
    return fail("{} cannot be reached: {}", shown_address(address_), watch.signs().reason());
  }
  if (code < 0) return tl::unexpected(failure("cannot be reached", code));
  patience_->has_begun = true;
  return {};
}

Error NetworkOutput::failure(const char* what, int code) const {
  const auto why = code == AVERROR_EXIT
                       ? fmt::format("nothing happened for {} s", kPatience.count())
                       : ffmpeg_error(code);
  return {fmt::format("{} {}: {}", shown_address(address_), what, why)};
}

Result<void> NetworkOutput::write(const AVPacket& packet) {
  patience_->deadline = std::chrono::steady_clock::now() + kPatience;
  int code = write_packet(*output_, packet, time_base_, *packet_);
  if (code >= 0 && output_->pb != nullptr) code = output_->pb->error;
  if (code >= 0 && is_over(patience_.get()) != 0) code = AVERROR_EXIT;  // RTSP does not tell
  patience_->has_failed = code < 0;
  if (code < 0) return tl::unexpected(failure("takes no more frames", code));
  return {};
}

}  // namespace submix::io
