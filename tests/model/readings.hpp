// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

/// A small show and its nodes' readings, for each test to change.
namespace submix::model::sample {

using namespace std::chrono_literals;

inline show::Slot slot(std::string name, std::string plugin, show::Parameters parameters = {}) {
  return {.name = std::move(name),
          .plugin = std::move(plugin),
          .parameters = std::move(parameters),
          .inputs = {}};
}

inline const show::Port kClip{"left", "clip"};
inline const show::Port kGlow{"left", "glow"};

/// left: clip, glow, out -> stream "left" -> mix: left, screen. left runs on rack1, mix on rack2.
inline show::Show show() {
  show::Show show;
  show.name = "duo";
  show.nodes = {{"rack1", ""}, {"rack2", ""}};
  show.submixes.push_back({"left",
                           "rack1",
                           {slot("clip", "clip"), slot("glow", "frei0r/glow", {{"Blur", 0.5}}),
                            slot("out", "stream-out")}});
  show.submixes.push_back({"mix", "rack2", {slot("left", "stream-in"), slot("screen", "window")}});
  show::Stream stream;
  stream.name = "left";
  stream.from = {"left", "out"};
  stream.to = {"mix", "left"};
  show.streams.push_back(stream);
  return show;
}

/// The sender's telemetry after `seconds` of 30 fps at 71 MB/s over two links.
inline telemetry::NodeReading sender(std::uint64_t seconds_times_ten, std::string instance = "a") {
  const std::uint64_t tenths = seconds_times_ten;
  telemetry::NodeReading reading;
  reading.node = "rack1";
  reading.instance = std::move(instance);
  reading.sequence = tenths;
  reading.uptime = 100ms * static_cast<std::int64_t>(tenths);
  reading.cpu = 50ms * static_cast<std::int64_t>(tenths);
  reading.page_faults = 3 * tenths;
  reading.allocations = 2 * tenths;
  const auto part = [&](std::chrono::milliseconds ms) {
    return ms * static_cast<std::int64_t>(tenths);
  };
  telemetry::StageReading clip{.slot = "clip",
                               .plugin = "clip",
                               .frames = tenths * 3,
                               .working = part(25ms),
                               .starved = part(0ms),
                               .blocked = part(75ms),
                               .queues = {},
                               .counters = {}};
  telemetry::StageReading out{.slot = "out",
                              .plugin = "stream-out",
                              .frames = tenths * 3,
                              .working = part(50ms),
                              .starved = part(50ms),
                              .blocked = part(0ms),
                              .queues = {{"clip", 2, 3}},
                              .counters = {}};
  telemetry::SubmixReading left;
  left.name = "left";
  left.frames = tenths * 3;
  left.stages = {clip, out};
  reading.submixes.push_back(left);
  telemetry::StreamReading stream;
  stream.stream = "left";
  stream.peer = "rack2";
  stream.is_sender = true;
  stream.epoch = 1;
  stream.frames = tenths * 3;
  stream.blocked = part(20ms);
  for (std::uint32_t i = 0; i < 2; ++i) {
    telemetry::LinkReading link;
    link.index = i;
    link.state = telemetry::LinkState::open;
    link.bytes = tenths * 3'500'000;
    link.queue_bytes = 64'000;
    link.queue_limit_bytes = 128'000;
    link.sending = part(30ms);
    link.idle = part(70ms);
    link.round_trip = 300us;
    link.segments_retransmitted = tenths;
    link.bytes_retransmitted = tenths * 1448;
    stream.links.push_back(link);
  }
  reading.streams.push_back(stream);
  reading.machine.cores_busy = {part(25ms), part(100ms)};
  reading.machine.memory_bytes = 16'000'000'000;
  reading.machine.memory_available_bytes = 4'000'000'000;
  reading.machine.cards = {{"enp1s0", tenths * 100'000, tenths * 7'000'000}};
  return reading;
}

inline cluster::NodeReport report(std::string node, std::string instance = "a") {
  cluster::NodeReport report;
  report.node = std::move(node);
  report.host = "host";
  report.version = "0.1.0";
  report.instance = std::move(instance);
  report.cores = 4;
  report.interfaces = {{"lo", "127.0.0.1", 8, 65536, 0, true, 0},
                       {"enp1s0", "198.18.0.1", 24, 1500, 1000, true, 2500},
                       {"enp1s0", "fd00::1", 64, 1500, 1000, true, 2500}};
  return report;
}

}  // namespace submix::model::sample
