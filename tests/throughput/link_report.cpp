// SPDX-License-Identifier: GPL-3.0-or-later
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

ordered_json rate_json(const LinkRate& rate) {
  return {{"goodput_mb_s", rate.goodput_mb_s},
          {"cpu_s_per_gb_send", rate.cpu_s_per_gb_send},
          {"cpu_s_per_gb_receive", rate.cpu_s_per_gb_receive}};
}

ordered_json pair_json(const PairResult& pair) {
  ordered_json object{{"from", pair.from},
                      {"to", pair.to},
                      {"mtu_bytes", pair.mtu_bytes > 0 ? ordered_json(pair.mtu_bytes) : ordered_json()},
                      {"speed_mbit", pair.speed_mbit > 0 ? ordered_json(pair.speed_mbit) : ordered_json()}};
  if (pair.problem.empty()) {
    object.update(rate_json(pair.alone));
  } else {
    object["problem"] = pair.problem;
  }
  return object;
}

}  // namespace

std::string to_text(const LinkOptions& options, const LinkResult& result) {
  cli::Table table({"from here", "to " + result.host, ">card Mbit/s", ">MTU", ">MB/s", ">Mbit/s",
                    ">CPU s/GB send", ">receive", "problem"});
  const auto add = [&table](const std::string& from, const std::string& to, const PairResult& pair,
                            const LinkRate& rate) {
    table.add({from, to, known(pair.speed_mbit), known(pair.mtu_bytes),
               fmt::format("{:.1f}", rate.goodput_mb_s), fmt::format("{:.0f}", rate.goodput_mb_s * 8),
               fmt::format("{:.3f}", rate.cpu_s_per_gb_send),
               fmt::format("{:.3f}", rate.cpu_s_per_gb_receive), pair.problem});
  };
  for (const auto& pair : result.pairs)
    add(pair.from, pair.to, pair, pair.alone);
  add("together", fmt::format("{:.1f} %", result.line_share * 100), {}, result.together);
  const auto& faults = result.faults;
  return fmt::format(
      "{}{}\nEach pair alone by plain TCP, together by one stream; medians of {} rounds. {} frames lost, {} "
      "duplicated, {} reordered, {} torn.\n",
      table.text(), result.verdict, options.rounds, faults.lost, faults.duplicated, faults.reordered,
      faults.torn);
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
  object.update(rate_json(result.together));
  object["line_share"] = result.line_share;
  object["frames_lost"] = result.faults.lost;
  object["frames_duplicated"] = result.faults.duplicated;
  object["frames_reordered"] = result.faults.reordered;
  object["frames_torn"] = result.faults.torn;
  object["verdict"] = result.verdict;
  return object.dump(2);
}

}  // namespace submix::throughput
