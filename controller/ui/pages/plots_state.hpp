// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/figures.hpp"
#include "controller/ui/plots/time_axis.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace submix::ui {

/// Figures of a stream and its links that can be plotted.
enum class PlotKind {
  throughput,
  card_share,
  queue,
  blocked,
  round_trip,
  retransmits,
  latency,
  striping,
  frame_rate,
};
inline constexpr std::size_t kPlotKinds = 9;

/// What the page with plots of links remembers between frames.
struct PlotsState {
  std::set<std::string> streams;  ///< plotted streams
  std::string followed_stream;    ///< PanelState::selected_stream in the last frame
  std::set<std::string> watched;  ///< streams whose figures the session collects
  std::array<bool, kPlotKinds> is_shown{true, false, true, true, true, false, true, false, false};
  double seconds = 60;  ///< visible time while the plots run on
  bool is_frozen = false;
  double frozen_at = 0;                            ///< seconds of the monotonic clock
  TimeAxis axis;                                   ///< valid while frozen
  std::shared_ptr<const model::FigureMap> frozen;  ///< the figures at that time
  std::optional<double> cursor;                    ///< of the last frame
  std::string filter;                              ///< of the list of streams
};

}  // namespace submix::ui
