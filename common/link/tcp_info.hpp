// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace submix::link {

/// The kernel's TCP statistics of a connection.
struct TcpInfo {
  /// The shortest recent round trip: the path alone, without queues. 0: none yet.
  std::chrono::microseconds round_trip{0};
  std::uint64_t segment_bytes = 0;  ///< payload of a segment, at most
  /// The smoothed round trip, queues included, as TCP uses it. 0: none yet.
  std::chrono::microseconds smoothed_round_trip{0};
  std::uint64_t segments_retransmitted = 0;  ///< since the connection began
  std::uint64_t bytes_retransmitted = 0;     ///< since the connection began; 0 before kernel 4.19
};

/// Any thread; one system call. Empty: not a TCP socket, or the kernel does not answer.
[[nodiscard]] std::optional<TcpInfo> read_tcp_info(int descriptor);

}  // namespace submix::link
