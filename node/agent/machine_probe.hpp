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

/// What the kernel says of the machine that a node runs on.
///
/// Threads  Compatible.
/// Cost     read(): three files of /proc, about 0.1 ms; each tenth time the list of cards, too.
/// Errors   What the kernel does not say stays 0 or empty.
class MachineProbe {
 public:
  /// `streams` tell which cards matter most, should there be more than telemetry takes.
  [[nodiscard]] telemetry::MachineReading read(
      std::span<const telemetry::StreamReading> streams = {});

 private:
  std::vector<std::chrono::nanoseconds> cores_busy_;
  unsigned reads_ = 0;
  std::set<std::string, std::less<>>
      cards_;  // those that have an address: only they can carry streams
};

/// Time in which each core did not idle, from the text of /proc/stat. Waiting for a disk is idling; what a
/// hypervisor took away is not, for nobody here could have had it. `before` is what was known: a core that is
/// not in the text is switched off, and stands still; none goes back.
[[nodiscard]] std::vector<std::chrono::nanoseconds> parse_cores_busy(
    std::string_view stat, long ticks_per_second,
    std::vector<std::chrono::nanoseconds> before = {});
/// A field of /proc/meminfo, such as "MemTotal"; 0: it is not there.
[[nodiscard]] std::uint64_t parse_memory_bytes(std::string_view meminfo, std::string_view field);
/// What programs may still take of this machine's memory; 0: the kernel does not say.
[[nodiscard]] std::uint64_t memory_available_bytes();
/// All cards in the text of /proc/net/dev.
[[nodiscard]] std::vector<telemetry::CardReading> parse_cards(std::string_view net_dev);

}  // namespace submix::agent
