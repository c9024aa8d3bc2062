// SPDX-License-Identifier: GPL-3.0-or-later
// A file of its own: <netinet/tcp.h>, which Asio includes, has a tcp_info too, an older one.
#include "common/link/round_trip.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <limits>

namespace submix::link {

std::chrono::microseconds least_round_trip(int descriptor) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
  if (info.tcpi_min_rtt == std::numeric_limits<decltype(info.tcpi_min_rtt)>::max()) return {};
  return std::chrono::microseconds(info.tcpi_min_rtt);
}

}  // namespace submix::link
