// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"
#include "controller/model/view/output_views.hpp"

#include <string>
#include <vector>

/// What `submix outputs` prints. Pure.
namespace submix::cli {

/// The displays of each node, and the outputs.
struct DisplaysAndOutputs {
  std::vector<model::NodeView> nodes;
  std::vector<model::OutputView> outputs;
};

/// Two tables, then a line for each output that is not on its display.
[[nodiscard]] std::string outputs_text(const DisplaysAndOutputs& all);

/// One JSON object on one line; names are stable:
///
///   displays  [{node, number, name, x, y, width, height, refresh_hz}]; 0 Hz: not known
///   outputs   [{output: "mix.screen", node, wanted: {name, number}, display: null or the name of
///             the display that it is on, is_full_screen, state, fps, trouble: why it is not on its
///             display, or empty}]
[[nodiscard]] std::string outputs_json(const DisplaysAndOutputs& all);

}  // namespace submix::cli
