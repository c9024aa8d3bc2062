// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/run_result.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace submix::throughput {
namespace {

template <typename Pick>
double median_by(const std::vector<RunFigures>& rounds, Pick pick) {
  std::vector<double> values;
  values.reserve(rounds.size());
  for (const auto& round : rounds)
    values.push_back(pick(round));
  return median(std::move(values));
}

Distribution median_by_rank(const std::vector<RunFigures>& rounds,
                            Distribution RunFigures::* member) {
  const auto by = [&](double Distribution::* rank) {
    return median_by(rounds, [&](const RunFigures& round) { return round.*member.*rank; });
  };
  Distribution middle{by(&Distribution::p50), by(&Distribution::p90), by(&Distribution::p99),
                      by(&Distribution::max), 0};
  for (const auto& round : rounds)
    middle.count += (round.*member).count;
  return middle;
}

std::vector<double> median_by_place(const std::vector<RunFigures>& rounds,
                                    std::vector<double> RunFigures::* member) {
  std::vector<double> middles;
  for (std::size_t i = 0; !rounds.empty() && i < (rounds.front().*member).size(); ++i)
    middles.push_back(
        median_by(rounds, [&](const RunFigures& round) { return (round.*member).at(i); }));
  return middles;
}

std::string listed(const std::vector<double>& values, double factor, const char* unit) {
  std::string text;
  for (const double value : values)
    text += fmt::format("{}{:.1f}{}", text.empty() ? "" : " + ", value * factor, unit);
  return text;
}

}  // namespace

RunFigures median_of(const std::vector<RunFigures>& rounds) {
  RunFigures middle;
  for (const auto member :
       {&RunFigures::goodput_mb_s, &RunFigures::frames_per_second, &RunFigures::line_share,
        &RunFigures::wire_ms, &RunFigures::cpu_s_per_gb_send, &RunFigures::cpu_s_per_gb_receive,
        &RunFigures::cpu_s_per_gb_machine, &RunFigures::allocations_per_frame,
        &RunFigures::faults_per_frame, &RunFigures::allocations_per_frame_send,
        &RunFigures::faults_per_frame_send})
    middle.*member = median_by(rounds, [&](const RunFigures& round) { return round.*member; });
  middle.latency_ms = median_by_rank(rounds, &RunFigures::latency_ms);
  middle.transit_ms = median_by_rank(rounds, &RunFigures::transit_ms);
  middle.latency_over_wire = median_by_rank(rounds, &RunFigures::latency_over_wire);
  middle.links_alone_mb_s = median_by_place(rounds, &RunFigures::links_alone_mb_s);
  middle.link_parts = median_by_place(rounds, &RunFigures::link_parts);
  for (const auto& round : rounds)
    middle.faults += round.faults;
  return middle;
}

std::string to_text(const RunResult& result) {
  const auto& m = result.median;
  const auto& faults = m.faults;
  std::string text;
  const auto line = [&text](const char* name, const std::string& value) {
    text += fmt::format("{:<18}{}\n", name, value);
  };
  line("goodput", fmt::format("{:.1f} MB/s, {:.1f} frames/s", m.goodput_mb_s, m.frames_per_second));
  line("line share", fmt::format("{:.4f} of {} MB/s, what {} by plain TCP", m.line_share,
                                 listed(m.links_alone_mb_s, 1, ""),
                                 result.is_shaped ? "the links carry alone"
                                                  : "one link carries alone, the best of these,"));
  line("carried by", listed(m.link_parts, 100, " %"));
  line("latency",
       fmt::format("p50 {:.2f} ms, p90 {:.2f} ms, p99 {:.2f} ms, max {:.2f} ms ({} frames)",
                   m.latency_ms.p50, m.latency_ms.p90, m.latency_ms.p99, m.latency_ms.max,
                   m.latency_ms.count));
  line("transit", fmt::format("p50 {:.2f} ms, p99 {:.2f} ms (latency without the wait for credit)",
                              m.transit_ms.p50, m.transit_ms.p99));
  line("over wire time", fmt::format("p50 {:.3f}, p99 {:.3f} (a frame takes {:.2f} ms on the wire)",
                                     m.latency_over_wire.p50, m.latency_over_wire.p99, m.wire_ms));
  if (result.burst_ms > 0) {
    line("", fmt::format("(after a pause, the links' limiters pass {:.2f} ms of this at once)",
                         result.burst_ms));
  }
  line("CPU s/GB",
       fmt::format("send {:.3f}, receive {:.3f}, whole machine {:.3f}", m.cpu_s_per_gb_send,
                   m.cpu_s_per_gb_receive, m.cpu_s_per_gb_machine));
  line("for each frame",
       fmt::format(
           "{} allocations, {:.3f} page faults, both sides",
           result.counts_allocations ? fmt::format("{:.3f}", m.allocations_per_frame) : "uncounted",
           m.faults_per_frame));
  line("frames", fmt::format("{} lost, {} duplicated, {} reordered, {} torn", faults.lost,
                             faults.duplicated, faults.reordered, faults.torn));
  if (!result.complaints.empty()) line("the stream says", result.complaints);
  if (result.rounds.size() > 1)
    text += fmt::format(
        "Medians of {} rounds. The kernel charges interrupt work to the interrupted program; only "
        "the whole machine's figure includes all of it.\n",
        result.rounds.size());
  return text;
}

}  // namespace submix::throughput
