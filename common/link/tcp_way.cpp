// SPDX-License-Identifier: GPL-3.0-or-later
// A file of its own: <netinet/tcp.h>, which Asio includes, has a tcp_info too, an older one.
#include "common/link/tcp_way.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <limits>

namespace submix::link {

TcpWay look_at_tcp_way(int descriptor) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
  const bool has_round_trip = info.tcpi_min_rtt != std::numeric_limits<decltype(info.tcpi_min_rtt)>::max();
  return {std::chrono::microseconds(has_round_trip ? info.tcpi_min_rtt : 0), info.tcpi_snd_mss};
}

}  // namespace submix::link
