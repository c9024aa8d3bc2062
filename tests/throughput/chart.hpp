// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace submix::throughput {

/// One figure and its range over the rounds.
struct Bar {
  std::string label;
  double value = 0;
  std::optional<double> low{};
  std::optional<double> high{};
  bool is_own = false;  ///< drawn in this project's colour
};

/// Figures of one kind on one scale that begins at 0. The bar of a figure many times all others is
/// cut.
struct Panel {
  std::string title;
  std::vector<Bar> bars;
  std::optional<double> mark{};  ///< a line to compare with, such as 1 for ratios
};

struct Chart {
  std::string title;
  std::string subtitle;
  std::vector<Panel> panels;
};

/// The chart as a picture for any browser: bars from left to right, panels from top to bottom.
[[nodiscard]] std::string to_svg(const Chart& chart);

}  // namespace submix::throughput
