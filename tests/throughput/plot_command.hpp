// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/chart.hpp"
#include "tests/throughput/context.hpp"

#include <filesystem>
#include <string>

namespace submix::throughput {

struct PlotOptions {
  std::filesystem::path file;  ///< what a command wrote with --json
  std::filesystem::path out;   ///< empty: `file` with the ending .svg
};

/// What the JSON of any of our commands shows. Fails on anything else.
[[nodiscard]] Result<Chart> chart_of(const std::string& json);

int run_plot(Context& context, const PlotOptions& options);

}  // namespace submix::throughput
