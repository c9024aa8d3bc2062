// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/run_figures.hpp"

#include "tests/throughput/statistics.hpp"

#include <utility>

namespace submix::throughput {
namespace {

constexpr double kMilli = 1e3;

std::vector<double> in_milliseconds(std::vector<double> seconds) {
  for (auto& value : seconds)
    value *= kMilli;
  return seconds;
}

void fill_in_parts(RunFigures& figures, const SideReport& sent) {
  double bytes = 0;
  for (const auto& link : sent.links)
    bytes += static_cast<double>(link.bytes);
  for (const auto& link : sent.links)
    figures.link_parts.push_back(bytes > 0 ? static_cast<double>(link.bytes) / bytes : 0);
}

void fill_in_cost(RunFigures& figures, const Outcome& outcome, double frame_bytes) {
  const auto seconds_per_gb = [&](std::chrono::nanoseconds used, const SideReport& side) {
    return std::chrono::duration<double>(used).count() /
           (static_cast<double>(side.frames_measured) * frame_bytes / kGiga);
  };
  const auto per_frame = [](std::uint64_t count, const SideReport& side) {
    return static_cast<double>(count) / static_cast<double>(side.frames_measured);
  };
  const auto& sent = outcome.sent;
  const auto& received = outcome.received;
  figures.cpu_s_per_gb_send = seconds_per_gb(sent.used.cpu, sent);
  figures.cpu_s_per_gb_receive = seconds_per_gb(received.used.cpu, received);
  figures.cpu_s_per_gb_machine = seconds_per_gb(received.used.machine_busy, received);
  figures.allocations_per_frame_send = per_frame(sent.used.allocations, sent);
  figures.faults_per_frame_send = per_frame(sent.used.page_faults, sent);
  figures.allocations_per_frame =
      figures.allocations_per_frame_send + per_frame(received.used.allocations, received);
  figures.faults_per_frame =
      figures.faults_per_frame_send + per_frame(received.used.page_faults, received);
}

}  // namespace

Result<RunFigures> figures_of(const Outcome& outcome, std::size_t frame_bytes) {
  const auto window = read_window(outcome.ledger, frame_bytes);
  if (!window || !outcome.received.is_measured) {
    const auto& faults = outcome.received.faults;
    return fail("{}: {} frames lost, {} duplicated, {} reordered, {} torn",
                window ? "the receiver has measured nothing" : window.error().message, faults.lost,
                faults.duplicated, faults.reordered, faults.torn);
  }
  RunFigures figures;
  figures.goodput_mb_s = window->bytes_per_second / kMega;
  figures.frames_per_second = window->frames_per_second;
  figures.latency_ms = distribution(in_milliseconds(window->latencies_s));
  figures.transit_ms = distribution(in_milliseconds(window->transits_s));
  fill_in_parts(figures, outcome.sent);
  fill_in_cost(figures, outcome, static_cast<double>(frame_bytes));
  figures.faults = outcome.received.faults;
  return figures;
}

void relate_to_line(RunFigures& figures, const Outcome& outcome, std::size_t frame_bytes,
                    const RateTimeline& timeline, double delays_s) {
  const auto window = read_window(outcome.ledger, frame_bytes);
  const auto bytes = static_cast<double>(frame_bytes);
  std::vector<double> over_wire;
  for (std::size_t i = 0; i < window->latencies_s.size(); ++i)
    over_wire.push_back(window->latencies_s[i] /
                        (timeline.wire_seconds(window->offered_s[i], bytes) + delays_s));
  figures.latency_over_wire = distribution(std::move(over_wire));
  figures.line_share = window->bytes_per_second / timeline.first_rate();
  figures.wire_ms = (bytes / timeline.first_rate() + delays_s) * kMilli;
}

}  // namespace submix::throughput
