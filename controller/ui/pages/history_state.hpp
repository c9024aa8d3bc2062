// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/timeline.hpp"
#include "controller/ui/plots/time_axis.hpp"

#include <memory>
#include <string>

namespace submix::ui {

/// What the page with traces remembers between frames.
struct HistoryState {
  int seconds = 5;                               ///< length of the next trace
  std::shared_ptr<const model::Timeline> shown;  ///< the trace that `axis` belongs to
  TimeAxis axis;
  std::string path;  ///< of the export
};

}  // namespace submix::ui
