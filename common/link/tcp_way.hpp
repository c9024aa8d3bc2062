// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>

namespace submix::link {

/// What TCP knows of the way that a connection takes.
struct TcpWay {
  /// The shortest time there and back that it has seen lately, which is the way's own, without what queues on
  /// it; 0: none yet.
  std::chrono::microseconds round_trip{0};
  std::uint64_t segment_bytes = 0;  ///< of payload, at most
};

/// Any thread; one system call. All 0 where the socket is none of TCP's.
[[nodiscard]] TcpWay look_at_tcp_way(int descriptor);

}  // namespace submix::link
