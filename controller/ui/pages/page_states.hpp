// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/figures.hpp"
#include "controller/model/view/timeline.hpp"
#include "controller/session/actions.hpp"
#include "controller/ui/plots/time_axis.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

/// What single pages remember between frames.
namespace submix::ui {

/// The lines between panels that somebody has dragged: see divider.hpp.
struct DividersState {
  std::map<std::string, float, std::less<>> shares;  ///< of the room that each divides, by name
  float grabbed_at = 0;  ///< of the line that is held: mouse to panel's end
};

/// What can be plotted of a stream and its links.
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

struct PlotsState {
  std::set<std::string> streams;  ///< that are plotted
  std::string followed_stream;    ///< PanelState::selected_stream, when it was last looked at
  std::set<std::string> watched;  ///< what the session was told
  std::array<bool, kPlotKinds> is_shown{true, false, true, true, true, false, true, false, false};
  double seconds = 60;  ///< shown while it runs on
  bool is_frozen = false;
  double frozen_at = 0;                            ///< seconds of the monotonic clock
  TimeAxis axis;                                   ///< while frozen
  std::shared_ptr<const model::FigureMap> frozen;  ///< as it was then
  std::optional<double> cursor;                    ///< of the last frame
  std::string filter;                              ///< of the list of streams
};

/// Of the page with traces.
struct TraceState {
  int seconds = 5;
  std::shared_ptr<const model::Timeline> shown;  ///< the trace that the axis is of
  TimeAxis axis;
  std::string path;
};

struct LedgerState {
  session::SaveLedger::Form form = session::SaveLedger::Form::csv;
  std::string path;
};

}  // namespace submix::ui
