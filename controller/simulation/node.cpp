// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/node.hpp"

#include "common/base/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace submix::simulation {
namespace {

using std::chrono::nanoseconds;

constexpr std::uint64_t kMemoryBytes = 32'000'000'000;
constexpr std::uint64_t kOthersBytes = 3'000'000'000;  // memory of other programs
constexpr std::uint64_t kNodeBytes = 180'000'000;
constexpr std::uint64_t kSubmixBytes = 90'000'000;
constexpr std::uint64_t kFaultsAtStart = 61'000;
constexpr int kMtuBytes = 9000;

}  // namespace

Node::Node(std::string name, int number, int card_mbit) : name_(std::move(name)), number_(number) {
  report_.node = name_;
  report_.host = fmt::format("simulated-{}", number + 1);  // each node has its own machine
  report_.version = version();
  report_.cores = kCoresOfNode;
  report_.interfaces.push_back({"lo", "127.0.0.1", 8, 65536, 0, true, 0});
  machine_.cards.push_back({"lo", 0, 0});
  for (int card = 0; card < kCards; ++card) {
    const auto card_name = fmt::format("enp{}s0", card + 1);
    report_.interfaces.push_back({card_name, addresses()[static_cast<std::size_t>(card)], 24,
                                  kMtuBytes, card_mbit, true, card_mbit});
    machine_.cards.push_back({card_name, 0, 0});
  }
  for (const auto& address : addresses())
    report_.endpoints.push_back({address, 24, 7400, kMtuBytes, true, card_mbit, card_mbit});
  machine_.cores_busy.resize(kCoresOfNode);
  machine_.memory_bytes = kMemoryBytes;
  begin_life();
}

// Addresses reserved for benchmarks, which no real card should have (RFC 2544).
std::vector<std::string> Node::addresses() const {
  std::vector<std::string> addresses;
  for (int card = 0; card < kCards; ++card)
    addresses.push_back(fmt::format("198.18.{}.{}", card, number_ + 1));
  return addresses;
}

void Node::begin_life() {
  ++lives_;
  report_.instance = fmt::format("simulated-{}-{}", number_ + 1, lives_);
  sequence_ = 0;
  uptime_ = cpu_ = nanoseconds(0);
}

void Node::restart() {
  is_alive_ = true;
  begin_life();
}

// Work fills one core after another, so that a machine with little work has idle cores, as real
// machines do.
void Node::live(nanoseconds time, nanoseconds cpu) {
  uptime_ += time;
  cpu_ += cpu;
  constexpr int kFullShare = 7;  // of ten: above this the next core is used, too
  for (auto& busy : machine_.cores_busy) {
    const auto part = std::min(cpu, time * kFullShare / 10);
    busy += part;
    cpu -= part;
  }
  const auto rest = std::min(cpu / kCoresOfNode, time - time * kFullShare / 10);
  for (auto& busy : machine_.cores_busy)
    busy += rest;
}

void Node::count_bytes(int card, std::uint64_t received, std::uint64_t sent) {
  auto& counted = machine_.cards.at(static_cast<std::size_t>(card % kCards) + 1);
  counted.bytes_received += received;
  counted.bytes_sent += sent;
}

telemetry::NodeReading Node::next_reading(bool is_paused) {
  telemetry::NodeReading reading;
  reading.node = name_;
  reading.instance = report_.instance;
  reading.sequence = sequence_++;
  reading.uptime = uptime_;
  reading.is_paused = is_paused;
  reading.cpu = cpu_;
  reading.memory_bytes = kNodeBytes + kSubmixBytes * report_.submixes.size();
  reading.page_faults = kFaultsAtStart;
  machine_.memory_available_bytes =
      kMemoryBytes - kOthersBytes - std::min(reading.memory_bytes, kMemoryBytes / 2);
  reading.machine = machine_;
  reading.realtime = {!realtime_loss_.empty(), realtime_loss_};
  return reading;
}

}  // namespace submix::simulation
