// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/context.hpp"
#include "tests/throughput/ledger.hpp"
#include "tests/throughput/notation.hpp"
#include "tests/throughput/run_result.hpp"
#include "tests/throughput/sequence_check.hpp"
#include "tests/throughput/statistics.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace submix::throughput {

struct LoadOptions {
  Size size{1024, 768};
  std::vector<FrameRate> rates{{30, 1}, {60, 1}};
  std::vector<BitRate> shape;  ///< empty: loopback
  std::size_t links = 2;
  std::chrono::milliseconds duration{5000};
  std::chrono::milliseconds warm_up{1000};
  std::vector<std::string> kinds{"spin", "memory"};
  std::vector<std::size_t> cores;  ///< numbers of loaded cores, in turn; empty: 0, 1, 2, 4, … all
  std::size_t credits = 4;
  bool is_realtime = false;
};

/// How well a paced stream kept its pace.
struct PaceFigures {
  double frames_per_second = 0;
  double on_time = 0;        ///< share of frames released before the next frame was due
  Distribution jitter_ms;    ///< difference between two releases' distance and the period
  Distribution lateness_ms;  ///< from due to released
  std::size_t frames = 0;
};

/// Figures of the first stream's measured frames. Fails if no frame was measured.
[[nodiscard]] Result<PaceFigures> read_pace(const Ledger& ledger, FrameRate rate);

struct LoadRow {
  FrameRate rate;
  std::string kind;  ///< "none" if no core is loaded
  std::size_t cores = 0;
  PaceFigures pace;
  FrameFaults faults;
  RunFigures cost{};  ///< CPU time, allocations and page faults
};

/// 0, 1, 2, 4, … and all.
[[nodiscard]] std::vector<std::size_t> steps_of_load(std::size_t cores);

[[nodiscard]] Result<std::vector<LoadRow>> measure_load(Context& context,
                                                        const LoadOptions& options);
[[nodiscard]] std::string to_text(const LoadOptions& options, const std::vector<LoadRow>& rows);
[[nodiscard]] std::string to_json(const LoadOptions& options, const std::vector<LoadRow>& rows);

int run_load(Context& context, const LoadOptions& options);

/// Runs the program as a load on one core: "spin" or "memory". Returns only for another kind.
int run_loader(const std::string& kind);

}  // namespace submix::throughput
