// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/load_command.hpp"

#include "common/base/child_process.hpp"
#include "tests/throughput/measurement.hpp"
#include "tests/throughput/progress.hpp"
#include "tests/throughput/random_key.hpp"
#include "tests/throughput/run_figures.hpp"
#include "tests/throughput/testbed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <utility>

namespace submix::throughput {
namespace {

constexpr double kNanosecondsPerMillisecond = 1e6;

double to_ms(std::int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / kNanosecondsPerMillisecond;
}

/// Loads a number of cores while it lives.
class Loaders {
 public:
  static Result<Loaders> start(const std::string& kind, std::size_t count) {
    Loaders loaders;
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    for (std::size_t i = 0; i < count; ++i) {
      auto started = ChildProcess::start({program.string(), "loader", kind}, {});
      SUBMIX_TRY(started);
      loaders.processes_.push_back(std::move(*started));
    }
    return loaders;
  }

 private:
  std::vector<ChildProcess> processes_;
};

/// Measures the rows in turn. Confined (main).
class LoadRun {
 public:
  LoadRun(Context& context, const LoadOptions& options, const Testbed& testbed)
      : context_(context), options_(options), testbed_(testbed), key_(random_key()) {}

  Result<std::vector<LoadRow>> all_rows() {
    auto rows = plan();
    Progress progress(rows.size());
    for (auto& row : rows) {
      progress.begin_step(fmt::format("{:.4g} fps, {} cores loaded ({})",
                                      row.rate.frames_per_second(), row.cores, row.kind));
      SUBMIX_TRY(fill_in(row, progress));
    }
    return rows;
  }

 private:
  [[nodiscard]] std::vector<LoadRow> plan() const {
    const auto cores = options_.cores.empty() ? steps_of_load(std::thread::hardware_concurrency())
                                              : options_.cores;
    std::vector<LoadRow> rows;
    for (const auto rate : options_.rates) {
      if (std::find(cores.begin(), cores.end(), 0U) != cores.end())
        rows.push_back({rate, "none", 0, {}, {}});
      for (const auto& kind : options_.kinds) {
        for (const auto count : cores) {
          if (count > 0) rows.push_back({rate, kind, count, {}, {}});
        }
      }
    }
    return rows;
  }

  Result<void> fill_in(LoadRow& row, Progress& progress) {
    const auto loaders = Loaders::start(row.kind, row.cores);
    SUBMIX_TRY(loaders);
    Job job;
    job.size = options_.size;
    job.rate = row.rate;
    job.credits = options_.credits;
    job.warm_up = options_.warm_up;
    job.duration = options_.duration;
    job.has_key = !testbed_.is_loopback();
    job.key = key_;
    job.is_realtime = options_.is_realtime;
    const auto outcome = measure(testbed_, job, all_links(testbed_), [&] {
      progress.tick();
      return context_.go_on();
    });
    SUBMIX_TRY(outcome);
    auto pace = read_pace(outcome->ledger, row.rate);
    SUBMIX_TRY(pace);
    row.pace = *pace;
    row.faults = outcome->received.faults;
    auto cost = figures_of(*outcome, wire_bytes(options_.size));
    SUBMIX_TRY(cost);
    row.cost = std::move(*cost);
    return {};
  }

  Context& context_;
  const LoadOptions& options_;
  const Testbed& testbed_;
  const wire::Key key_;
};

}  // namespace

std::vector<std::size_t> steps_of_load(std::size_t cores) {
  std::vector<std::size_t> steps{0};
  for (std::size_t count = 1; count < cores; count *= 2)
    steps.push_back(count);
  steps.push_back(std::max<std::size_t>(cores, 1));
  return steps;
}

Result<PaceFigures> read_pace(const Ledger& ledger, FrameRate rate) {
  const auto window = read_window(ledger, 1);
  SUBMIX_TRY(window);
  const auto begin = ledger.window(0).begin.load();
  const auto end = ledger.window(0).end.load();
  const auto period_ns = 1e9 / rate.frames_per_second();
  std::vector<double> jitter;
  std::vector<double> lateness;
  std::size_t on_time = 0;
  for (auto index = begin; index < end; ++index) {
    const auto& times = ledger.times(0, index);
    if (times.released == 0) continue;  // lost, so not on time
    lateness.push_back(to_ms(times.released - times.due));
    on_time += static_cast<double>(times.released - times.due) <= period_ns ? 1U : 0U;
    const auto before = index == begin ? 0 : ledger.times(0, index - 1).released;
    if (before > 0)
      jitter.push_back(std::abs(static_cast<double>(times.released - before) - period_ns) /
                       kNanosecondsPerMillisecond);
  }
  PaceFigures pace;
  pace.frames = end - begin;
  pace.frames_per_second = window->frames_per_second;
  pace.on_time = static_cast<double>(on_time) / static_cast<double>(pace.frames);
  pace.jitter_ms = distribution(std::move(jitter));
  pace.lateness_ms = distribution(std::move(lateness));
  return pace;
}

Result<std::vector<LoadRow>> measure_load(Context& context, const LoadOptions& options) {
  if (options.shape.empty()) {
    const auto testbed = Testbed::loopback(options.links);
    return LoadRun(context, options, testbed).all_rows();
  }
  const auto testbed = Testbed::namespaces(options.shape.size(), options.shape);
  SUBMIX_TRY(testbed);
  return LoadRun(context, options, *testbed).all_rows();
}

int run_load(Context& context, const LoadOptions& options) {
  const auto rows = measure_load(context, options);
  if (!rows) return failed(context, rows.error());
  fmt::print("{}", context.is_json ? to_json(options, *rows) + "\n" : to_text(options, *rows));
  const bool has_faults = std::any_of(rows->begin(), rows->end(),
                                      [](const auto& row) { return !row.faults.is_none(); });
  return has_faults ? kFailed : kOk;
}

int run_loader(const std::string& kind) {
  if (kind == "spin") {
    for (volatile std::uint64_t turns = 0;;)
      turns = turns + 1;
  }
  if (kind != "memory") return kWrongUse;
  constexpr std::size_t kBytes = std::size_t{64} << 20;  // more than a core's share of any cache
  const std::vector<std::uint8_t> from(kBytes, 1);
  std::vector<std::uint8_t> to(kBytes);
  for (;;) {
    std::copy(from.begin(), from.end(), to.begin());
    asm volatile("" : : "r"(to.data()) : "memory");  // keeps the compiler from removing the copy
  }
}

}  // namespace submix::throughput
