// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/network/network_address.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace submix::io {
namespace {

constexpr std::size_t kAddressLengthMax = 1000;

/// Options that may follow "?", as "|ttl|". FFmpeg's other options open ports, set the sizes of
/// buffers, or start threads that nothing ends.
constexpr const char* kNothing = "|";
constexpr const char* kFarEndReadsIt = nullptr;

struct Scheme {
  std::string_view name;
  const char* muxer = nullptr;  ///< FFmpeg's name; null: nothing is sent this way
  const char* sent_options = kNothing;
  const char* received_options = kFarEndReadsIt;
  bool may_listen = false;  ///< ":9000" receives on every card
};

constexpr std::array<Scheme, 10> kSchemes{{
    {"srt", "mpegts", "|passphrase|pbkeylen|streamid|latency|pkt_size|",
     "|passphrase|pbkeylen|streamid|latency|pkt_size|mode|", true},
    {"udp", "mpegts", "|pkt_size|ttl|localaddr|broadcast|", "|pkt_size|localaddr|reuse|sources|",
     true},
    {"tcp", "mpegts", kNothing, "|listen|", true},
    {"rtmp", "flv", kFarEndReadsIt},
    {"rtmps", "flv", kFarEndReadsIt},
    {"rtsp", "rtsp", kFarEndReadsIt},
    {.name = "rtsps"},
    {.name = "rtp", .received_options = "|pkt_size|localaddr|sources|", .may_listen = true},
    {.name = "http"},
    {.name = "https"},
}};

bool carries(const Scheme& scheme, Traffic traffic) {
  return traffic == Traffic::incoming || scheme.muxer != nullptr;
}

const Scheme* scheme_of(std::string_view address) {
  const auto mark = address.find("://");
  if (mark == std::string_view::npos) return nullptr;
  const auto* found = std::ranges::find(kSchemes, address.substr(0, mark),
                                        [](const auto& each) { return each.name; });
  return found == kSchemes.end() ? nullptr : found;
}

/// "srt://, udp://, … or rtsp://"
std::string names_of_schemes(Traffic traffic) {
  std::vector<std::string> names;
  for (const auto& scheme : kSchemes) {
    if (carries(scheme, traffic)) names.push_back(fmt::format("{}://", scheme.name));
  }
  const auto last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

/// Whether each option of "?ttl=3&x=1" is among `known`.
Result<void> check_options(const Scheme& scheme, const char* known, std::string_view address) {
  const auto mark = address.find('?');
  if (known == kFarEndReadsIt || mark == std::string_view::npos) return {};
  auto rest = address.substr(mark + 1);
  while (!rest.empty()) {
    const auto option = rest.substr(0, rest.find('&'));
    const auto name = option.substr(0, option.find('='));
    if (std::string_view(known).find(fmt::format("|{}|", name)) == std::string_view::npos)
      return fail("the address has the option \"{}\", which {} does not take here; take it out",
                  name, scheme.name);
    rest.remove_prefix(std::min(option.size() + 1, rest.size()));
  }
  return {};
}

bool names_host(const Scheme& scheme, Traffic traffic, std::string_view host) {
  if (host.empty() || host.front() == '/' || host.front() == '?') return false;
  return host.front() != ':' || (traffic == Traffic::incoming && scheme.may_listen);
}

}  // namespace

Result<void> check_network_address(const std::string& address, Traffic traffic) {
  constexpr const char* kExample = "write, for example, srt://198.51.100.7:9000";
  const bool is_sent = traffic == Traffic::outgoing;
  if (address.empty())
    return fail("there is no address to {}; {}", is_sent ? "send to" : "receive from", kExample);
  if (address.size() > kAddressLengthMax)
    return fail("the address has {} letters, {} are possible", address.size(), kAddressLengthMax);
  const bool is_plain =
      std::ranges::all_of(address, [](char letter) { return letter > ' ' && letter < '\x7f'; });
  if (!is_plain)
    return fail("the address has a space or a letter that no address has; {}", kExample);
  const auto* scheme = scheme_of(address);
  if (scheme == nullptr || !carries(*scheme, traffic))
    return fail("the address does not begin with {}; {}", names_of_schemes(traffic), kExample);
  const auto host = std::string_view(address).substr(scheme->name.size() + 3);
  if (!names_host(*scheme, traffic, host)) return fail("the address names no host; {}", kExample);
  return check_options(*scheme, is_sent ? scheme->sent_options : scheme->received_options, address);
}

const char* muxer_of(const std::string& address) {
  const auto* scheme = scheme_of(address);
  return scheme == nullptr ? nullptr : scheme->muxer;
}

}  // namespace submix::io
