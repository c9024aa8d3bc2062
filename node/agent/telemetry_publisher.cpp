// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/telemetry_publisher.hpp"

#include "node/agent/process_reading.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::agent {
namespace {

constexpr std::chrono::milliseconds kPeriod(100);

}  // namespace

void TelemetryPublisher::run(const std::stop_token& stop) {
  auto next = parts_.clock.now();
  for (std::uint64_t sequence = 0; !stop.stop_requested(); ++sequence) {
    auto now = reading(sequence);
    parts_.cluster.publish(now);
    newest_.store(std::move(now));
    parts_.loops.note(LoopWatch::Loop::telemetry);
    next = std::max(next + kPeriod, parts_.clock.now());
    std::this_thread::sleep_until(next);
  }
}

telemetry::NodeReading TelemetryPublisher::reading(std::uint64_t sequence) {
  telemetry::NodeReading reading;
  reading.node = parts_.options.name;
  reading.instance = parts_.instance;
  reading.sequence = sequence;
  reading.uptime = parts_.clock.now() - parts_.started;
  reading.is_paused = parts_.transport.state().is_paused;
  read_process(reading);
  if (parts_.hosts) reading.cpu += (*parts_.hosts)->cpu_time();

  reading.submixes = parts_.submixes->readings();
  reading.streams = parts_.streams->readings();
  reading.machine = machine_probe_.read(reading.streams);

  std::vector<std::string> lowered_hosts;
  if (parts_.hosts) lowered_hosts = (*parts_.hosts)->tend_rights(std::chrono::steady_clock::now());
  reading.realtime = realtime_.read(lowered_hosts);
  reading.sound = parts_.followed_sound.reading();
  return reading;
}

}  // namespace submix::agent
