// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/send/network_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <string_view>
#include <utility>

namespace submix::io {
namespace {

constexpr std::chrono::seconds kPatience{5};
constexpr std::chrono::seconds kPatienceAtTheEnd{1};
constexpr std::size_t kAddressLengthMax = 1000;

struct Scheme {
  std::string_view name;
  const char* muxer;  ///< FFmpeg's name
};

constexpr std::array<Scheme, 6> kSchemes{{{"srt", "mpegts"},
                                          {"udp", "mpegts"},
                                          {"tcp", "mpegts"},
                                          {"rtmp", "flv"},
                                          {"rtmps", "flv"},
                                          {"rtsp", "rtsp"}}};

const Scheme* scheme_of(std::string_view address) {
  const auto name = address.substr(0, address.find("://"));
  const auto* found =
      std::ranges::find_if(kSchemes, [&](const auto& scheme) { return scheme.name == name; });
  return found == kSchemes.end() ? nullptr : found;
}

/// Nothing else may be opened on the way to an address, a file least of all.
constexpr const char* kProtocols = "srt,udp,tcp,rtmp,rtmps,rtsp,rtp,tls,crypto";

}  // namespace

Result<void> check_network_address(const std::string& address) {
  constexpr const char* kExample = "write, for example, srt://198.51.100.7:9000";
  if (address.empty()) return fail("there is no address to send to; {}", kExample);
  if (address.size() > kAddressLengthMax)
    return fail("the address has {} letters, {} are possible", address.size(), kAddressLengthMax);
  const bool is_plain =
      std::ranges::all_of(address, [](char letter) { return letter > ' ' && letter < '\x7f'; });
  if (!is_plain)
    return fail("the address has a space or a letter that no address has; {}", kExample);
  const auto* scheme = address.find("://") == std::string::npos ? nullptr : scheme_of(address);
  if (scheme == nullptr) {
    return fail(
        "\"{}\" is no address that can be sent to: srt, udp, tcp, rtmp, rtmps and rtsp can; {}",
        address, kExample);
  }
  const auto host = std::string_view(address).substr(scheme->name.size() + 3);
  if (host.empty() || host.front() == ':' || host.front() == '/' || host.front() == '?')
    return fail("\"{}\" names no host; {}", address, kExample);
  return {};
}

std::string shown_address(const std::string& address) {
  const auto host = address.find("://") + 3;
  const auto end = std::min(address.find_first_of("/?#", host), address.size());
  const auto user = address.rfind('@', end);
  const bool has_user = user != std::string::npos && user > host;
  return address.substr(0, host) +
         address.substr(has_user ? user + 1 : host, end - (has_user ? user + 1 : host));
}

int NetworkOutput::is_over(void* patience) {
  const auto& asked = *static_cast<const Patience*>(patience);
  return asked.stop.stop_requested() || std::chrono::steady_clock::now() > asked.deadline ? 1 : 0;
}

void NetworkOutput::OutputDeleter::operator()(AVFormatContext* output) const {
  if (auto& patience = *static_cast<Patience*>(output->opaque); patience.has_begun) {
    patience.deadline = std::chrono::steady_clock::now() + kPatienceAtTheEnd;
    av_write_trailer(output);  // RTSP closes its sockets here, also after a failure
  }
  if ((output->oformat->flags & AVFMT_NOFILE) == 0) avio_closep(&output->pb);
  avformat_free_context(output);
}

Result<NetworkOutput> NetworkOutput::open(const std::string& address,
                                          const AVCodecParameters& parameters, AVRational time_base,
                                          std::stop_token stop) {
  SUBMIX_TRY(check_network_address(address));
  AVFormatContext* made = nullptr;
  int code =
      avformat_alloc_output_context2(&made, nullptr, scheme_of(address)->muxer, address.c_str());
  if (code < 0) {
    return fail("{}: FFmpeg here cannot send so: {}", shown_address(address), ffmpeg_error(code));
  }
  NetworkOutput output;
  output.address_ = address;
  output.time_base_ = time_base;
  output.patience_ = std::make_unique<Patience>(std::move(stop));
  made->opaque = output.patience_.get();
  output.output_.reset(made);
  output.packet_ = make_packet();
  auto* stream = avformat_new_stream(made, nullptr);
  if (stream == nullptr || avcodec_parameters_copy(stream->codecpar, &parameters) < 0)
    throw std::bad_alloc();
  stream->codecpar->codec_tag = 0;
  stream->time_base = time_base;
  stream->avg_frame_rate = av_inv_q(time_base);
  SUBMIX_TRY(output.connect(*made));
  return output;
}

Result<void> NetworkOutput::connect(AVFormatContext& output) {
  output.interrupt_callback = {&is_over, patience_.get()};
  output.flags |= AVFMT_FLAG_FLUSH_PACKETS;
  output.max_delay = 0;  // a live picture: nothing is kept back
  if (output.protocol_whitelist == nullptr) output.protocol_whitelist = av_strdup(kProtocols);
  patience_->deadline = std::chrono::steady_clock::now() + kPatience;
  int code = 0;
  if ((output.oformat->flags & AVFMT_NOFILE) == 0) {
    AVDictionary* options = nullptr;
    av_dict_set(&options, "protocol_whitelist", kProtocols, 0);
    code = avio_open2(&output.pb, address_.c_str(), AVIO_FLAG_WRITE, &output.interrupt_callback,
                      &options);
    av_dict_free(&options);
  }
  if (code >= 0) code = avformat_write_header(&output, nullptr);
  if (code < 0)
    return fail("{} cannot be reached: {}", shown_address(address_), ffmpeg_error(code));
  patience_->has_begun = true;
  return {};
}

Result<void> NetworkOutput::write(const AVPacket& packet) {
  patience_->deadline = std::chrono::steady_clock::now() + kPatience;
  int code = av_packet_ref(packet_.get(), &packet);
  if (code >= 0) {
    packet_->stream_index = 0;
    av_packet_rescale_ts(packet_.get(), time_base_, output_->streams[0]->time_base);
    code = av_write_frame(output_.get(), packet_.get());
    av_packet_unref(packet_.get());
  }
  if (code >= 0 && output_->pb != nullptr) code = output_->pb->error;
  if (code < 0)
    return fail("{} takes no more frames: {}", shown_address(address_), ffmpeg_error(code));
  return {};
}

}  // namespace submix::io
