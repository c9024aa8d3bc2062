// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/run_json.hpp"

#include "tests/throughput/machine_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace submix::throughput {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const RunOptions& options) {
  auto shape = ordered_json::array();
  for (const auto rate : options.shape)
    shape.push_back(to_text(rate));
  auto delays = ordered_json::array();
  for (const auto delay : options.delays)
    delays.push_back(std::chrono::duration<double, std::milli>(delay).count());
  return {
      {"size", fmt::format("{}x{}", options.size.width, options.size.height)},
      {"fps", options.rate ? ordered_json(options.rate->frames_per_second()) : ordered_json("max")},
      {"pixel", to_text(options.pixel)},
      {"wire", to_text(options.wire)},
      {"links", options.links},
      {"shape", shape},
      {"delay_ms", delays},
      {"streams", options.streams},
      {"credits", options.credits},
      {"over", options.has_namespaces ? "namespaces" : "loopback"},
      {"congestion", options.congestion},
      {"checksum", options.checksum == Checksum::none ? "off" : "xxh3"},
      {"encrypt", options.is_encrypted},
      {"realtime", options.is_realtime},
      {"is_rate_varied", options.variation.has_value()}};
}

ordered_json to_json(const RunFigures& figures, bool counts_allocations) {
  ordered_json object{{"goodput_mb_s", figures.goodput_mb_s},
                      {"frames_per_second", figures.frames_per_second},
                      {"line_share", figures.line_share},
                      {"links_alone_mb_s", figures.links_alone_mb_s},
                      {"link_parts", figures.link_parts},
                      {"wire_ms", figures.wire_ms},
                      {"cpu_s_per_gb_send", figures.cpu_s_per_gb_send},
                      {"cpu_s_per_gb_receive", figures.cpu_s_per_gb_receive},
                      {"cpu_s_per_gb_machine", figures.cpu_s_per_gb_machine},
                      {"latency_ms_p50", figures.latency_ms.p50},
                      {"latency_ms_p90", figures.latency_ms.p90},
                      {"latency_ms_p99", figures.latency_ms.p99},
                      {"latency_ms_max", figures.latency_ms.max},
                      {"transit_ms_p50", figures.transit_ms.p50},
                      {"transit_ms_p99", figures.transit_ms.p99},
                      {"latency_over_wire_p50", figures.latency_over_wire.p50},
                      {"latency_over_wire_p99", figures.latency_over_wire.p99},
                      {"frames_measured", figures.latency_ms.count},
                      {"faults_per_frame", figures.faults_per_frame},
                      {"faults_per_frame_send", figures.faults_per_frame_send},
                      {"frames_lost", figures.faults.lost},
                      {"frames_duplicated", figures.faults.duplicated},
                      {"frames_reordered", figures.faults.reordered},
                      {"frames_torn", figures.faults.torn}};
  if (!counts_allocations) return object;
  object["allocations_per_frame"] = figures.allocations_per_frame;
  object["allocations_per_frame_send"] = figures.allocations_per_frame_send;
  return object;
}

}  // namespace

std::string to_json(const RunOptions& options, const RunResult& result) {
  ordered_json object{
      {"command", "run"}, {"machine", machine_json()}, {"options", to_json(options)}};
  object.update(to_json(result.median, result.counts_allocations));
  object["complaints"] = result.complaints;
  object["shaper_burst_ms"] = result.burst_ms;
  auto rounds = ordered_json::array();
  for (const auto& round : result.rounds)
    rounds.push_back(to_json(round, result.counts_allocations));
  object["rounds"] = std::move(rounds);
  return object.dump(2);
}

}  // namespace submix::throughput
