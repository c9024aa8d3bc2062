// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/allocation_count.hpp"
#include "controller/cli/table.hpp"
#include "tests/throughput/link_command.hpp"
#include "tests/throughput/machine_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace submix::throughput {
namespace {

using nlohmann::ordered_json;

std::string known(int value) {
  return value > 0 ? std::to_string(value) : "";
}

void add_rate(ordered_json& object, const LinkRate& rate) {
  object["goodput_mb_s"] = rate.goodput_mb_s;
  object["cpu_s_per_gb_send"] = rate.cpu_s_per_gb_send;
  object["cpu_s_per_gb_receive"] = rate.cpu_s_per_gb_receive;
  if (rate.latency_ms_p50) object["latency_ms_p50"] = *rate.latency_ms_p50;
  if (rate.latency_ms_p99) object["latency_ms_p99"] = *rate.latency_ms_p99;
  if (can_count_allocations()) object["allocations_per_frame"] = rate.allocations_per_frame;
  object["faults_per_frame"] = rate.faults_per_frame;
}

void add_faults(ordered_json& object, const FrameFaults& faults) {
  object["frames_lost"] = faults.lost;
  object["frames_duplicated"] = faults.duplicated;
  object["frames_reordered"] = faults.reordered;
  object["frames_torn"] = faults.torn;
}

ordered_json pair_json(const PairResult& pair) {
  ordered_json object{{"from", pair.from}, {"to", pair.to}};
  if (pair.mtu_bytes > 0) object["mtu_bytes"] = pair.mtu_bytes;
  if (pair.speed_mbit > 0) object["speed_mbit"] = pair.speed_mbit;
  if (!pair.problem.empty()) {
    object["problem"] = pair.problem;
    return object;
  }
  add_rate(object, pair.alone);
  add_faults(object, pair.faults);
  return object;
}

std::string latency_text(const LinkRate& rate) {
  if (!rate.latency_ms_p50 || !rate.latency_ms_p99) return "";
  return fmt::format(
      "At full speed, a frame takes {:.2f} ms from its offer to its release (p99 {:.2f}).\n",
      *rate.latency_ms_p50, *rate.latency_ms_p99);
}

}  // namespace

std::string to_text(const LinkOptions& options, const LinkResult& result) {
  cli::Table table({"from here", "to " + result.host, ">card Mbit/s", ">MTU", ">MB/s", ">Mbit/s",
                    ">CPU s/GB send", ">receive", "problem"});
  const auto add = [&table](const std::string& from, const std::string& to, const PairResult& pair,
                            const LinkRate& rate) {
    table.add({from, to, known(pair.speed_mbit), known(pair.mtu_bytes),
               fmt::format("{:.1f}", rate.goodput_mb_s),
               fmt::format("{:.0f}", rate.goodput_mb_s * 8),
               fmt::format("{:.3f}", rate.cpu_s_per_gb_send),
               fmt::format("{:.3f}", rate.cpu_s_per_gb_receive), pair.problem});
  };
  for (const auto& pair : result.pairs)
    add(pair.from, pair.to, pair, pair.alone);
  add("together", fmt::format("{:.1f} %", result.line_share * 100), {}, result.together);
  const auto& faults = result.faults;
  return fmt::format(
      "{}{}\n{}{}Each pair alone by plain TCP, all together by one stream; medians of {} rounds. "
      "{} "
      "frames lost, {} duplicated, {} reordered, {} torn.\n",
      table.text(), result.verdict, latency_text(result.together),
      result.complaints.empty() ? "" : fmt::format("The stream says: {}\n", result.complaints),
      options.rounds, faults.lost, faults.duplicated, faults.reordered, faults.torn);
}

std::string to_json(const LinkOptions& options, const LinkResult& result) {
  auto pairs = ordered_json::array();
  for (const auto& pair : result.pairs)
    pairs.push_back(pair_json(pair));
  ordered_json object{
      {"command", "link"},
      {"machine", machine_json()},
      {"options", {{"host", options.host}, {"size", options.size}, {"rounds", options.rounds}}},
      {"to", result.host},
      {"pairs", pairs}};
  add_rate(object, result.together);
  object["line_share"] = result.line_share;
  add_faults(object, result.faults);
  object["verdict"] = result.verdict;
  object["complaints"] = result.complaints;
  return object.dump(2);
}

}  // namespace submix::throughput
