// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "tests/throughput/measurement.hpp"
#include "tests/throughput/testbed.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace submix::throughput {

/// What a program of somebody else is to do: frames of RGB24 over one TCP connection, as fast as it can.
struct PeerWork {
  Size size;
  std::string address;  ///< of the receiver
  std::uint16_t port = 0;
};

/// Two programs of somebody else that do the same work.
struct ExternalPeer {
  std::string name;
  std::string program;  ///< that must be installed
  std::string set_up;   ///< for people: what was chosen, and why
  std::vector<std::string> (*receiver)(const PeerWork& work);
  std::vector<std::string> (*sender)(const PeerWork& work);
};

/// iperf3, GStreamer and FFmpeg, each in the fastest set-up of several that were tried.
[[nodiscard]] const std::vector<ExternalPeer>& external_peers();

/// Whether PATH has it.
[[nodiscard]] bool is_installed(const std::string& program);

struct ExternalFigures {
  double bytes = 0;
  double seconds = 0;
  double cpu_s_send = 0;
  double cpu_s_receive = 0;
  double page_faults = 0;  ///< of both programs
};

/// Runs the two programs over the testbed's first link; what they carry is read from the kernel's counters of
/// the receiving socket, what they use from /proc.
///
/// Errors   A program that ends, with its last words; one that never listens.
[[nodiscard]] Result<ExternalFigures> measure_external(const Testbed& testbed,
                                                       const ExternalPeer& peer, Size size,
                                                       std::chrono::milliseconds warm_up,
                                                       std::chrono::milliseconds duration,
                                                       const Meanwhile& meanwhile);

/// All "bytes_received:N" of what `ss -i` prints, added up.
[[nodiscard]] std::uint64_t received_bytes_of(const std::string& socket_statistics);
/// Whether a /proc/net/tcp table has a listener on that port.
[[nodiscard]] bool has_listener(const std::string& table, std::uint16_t port);
/// What a process has used, from a /proc/PID/stat line.
struct ProcessUse {
  std::uint64_t cpu_ticks = 0;    ///< user and kernel
  std::uint64_t page_faults = 0;  ///< minor and major
};
[[nodiscard]] ProcessUse process_use_of(const std::string& stat);

}  // namespace submix::throughput
