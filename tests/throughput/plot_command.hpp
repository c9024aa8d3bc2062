// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/chart.hpp"
#include "tests/throughput/context.hpp"

#include <filesystem>
#include <string>

namespace submix::throughput {

struct PlotOptions {
  std::filesystem::path file;  ///< the output of a command with --json
  std::filesystem::path out;   ///< empty: `file` with the ending .svg
};

/// The chart of any command's JSON. Fails on any other text.
[[nodiscard]] Result<Chart> chart_of(const std::string& json);

int run_plot(Context& context, const PlotOptions& options);

}  // namespace submix::throughput
