// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace submix::throughput {

/// One figure, and how it differed from round to round.
struct Bar {
  std::string label;
  double value = 0;
  std::optional<double> low{};
  std::optional<double> high{};
  bool is_own = false;  ///< drawn in the colour of this project
};

/// Figures of one kind on one scale, which begins at 0. One that is many times all others has a bar that is
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

/// Bars from left to right, panels from top to bottom, as a picture that any browser shows.
[[nodiscard]] std::string to_svg(const Chart& chart);

}  // namespace submix::throughput
