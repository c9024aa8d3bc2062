// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/allocation_count.hpp"
#include "common/media/frame.hpp"
#include "controller/cli/table.hpp"
#include "tests/throughput/load_command.hpp"
#include "tests/throughput/machine_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace submix::throughput {
namespace {

using nlohmann::ordered_json;

std::string over(const LoadOptions& options) {
  return options.shape.empty() ? "loopback" : to_text(options.shape);
}

ordered_json row_json(const LoadRow& row, double frame_mb) {
  const auto& pace = row.pace;
  ordered_json object{{"fps", row.rate.frames_per_second()},
                      {"load", row.kind},
                      {"cores_loaded", row.cores},
                      {"frames_per_second", pace.frames_per_second},
                      {"goodput_mb_s", pace.frames_per_second * frame_mb},
                      {"frames_measured", pace.frames},
                      {"on_time", pace.on_time},
                      {"jitter_ms_p50", pace.jitter_ms.p50},
                      {"jitter_ms_p99", pace.jitter_ms.p99},
                      {"jitter_ms_max", pace.jitter_ms.max},
                      {"latency_ms_p50", pace.lateness_ms.p50},
                      {"latency_ms_p99", pace.lateness_ms.p99},
                      {"latency_ms_max", pace.lateness_ms.max},
                      {"cpu_s_per_gb_send", row.cost.cpu_s_per_gb_send},
                      {"cpu_s_per_gb_receive", row.cost.cpu_s_per_gb_receive}};
  if (can_count_allocations()) object["allocations_per_frame"] = row.cost.allocations_per_frame;
  object["faults_per_frame"] = row.cost.faults_per_frame;
  object["frames_lost"] = row.faults.lost;
  object["frames_duplicated"] = row.faults.duplicated;
  object["frames_reordered"] = row.faults.reordered;
  object["frames_torn"] = row.faults.torn;
  return object;
}

}  // namespace

std::string to_text(const LoadOptions& options, const std::vector<LoadRow>& rows) {
  cli::Table table({">fps", "load", ">cores", ">achieved", ">on time %", ">jitter p50 ms",
                    ">p99 ms", ">max ms", ">late p50 ms", ">p99 ms", ">wrong frames"});
  for (const auto& row : rows) {
    const auto& pace = row.pace;
    const auto wrong =
        row.faults.lost + row.faults.duplicated + row.faults.reordered + row.faults.torn;
    table.add({fmt::format("{:.4g}", row.rate.frames_per_second()), row.kind,
               fmt::format("{}", row.cores), fmt::format("{:.2f}", pace.frames_per_second),
               fmt::format("{:.2f}", pace.on_time * 100), fmt::format("{:.2f}", pace.jitter_ms.p50),
               fmt::format("{:.2f}", pace.jitter_ms.p99), fmt::format("{:.2f}", pace.jitter_ms.max),
               fmt::format("{:.2f}", pace.lateness_ms.p50),
               fmt::format("{:.2f}", pace.lateness_ms.p99), fmt::format("{}", wrong)});
  }
  return fmt::format(
      "{}Frames of {}x{} over {}, {} real-time rights. On time: released before the next frame was "
      "due.\n"
      "Jitter: difference between two releases' distance and the period. Late: from due to "
      "released.\n",
      table.text(), options.size.width, options.size.height, over(options),
      options.is_realtime ? "with" : "without");
}

std::string to_json(const LoadOptions& options, const std::vector<LoadRow>& rows) {
  const double frame_mb =
      static_cast<double>(options.size.pixels() * media::kBytesPerRgb24Pixel) / 1e6;
  auto list = ordered_json::array();
  for (const auto& row : rows)
    list.push_back(row_json(row, frame_mb));
  const ordered_json object{
      {"command", "load"},
      {"machine", machine_json()},
      {"options",
       {{"size", fmt::format("{}x{}", options.size.width, options.size.height)},
        {"over", over(options)},
        {"realtime", options.is_realtime}}},
      {"rows", list}};
  return object.dump(2);
}

}  // namespace submix::throughput
