// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/host_port.hpp"
#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/view/figures.hpp"
#include "controller/ui/draw/divider.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/pages/plots_state.hpp"
#include "controller/ui/plots/time_plot.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iterator>
#include <vector>

namespace submix::ui {
namespace {

using model::FigureKey;
using model::LinkFigure;
using model::StreamFigure;

constexpr double kSecondsKept = 600;
constexpr double kSecondsShownMin = 2;
constexpr std::size_t kCurvesMax = 16;
constexpr std::size_t kStreamsListed = 12;  // longer lists have a search field

struct KindEntry {
  PlotKind kind;
  const char* title;
  const char* unit;
  const char* explanation;
};
constexpr std::array kKinds{
    KindEntry{PlotKind::throughput, "Throughput", "MB/s", "what each link carries"},
    KindEntry{PlotKind::card_share, "Share of the card", "%", "of the speed of the sender's card"},
    KindEntry{PlotKind::queue, "Queue", "kB", "handed to the network and not yet acknowledged"},
    KindEntry{PlotKind::blocked, "Time blocked", "%", "the link was full"},
    KindEntry{PlotKind::round_trip, "Round trip", "ms",
              "as TCP measures it, queues on the way included"},
    KindEntry{PlotKind::retransmits, "Retransmissions", "/s", "segments that TCP sent again"},
    KindEntry{PlotKind::latency, "Latency", "ms",
              "from the sender's patch to the receiver's, half of the frames and 99 %"},
    KindEntry{PlotKind::striping, "Striping share", "%", "of the stream's bytes, by link"},
    KindEntry{PlotKind::frame_rate, "Frame rate", "fps", "frames acknowledged"},
};
static_assert(kKinds.size() == kPlotKinds);

double seconds_of(LocalTime time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

const model::FigureMap* figures_of(const Panel& panel) {
  const auto& plots = *panel.state.plots;
  return plots.is_frozen && plots.frozen != nullptr ? plots.frozen.get() : panel.view.figures.get();
}

void freeze(Panel& panel) {
  auto& plots = *panel.state.plots;
  const double now = seconds_of(panel.view.now);
  plots.is_frozen = true;
  plots.frozen_at = now;
  plots.axis = {now - plots.seconds, now};
  plots.frozen = panel.view.figures;
}

void run_on(PlotsState& plots) {
  plots.is_frozen = false;
  plots.frozen.reset();
}

TimeLimits limits_of(const PlotsState& plots) {
  return {plots.frozen_at - kSecondsKept, plots.frozen_at, kSecondsShownMin};
}

void apply(const PlotGesture& gesture, Panel& panel) {
  auto& plots = *panel.state.plots;
  if (gesture.is_reset) return run_on(plots);
  const double factor = std::pow(kZoomStep, gesture.wheel);
  if (gesture.dragged != 0 && !plots.is_frozen) freeze(panel);
  if (!plots.is_frozen) {
    plots.seconds = std::clamp(plots.seconds * factor, kSecondsShownMin, kSecondsKept);
    return;
  }
  plots.axis = dragged(plots.axis, -gesture.dragged, limits_of(plots));
  plots.axis = zoomed(plots.axis, factor, gesture.anchor, limits_of(plots));
  plots.seconds = plots.axis.seconds();
}

// Which streams are plotted.

// The stream that was clicked on another page; at first the stream that limits the show, or the
// first one.
void choose_streams(Panel& panel) {
  auto& plots = *panel.state.plots;
  auto& selected = panel.state.selected_stream;
  if (panel.view.find_stream(selected) != nullptr && selected != plots.followed_stream)
    plots.streams = {selected};
  plots.followed_stream = selected;
  std::erase_if(plots.streams,
                [&](const auto& name) { return panel.view.find_stream(name) == nullptr; });
  if (plots.streams.empty() && !panel.view.streams.empty()) {
    const auto& limit =
        panel.view.bottleneck == nullptr ? std::string() : panel.view.bottleneck->stream;
    plots.streams = {panel.view.find_stream(limit) != nullptr ? limit
                                                              : panel.view.streams.front().name};
  }
  if (plots.streams == plots.watched) return;
  plots.watched = plots.streams;
  panel.actions.emplace_back(session::WatchFigures{plots.streams});
}

void draw_stream_row(const model::StreamView& stream, Panel& panel) {
  auto& plots = *panel.state.plots;
  bool is_plotted = plots.streams.contains(stream.name);
  const auto figure = rate_text(stream.mb_per_second());
  if (ImGui::Checkbox(stream.name.c_str(), &is_plotted)) {
    if (is_plotted) {
      plots.streams.insert(stream.name);
    } else {
      plots.streams.erase(stream.name);
    }
  }
  ImGui::SameLine();
  text_right(figure, color::kDim);
}

void draw_streams(Panel& panel) {
  if (begin_panel("Streams", panel.fonts)) {
    panel_title_right(width_of("MB/s"));
    text("MB/s", color::kFaint);
    auto& filter = panel.state.plots->filter;
    std::vector<const model::StreamView*> shown;
    if (panel.view.streams.size() > kStreamsListed) {
      ImGui::SetNextItemWidth(-1);
      ImGui::InputTextWithHint("##filter", "Find a stream", &filter);
    } else {
      filter.clear();
    }
    for (const auto& stream : panel.view.streams) {
      if (stream.name.find(filter) != std::string::npos) shown.push_back(&stream);
    }
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(panel.px(2), panel.px(2)));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(shown.size()));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        draw_stream_row(*shown[static_cast<std::size_t>(i)], panel);
    }
    ImGui::PopStyleVar();
    if (panel.view.streams.empty()) text("The show has no streams.", color::kDim);
  }
  end_panel();
}

// Curves.

/// A figure of a series, multiplied by a factor.
Curve curve_of(std::string name, const model::FigureSeries& series, std::size_t figure,
               float factor = 1) {
  return {std::move(name), 0, [&series, figure, factor](std::int64_t tick) {
            return series.at(figure, tick) * factor;
          }};
}

// Capacity of the sender's card in 10^6 bytes per second. NaN if the card does not tell.
float card_mb_per_second(const Panel& panel, const FigureKey& key) {
  const auto* stream = panel.view.find_stream(key.stream);
  const auto* node = stream == nullptr ? nullptr : panel.view.find_node(stream->sender.node);
  if (node == nullptr) return std::nanf("");
  for (const auto& link : stream->sender.links) {
    if (std::int64_t{link.index} != key.link) continue;
    const auto address = without_port(link.local);
    const auto card = std::ranges::find(node->interfaces, address, &NetworkInterface::address);
    if (card != node->interfaces.end() && card->speed_mbit > 0)
      return static_cast<float>(card->speed_mbit) / 8;
  }
  return std::nanf("");
}

LinkFigure figure_of(PlotKind kind) {
  switch (kind) {
    case PlotKind::queue:
      return LinkFigure::queue_kb;
    case PlotKind::blocked:
      return LinkFigure::blocked_share;
    case PlotKind::round_trip:
      return LinkFigure::round_trip_ms;
    case PlotKind::retransmits:
      return LinkFigure::retransmits_per_second;
    default:
      return LinkFigure::mb_per_second;
  }
}

/// The curves of one plot, from the figures of the chosen streams.
class Curves {
 public:
  Curves(PlotKind kind, const model::FigureMap& figures, const Panel& panel)
      : kind_(kind), figures_(figures), panel_(panel) {
    for (const auto& stream : panel.state.plots->streams)
      add(stream);
    for (std::size_t i = 0; i < curves_.size(); ++i)
      curves_[i].color = curve_color(i);
  }
  [[nodiscard]] const std::vector<Curve>& list() const { return curves_; }

 private:
  void add(const std::string& stream) {
    const auto whole = figures_.find(FigureKey{stream});
    const bool is_of_whole = kind_ == PlotKind::latency || kind_ == PlotKind::frame_rate;
    if (whole == figures_.end()) return;
    if (is_of_whole) return add_whole(stream, whole->second);
    for (auto link = std::next(whole); link != figures_.end() && link->first.stream == stream;
         ++link) {
      if (curves_.size() < kCurvesMax) add_link(link->first, link->second, whole->second);
    }
  }

  void add_whole(const std::string& stream, const model::FigureSeries& series) {
    if (curves_.size() + 2 > kCurvesMax) return;
    if (kind_ == PlotKind::frame_rate)
      return curves_.push_back(curve_of(stream, series, std::size_t(StreamFigure::fps)));
    curves_.push_back(curve_of(stream + " p50", series, std::size_t(StreamFigure::latency_p50_ms)));
    curves_.push_back(curve_of(stream + " p99", series, std::size_t(StreamFigure::latency_p99_ms)));
  }

  void add_link(const FigureKey& key, const model::FigureSeries& link,
                const model::FigureSeries& whole) {
    auto name = fmt::format("{} {}", key.stream, key.link);
    if (kind_ == PlotKind::striping) {
      curves_.push_back({std::move(name), 0, [&link, &whole](std::int64_t tick) {
                           const float sum =
                               whole.at(std::size_t(StreamFigure::mb_per_second), tick);
                           if (!(sum > 0)) return std::nanf("");
                           return 100 * link.at(std::size_t(LinkFigure::mb_per_second), tick) / sum;
                         }});
      return;
    }
    float factor = kind_ == PlotKind::blocked ? 100 : 1;
    if (kind_ == PlotKind::card_share) factor = 100 / card_mb_per_second(panel_, key);
    if (std::isnan(factor)) return;
    curves_.push_back(curve_of(std::move(name), link, std::size_t(figure_of(kind_)), factor));
  }

  PlotKind kind_;
  const model::FigureMap& figures_;
  const Panel& panel_;
  std::vector<Curve> curves_;
};

// The plots.

PlotView view_of(const Panel& panel) {
  const auto& plots = *panel.state.plots;
  const double now = seconds_of(panel.view.now);
  PlotView view;
  view.axis = plots.is_frozen ? plots.axis : TimeAxis{now - plots.seconds, now};
  view.seconds_per_tick = std::chrono::duration<double>(model::kFigureTick).count();
  view.day_offset = day_offset();
  view.cursor = plots.cursor;
  return view;
}

void draw_kinds(Panel& panel) {
  auto& plots = *panel.state.plots;
  for (const auto& entry : kKinds) {
    const float box = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
    if (&entry != kKinds.data()) same_line_if_fits(box + width_of(entry.title));
    ImGui::Checkbox(entry.title, &plots.is_shown.at(static_cast<std::size_t>(entry.kind)));
    tooltip(entry.explanation);
  }
}

std::string seconds_text(double seconds) {
  return duration_text(std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9)));
}

void draw_freeze_button(Panel& panel) {
  const auto& plots = *panel.state.plots;
  const auto words =
      fmt::format("{} {}", plots.is_frozen ? "frozen:" : "the last", seconds_text(plots.seconds));
  const float button = panel.px(92);
  panel_title_right(width_of(words) + panel.px(12) + button);
  text(words, plots.is_frozen ? color::kWarning : color::kDim);
  tooltip("Drag a plot to look at the past, turn the wheel to zoom; a double click runs on");
  ImGui::SameLine(0, panel.px(12));
  if (ImGui::Button(plots.is_frozen ? "Run on" : "Freeze", ImVec2(button, 0))) toggle_freeze(panel);
  tooltip("F");
}

std::vector<const KindEntry*> shown_kinds(const PlotsState& plots) {
  std::vector<const KindEntry*> shown;
  for (const auto& entry : kKinds) {
    if (plots.is_shown.at(static_cast<std::size_t>(entry.kind))) shown.push_back(&entry);
  }
  return shown;
}

void draw_curves(const model::FigureMap& figures, Panel& panel) {
  auto& plots = *panel.state.plots;
  const auto kinds = shown_kinds(plots);
  const auto view = view_of(panel);
  const auto room = ImGui::GetContentRegionAvail();
  const float labels = ImGui::GetTextLineHeightWithSpacing();
  // The wheel zooms the plots, so it must not also scroll them.
  ImGui::BeginChild("plots", ImVec2(room.x, room.y - labels), false,
                    ImGuiWindowFlags_NoScrollWithMouse);
  const float inner = ImGui::GetContentRegionAvail().x;
  const float height =
      std::max(panel.px(104), std::floor((room.y - labels) / static_cast<float>(kinds.size())));
  std::optional<double> hovered;
  PlotGesture gesture;
  for (const auto* kind : kinds) {
    const Curves curves(kind->kind, figures, panel);
    const auto done = draw_time_plot({kind->title, kind->unit, curves.list()}, view,
                                     ImVec2(inner, height), panel, hovered);
    if (done.is_any()) gesture = done;
  }
  ImGui::EndChild();
  plots.cursor = hovered;
  const auto below = ImGui::GetCursorScreenPos();
  draw_time_labels(view, ImVec2(below.x + plot_margin(panel), below.y), inner - plot_margin(panel),
                   panel);
  if (gesture.is_any()) apply(gesture, panel);
}

void draw_plots(Panel& panel) {
  if (begin_panel("Links", panel.fonts)) {
    draw_freeze_button(panel);
    ImGui::PushFont(panel.fonts.small);
    draw_kinds(panel);
    const auto* figures = figures_of(panel);
    const auto kinds = shown_kinds(*panel.state.plots);
    if (kinds.empty()) {
      text("Choose above what to plot.", color::kDim);
    } else if (figures == nullptr || figures->empty()) {
      text("Nothing has been measured of these streams yet.", color::kDim);
    } else {
      draw_curves(*figures, panel);
    }
    ImGui::PopFont();
  }
  end_panel();
}

}  // namespace

void toggle_freeze(Panel& panel) {
  if (panel.state.plots->is_frozen) return run_on(*panel.state.plots);
  freeze(panel);
}

void leave_link_plots(Panel& panel) {
  if (panel.state.plots->watched.empty()) return;
  panel.state.plots->watched.clear();
  panel.actions.emplace_back(session::WatchFigures{});
}

void draw_links_page(Panel& panel) {
  choose_streams(panel);
  const auto room = ImGui::GetWindowSize();
  const float gap = panel.px(kPanelGap);
  const Divider list_edge{"links-list", room.x, panel.px(220), panel.px(120), panel.px(420)};
  const float list = length_of(list_edge, panel);
  put({"streams", {gap, 0}, {list, room.y - gap}}, panel, draw_streams);
  put({"plots", {2 * gap + list, 0}, {room.x - list - 3 * gap, room.y - gap}}, panel, draw_plots);
  draw_handle(list_edge, {gap + list, 0}, {gap, room.y - gap}, panel);
}

}  // namespace submix::ui
