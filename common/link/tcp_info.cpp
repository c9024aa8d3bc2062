// SPDX-License-Identifier: GPL-3.0-or-later
// A separate file, because <netinet/tcp.h>, which Asio includes, also defines tcp_info, an older
// one.
#include "common/link/tcp_info.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <limits>

namespace submix::link {

std::optional<TcpInfo> read_tcp_info(int descriptor) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
  const bool has_round_trip =
      info.tcpi_min_rtt != std::numeric_limits<decltype(info.tcpi_min_rtt)>::max();
  return TcpInfo{.round_trip = std::chrono::microseconds(has_round_trip ? info.tcpi_min_rtt : 0),
                 .segment_bytes = info.tcpi_snd_mss,
                 .smoothed_round_trip = std::chrono::microseconds(info.tcpi_rtt),
                 .segments_retransmitted = info.tcpi_total_retrans,
                 .bytes_retransmitted = info.tcpi_bytes_retrans};
}

}  // namespace submix::link
