// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/machine_probe.hpp"

#include "common/link/cards/interfaces.hpp"
#include "node/agent/cards_in_use.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

namespace submix::agent {
namespace {

constexpr std::string_view kAvailable = "MemAvailable";

constexpr unsigned kReadsForCards = 10;  // cards come and go by hand
constexpr std::size_t kCoresMax = 1024;

std::string text_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// The next word; empty: the text has ended.
std::string_view take_word(std::string_view& line) {
  const auto begin = line.find_first_not_of(' ');
  line.remove_prefix(begin == std::string_view::npos ? line.size() : begin);
  const auto word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

std::uint64_t take_number(std::string_view& line) {
  const auto word = take_word(line);
  std::uint64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

/// 12 for "cpu12"; empty: the line does not describe a core.
std::optional<std::size_t> core_number(std::string_view word) {
  constexpr std::string_view kHead = "cpu";
  if (!word.starts_with(kHead)) return std::nullopt;
  word.remove_prefix(kHead.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

}  // namespace

std::vector<std::chrono::nanoseconds> parse_cores_busy(
    std::string_view stat, long ticks_per_second, std::vector<std::chrono::nanoseconds> before) {
  auto cores = std::move(before);
  if (ticks_per_second <= 0) return cores;
  while (!stat.empty()) {
    auto line = take_line(stat);
    const auto core = core_number(take_word(line));
    if (!core || *core >= kCoresMax) continue;
    // user, nice, system, idle, iowait, irq, softirq, steal; guests are in user and nice already.
    constexpr std::array kIsBusy{true, true, true, false, false, true, true, true};
    std::uint64_t ticks = 0;
    for (const bool is_busy : kIsBusy) {
      const auto part = take_number(line);
      if (is_busy) ticks += part;
    }
    if (cores.size() <= *core) cores.resize(*core + 1);  // skipped cores are switched off
    const double seconds = static_cast<double>(ticks) / static_cast<double>(ticks_per_second);
    const auto busy = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(seconds));
    cores[*core] = std::max(cores[*core], busy);
  }
  return cores;
}

std::uint64_t parse_memory_bytes(std::string_view meminfo, std::string_view field) {
  while (!meminfo.empty()) {
    auto line = take_line(meminfo);
    if (!line.starts_with(field) || line.substr(field.size(), 1) != ":") continue;
    line.remove_prefix(field.size() + 1);
    return take_number(line) * 1024;  // the file's "kB" means KiB
  }
  return 0;
}

std::vector<telemetry::CardReading> parse_cards(std::string_view net_dev) {
  constexpr int kReceiveColumns = 8;
  std::vector<telemetry::CardReading> cards;
  while (!net_dev.empty()) {
    auto line = take_line(net_dev);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;  // the two lines of headings
    auto head = line.substr(0, colon);
    line.remove_prefix(colon + 1);
    telemetry::CardReading card{.name = std::string(take_word(head))};
    card.bytes_received = take_number(line);
    for (int i = 1; i < kReceiveColumns; ++i)
      take_word(line);
    card.bytes_sent = take_number(line);
    cards.push_back(std::move(card));
  }
  return cards;
}

telemetry::MachineReading MachineProbe::read(std::span<const telemetry::StreamReading> streams) {
  if (reads_++ % kReadsForCards == 0) {
    auto interfaces = link::list_interfaces();
    keep_most_used(interfaces, addresses_in_use(streams));
    cards_.clear();
    for (const auto& each : interfaces)
      cards_.insert(each.name);
  }
  telemetry::MachineReading reading;
  cores_busy_ =
      parse_cores_busy(text_of("/proc/stat"), ::sysconf(_SC_CLK_TCK), std::move(cores_busy_));
  reading.cores_busy = cores_busy_;
  const auto memory = text_of("/proc/meminfo");
  reading.memory_bytes = parse_memory_bytes(memory, "MemTotal");
  reading.memory_available_bytes = parse_memory_bytes(memory, kAvailable);
  // The thread's own file: sysfs and the process's file may show another network namespace.
  reading.cards = parse_cards(text_of("/proc/thread-self/net/dev"));
  std::erase_if(reading.cards, [this](const auto& card) { return !cards_.contains(card.name); });
  return reading;
}

std::uint64_t memory_available_bytes() {
  return parse_memory_bytes(text_of("/proc/meminfo"), kAvailable);
}

}  // namespace submix::agent
