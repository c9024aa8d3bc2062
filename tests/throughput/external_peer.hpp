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

/// The work for another project's program: RGB24 frames over one TCP connection at full speed.
struct PeerWork {
  Size size;
  std::string address;  ///< of the receiver
  std::uint16_t port = 0;
};

/// Two programs of another project that do the same work.
struct ExternalPeer {
  std::string name;
  std::string program;  ///< the program that must be installed
  std::string set_up;   ///< for people: the chosen options and the reason
  std::vector<std::string> (*receiver)(const PeerWork& work);
  std::vector<std::string> (*sender)(const PeerWork& work);
};

/// iperf3, GStreamer and FFmpeg, each in the fastest of several set-ups that were tried.
[[nodiscard]] const std::vector<ExternalPeer>& external_peers();

/// Whether a folder of PATH has the program.
[[nodiscard]] bool is_installed(const std::string& program);

struct ExternalFigures {
  double bytes = 0;
  double seconds = 0;
  double cpu_s_send = 0;
  double cpu_s_receive = 0;
  double page_faults = 0;  ///< of both programs
};

/// Runs the two programs over the testbed's first link. Carried bytes come from the kernel's
/// counters of the receiving socket, resource use from /proc.
///
/// Errors   A program ends (with its last output), or never listens.
[[nodiscard]] Result<ExternalFigures> measure_external(const Testbed& testbed,
                                                       const ExternalPeer& peer, Size size,
                                                       std::chrono::milliseconds warm_up,
                                                       std::chrono::milliseconds duration,
                                                       const Meanwhile& meanwhile);

/// The sum of all "bytes_received:N" in the output of `ss -i`.
[[nodiscard]] std::uint64_t received_bytes_of(const std::string& socket_statistics);
/// Whether a /proc/net/tcp table has a listener on this port.
[[nodiscard]] bool has_listener(const std::string& table, std::uint16_t port);
/// The resources used by a process, from its /proc/PID/stat line.
struct ProcessUse {
  std::uint64_t cpu_ticks = 0;    ///< user and kernel
  std::uint64_t page_faults = 0;  ///< minor and major
};
[[nodiscard]] ProcessUse process_use_of(const std::string& stat);

}  // namespace submix::throughput
