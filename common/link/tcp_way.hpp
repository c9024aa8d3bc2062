// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace submix::link {

/// What TCP knows of the way that a connection takes.
struct TcpWay {
  /// The shortest time there and back that it has seen lately, which is the way's own, without what queues on
  /// it; 0: none yet.
  std::chrono::microseconds round_trip{0};
  std::uint64_t segment_bytes = 0;  ///< of payload, at most
  /// The same time smoothed, as TCP reckons with it: what queues on the way included; 0: none yet.
  std::chrono::microseconds smoothed_round_trip{0};
  std::uint64_t segments_retransmitted = 0;  ///< since it connected
  std::uint64_t bytes_retransmitted = 0;  ///< likewise; 0 by kernels before 4.19, which do not tell
};

/// Any thread; one system call. None: the socket is not TCP's, or the kernel does not say.
[[nodiscard]] std::optional<TcpWay> look_at_tcp_way(int descriptor);

}  // namespace submix::link
