// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace submix::agent {

/// Reads the machine's load and cards from the kernel.
///
/// Threads  Compatible.
/// Cost     read(): three files of /proc, about 0.1 ms; each tenth call lists the cards, too.
/// Errors   A value that the kernel does not give stays 0 or empty.
class MachineProbe {
 public:
  /// `streams` decides which cards are kept if telemetry cannot carry all.
  [[nodiscard]] telemetry::MachineReading read(
      std::span<const telemetry::StreamReading> streams = {});

 private:
  std::vector<std::chrono::nanoseconds> cores_busy_;
  unsigned reads_ = 0;
  // Cards with an address: only these can carry streams.
  std::set<std::string, std::less<>> cards_;
};

/// The busy time of each core, from the text of /proc/stat. Waiting for a disk counts as idle. Time
/// taken by a hypervisor counts as busy: no program here could have used it. `before` holds the
/// last known values: a core missing in the text is switched off and keeps its value. No value
/// decreases.
[[nodiscard]] std::vector<std::chrono::nanoseconds> parse_cores_busy(
    std::string_view stat, long ticks_per_second,
    std::vector<std::chrono::nanoseconds> before = {});
/// A field of /proc/meminfo, such as "MemTotal", in bytes; 0: missing.
[[nodiscard]] std::uint64_t parse_memory_bytes(std::string_view meminfo, std::string_view field);
/// The memory that programs may still allocate on this machine; 0: unknown.
[[nodiscard]] std::uint64_t memory_available_bytes();
/// All cards in the text of /proc/net/dev.
[[nodiscard]] std::vector<telemetry::CardReading> parse_cards(std::string_view net_dev);

}  // namespace submix::agent
