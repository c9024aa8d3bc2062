// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/send/network_output.hpp"

#include "common/base/shown_address.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
  /// What may stand behind "?", as "|ttl|"; null: the far end reads it. Other options of FFmpeg open
  /// ports, or start threads that nothing ends.
  const char* options;
};

constexpr std::array<Scheme, 6> kSchemes{{
    {"srt", "mpegts", "|passphrase|pbkeylen|streamid|latency|pkt_size|"},
    {"udp", "mpegts", "|pkt_size|ttl|localaddr|broadcast|"},
    {"tcp", "mpegts", "|"},
    {"rtmp", "flv", nullptr},
    {"rtmps", "flv", nullptr},
    {"rtsp", "rtsp", nullptr},
}};

const Scheme* scheme_of(std::string_view address) {
  const auto name = address.substr(0, address.find("://"));
  const auto* found =
      std::ranges::find_if(kSchemes, [&](const auto& scheme) { return scheme.name == name; });
  return found == kSchemes.end() ? nullptr : found;
}

/// Nothing else may be opened on the way to an address, a file least of all.
constexpr const char* kProtocols = "srt,udp,tcp,rtmp,rtmps,rtsp,rtp,tls";

/// Of "?ttl=3&x=1": whether each is an option of `scheme`.
Result<void> check_options(const Scheme& scheme, std::string_view address) {
  const auto mark = address.find('?');
  if (scheme.options == nullptr || mark == std::string_view::npos) return {};
  auto rest = address.substr(mark + 1);
  while (!rest.empty()) {
    const auto option = rest.substr(0, rest.find('&'));
    const auto name = option.substr(0, option.find('='));
    if (std::string_view(scheme.options).find(fmt::format("|{}|", name)) == std::string_view::npos)
      return fail("the address has the option \"{}\", which {} does not take here", name,
                  scheme.name);
    rest.remove_prefix(std::min(option.size() + 1, rest.size()));
  }
  return {};
}

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
        "the address does not begin with srt://, udp://, tcp://, rtmp://, rtmps:// or rtsp://; {}",
        kExample);
  }
  const auto host = std::string_view(address).substr(scheme->name.size() + 3);
  if (host.empty() || host.front() == ':' || host.front() == '/' || host.front() == '?')
    return fail("the address names no host; {}", kExample);
  return check_options(*scheme, address);
}

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
  SUBMIX_TRY(check_network_address(address));
  AVFormatContext* made = nullptr;
  int code =
      avformat_alloc_output_context2(&made, nullptr, scheme_of(address)->muxer, address.c_str());
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
