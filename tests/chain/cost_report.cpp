// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/cost_report.hpp"

#include "tests/chain/core_distance.hpp"
#include "tests/throughput/statistics.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace submix::chain {
namespace {

/// Two entries to compare, by their indices in report_costs().
struct Comparison {
  const char* key;
  const char* name;
  std::size_t entry;
  std::size_t base;
};

// The first is the machine's own share: the slowdown of a core while other cores compute too.
constexpr std::array<Comparison, 4> kComparisons{
    Comparison{"loops_over_loop", "a loop on each core over one loop", 1, 0},
    Comparison{"engine_over_loops", "engine over a loop on each core", 2, 1},
    Comparison{"engine_over_loop", "engine over one loop", 2, 0},
    Comparison{"own_process_over_in_process", "own process over in process", 3, 2}};

/// The rounds in which the cores shared a cache, or the other rounds.
std::vector<double> with_cores(bool are_far, const std::vector<double>& values,
                               const std::vector<double>& distances) {
  std::vector<double> chosen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if ((distances[i] > kFarCores) == are_far) chosen.push_back(values[i]);
  }
  return chosen;
}

// Ratios without any round are absent.
nlohmann::json ratios_json(const std::vector<double>& values,
                           const std::vector<double>& distances) {
  nlohmann::json json{{"median", throughput::median(values)}, {"rounds", values}};
  for (const bool are_far : {false, true}) {
    const auto chosen = with_cores(are_far, values, distances);
    const auto* name = are_far ? "of_far_cores" : "of_near_cores";
    if (!chosen.empty())
      json[name] = {{"median", throughput::median(chosen)}, {"rounds", chosen.size()}};
  }
  return json;
}

void print_as_json(const std::vector<ContestEntry>& entries, const std::vector<double>& distances,
                   const Options& options) {
  nlohmann::json json{
      {"filters", options.filters}, {"size", {options.size.width, options.size.height}},
      {"rounds", options.rounds},   {"seconds", options.seconds},
      {"fps", options.fps},         {"core_distance", distances}};
  for (const auto& [key, name, entry, base] : kComparisons)
    json["ratios"][key] =
        ratios_json(ratios(entries[entry], entries[base], &Figures::cpu_ms), distances);
  for (const auto& entry : entries) {
    json["ways"][entry.name] = {{"cpu_ms_per_frame", median_of(entry, &Figures::cpu_ms)},
                                {"fps", median_of(entry, &Figures::fps)},
                                {"page_faults_per_frame", median_of(entry, &Figures::page_faults)}};
  }
  fmt::print("{}\n", json.dump());
}

void print_ratio(const std::string& name, const std::vector<double>& values,
                 const std::vector<double>& distances) {
  fmt::print("{} {:.3f} (median of {} rounds", name, throughput::median(values), values.size());
  const auto near = with_cores(false, values, distances);
  const auto far = with_cores(true, values, distances);
  if (!near.empty())
    fmt::print("; {:.3f} in {} with a cache in common", throughput::median(near), near.size());
  if (!far.empty()) fmt::print("; {:.3f} in {} without", throughput::median(far), far.size());
  fmt::print(")\n");
}

}  // namespace

void report_costs(const std::vector<ContestEntry>& entries, const std::vector<double>& distances,
                  const Options& options) {
  if (options.is_json) return print_as_json(entries, distances, options);
  for (const auto& entry : entries) {
    fmt::print("{:<12} {:7.3f} ms CPU/frame {:7.1f} fps {:6.2f} faults/frame\n", entry.name,
               median_of(entry, &Figures::cpu_ms), median_of(entry, &Figures::fps),
               median_of(entry, &Figures::page_faults));
  }
  fmt::print(
      "a picture of another core's took {:.2f} times as long to read as one of the same core's\n",
      throughput::median(distances));
  for (const auto& [key, name, entry, base] : kComparisons)
    print_ratio(name, ratios(entries[entry], entries[base], &Figures::cpu_ms), distances);
}

void report_trace_cost(const ContestEntry& traced, const ContestEntry& untraced,
                       const Options& options) {
  auto values = ratios(traced, untraced, &Figures::cpu_ms);
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values.at(static_cast<std::size_t>(share * static_cast<double>(values.size() - 1)));
  };
  const nlohmann::json json{{"pairs", values.size()},
                            {"seconds", options.seconds},
                            {"size", {options.size.width, options.size.height}},
                            {"traced_cpu_ms_per_frame", median_of(traced, &Figures::cpu_ms)},
                            {"untraced_cpu_ms_per_frame", median_of(untraced, &Figures::cpu_ms)},
                            {"traced_over_untraced", at(0.5)},
                            {"quartiles", {at(0.25), at(0.75)}}};
  fmt::print("{}\n", json.dump());
}

}  // namespace submix::chain
