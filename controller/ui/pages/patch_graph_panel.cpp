// SPDX-License-Identifier: GPL-3.0-or-later
// The chosen patch as a drawing, with the newest picture on each edge.
#include "controller/model/edit/patch_graph.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/pages/wall.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace submix::ui {
namespace {

// Unscaled, at a zoom of 1.
constexpr float kEdgePictureHeight = 54;
constexpr float kGraphBoxWidth = 112;
constexpr float kGraphBoxHeight = 40;
constexpr float kGraphLaneGap = 8;
constexpr float kGraphColumnGap = 34;
constexpr float kGraphZoomMin = 0.7F;
constexpr float kGraphZoomMax = 1.6F;

float lanes_height(std::size_t inputs) {
  const auto lanes = static_cast<float>(std::max<std::size_t>(inputs, 1));
  return lanes * kEdgePictureHeight + (lanes - 1) * kGraphLaneGap;
}

/// Where a slot stands: its box, and to the left of it a picture for each input.
struct SlotPlace {
  ImVec2 box;     ///< its corner
  float top = 0;  ///< of the first input's picture
};

/// Places in pixels, from the upper left corner of the drawing.
class GraphLayout {
 public:
  GraphLayout(const model::PatchGraph& graph, ImVec2 room, const Panel& panel)
      : picture_(kEdgePictureHeight * aspect_of(panel.view.show->size), kEdgePictureHeight),
        places_(graph.columns.size()) {
    place(graph);
    const float fitting = std::min(room.x / panel.px(extent_.x), room.y / panel.px(extent_.y));
    zoom_ = panel.px(std::clamp(fitting, kGraphZoomMin, kGraphZoomMax));
  }

  [[nodiscard]] ImVec2 box(std::size_t slot) const { return zoomed(places_[slot].box); }
  [[nodiscard]] ImVec2 box_size() const { return zoomed({kGraphBoxWidth, kGraphBoxHeight}); }
  [[nodiscard]] ImVec2 picture(const model::PatchGraph::Edge& edge) const {
    const auto& to = places_[edge.to];
    const float lane = (picture_.y + kGraphLaneGap) * static_cast<float>(edge.input);
    return zoomed({to.box.x - picture_.x, to.top + lane});
  }
  [[nodiscard]] ImVec2 picture_size() const { return zoomed(picture_); }
  [[nodiscard]] ImVec2 extent() const { return zoomed(extent_); }

 private:
  [[nodiscard]] ImVec2 zoomed(ImVec2 at) const {
    return {std::round(at.x * zoom_), std::round(at.y * zoom_)};
  }
  // Columns from left to right; the slots of a column below each other, in their order.
  void place(const model::PatchGraph& graph) {
    float left = 0;
    const auto last = graph.columns.empty() ? 0 : std::ranges::max(graph.columns);
    for (std::size_t column = 0; column <= last; ++column) {
      float y = 0;
      bool has_pictures = false;
      for (std::size_t slot = 0; slot < graph.columns.size(); ++slot) {
        if (graph.columns[slot] != column) continue;
        const float height = lanes_height(graph.inputs[slot]);
        places_[slot] = {{0, y + (height - kGraphBoxHeight) / 2}, y};
        y += height + kGraphLaneGap;
        has_pictures |= graph.inputs[slot] > 0;
      }
      if (has_pictures) left += picture_.x;
      for (std::size_t slot = 0; slot < graph.columns.size(); ++slot) {
        if (graph.columns[slot] == column) places_[slot].box.x = left;
      }
      left += kGraphBoxWidth + kGraphColumnGap;
      extent_ = {left - kGraphColumnGap, std::max(extent_.y, y - kGraphLaneGap)};
    }
  }

  ImVec2 picture_;
  std::vector<SlotPlace> places_;
  ImVec2 extent_{1, 1};
  float zoom_ = 1;
};

ImVec2 moved(ImVec2 origin, ImVec2 by) {
  return {origin.x + by.x, origin.y + by.y};
}

/// What is drawn, and where.
struct Graph {
  const show::Submix& submix;
  const model::PatchGraph& patch;
  const GraphLayout& layout;
  ImVec2 origin;  ///< on the screen
};

void draw_cable(const Graph& graph, const model::PatchGraph::Edge& edge, Panel& panel) {
  const auto box = graph.layout.box_size();
  const auto from = moved(graph.origin, moved(graph.layout.box(edge.from), {box.x, box.y / 2}));
  const auto picture = graph.layout.picture_size();
  const auto to = moved(graph.origin, moved(graph.layout.picture(edge), {0, picture.y / 2}));
  const float bend = std::max(panel.px(20), std::abs(to.x - from.x) * 0.5F);
  auto* draw = ImGui::GetWindowDrawList();
  const auto flags = draw->Flags;
  draw->Flags |= ImDrawListFlags_AntiAliasedLines;
  draw->AddBezierCubic(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to,
                       edge.delay == 0 ? color::kAccent : color::kWaiting, panel.px(2));
  draw->Flags = flags;
}

std::string words_of_edge(const Graph& graph, const model::PatchGraph::Edge& edge) {
  const auto& slots = graph.submix.slots;
  const auto late = edge.delay == 0 ? std::string() : fmt::format(", {} frames late", edge.delay);
  return fmt::format("{} to {}{}; a click shows it large", slots[edge.from].name,
                     slots[edge.to].name, late);
}

// Asked for only while it is seen.
void draw_edge_picture(const Graph& graph, const model::PatchGraph::Edge& edge, Panel& panel) {
  const auto size = graph.layout.picture_size();
  const auto corner = moved(graph.origin, graph.layout.picture(edge));
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  if (!ImGui::IsRectVisible(corner, end)) return;
  const session::PictureKey key{graph.submix.name, graph.submix.slots[edge.from].name};
  ImGui::PushID(static_cast<int>(edge.input));
  ImGui::SetCursorScreenPos(corner);
  if (ImGui::InvisibleButton("edge", size)) panel.state.picture = key;
  ImGui::PopID();
  tooltip_of([&] { return words_of_edge(graph, edge); });
  const bool is_shown_large = key == panel.state.picture;
  const bool is_hovered = ImGui::IsItemHovered();
  draw_picture(key, corner, size, panel);
  ImGui::GetWindowDrawList()->AddRect(corner, end,
                                      is_hovered       ? color::kText
                                      : is_shown_large ? color::kAccent
                                                       : color::kFaint);
}

void draw_slot_box(const Graph& graph, std::size_t index, Panel& panel) {
  const auto& slot = graph.submix.slots[index];
  const auto size = graph.layout.box_size();
  const auto corner = moved(graph.origin, graph.layout.box(index));
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  if (!ImGui::IsRectVisible(corner, end)) return;
  auto& chosen = panel.state.editing->slot;
  ImGui::SetCursorScreenPos(corner);
  if (ImGui::InvisibleButton("slot", size)) {
    chosen = slot.name;
    panel.state.picture = {graph.submix.name, slot.name};
  }
  const bool is_hovered = ImGui::IsItemHovered();
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(corner, end, is_hovered ? color::kCardHovered : color::kChip);
  if (slot.name == chosen) draw->AddRect(corner, end, color::kAccent, 0, 0, panel.px(2));
  const float room = size.x - panel.px(16);
  const float line = ImGui::GetFontSize();
  ImGui::SetCursorScreenPos({corner.x + panel.px(8), corner.y + size.y / 2 - line});
  text_cut(slot.name, room, slot.is_bypassed ? color::kFaint : color::kText);
  ImGui::SetCursorScreenPos({corner.x + panel.px(8), corner.y + size.y / 2});
  text_cut(slot.is_bypassed ? "bypassed" : slot.plugin, room, color::kDim);
}

void draw_graph(const Graph& graph, Panel& panel) {
  for (const auto& edge : graph.patch.edges)
    draw_cable(graph, edge, panel);
  for (const auto& edge : graph.patch.edges) {
    ImGui::PushID(graph.submix.slots[edge.to].name.c_str());
    draw_edge_picture(graph, edge, panel);
    ImGui::PopID();
  }
  for (std::size_t slot = 0; slot < graph.submix.slots.size(); ++slot) {
    ImGui::PushID(graph.submix.slots[slot].name.c_str());
    draw_slot_box(graph, slot, panel);
    ImGui::PopID();
  }
}

}  // namespace

void draw_patch_graph_panel(Panel& panel) {
  if (begin_panel("From source to output", panel.fonts)) {
    const auto* submix = chosen_submix(panel);
    ImGui::PushFont(panel.fonts.small);
    if (submix == nullptr || submix->slots.empty()) {
      text("Choose a submix.", color::kDim);
    } else {
      ImGui::BeginChild("graph", ImGui::GetContentRegionAvail(), false,
                        ImGuiWindowFlags_HorizontalScrollbar);
      const auto patch = model::graph_of(*panel.view.show, *submix, plugins_of(panel));
      const GraphLayout layout(patch, ImGui::GetContentRegionAvail(), panel);
      const auto origin = ImGui::GetCursorScreenPos();
      draw_graph({*submix, patch, layout, origin}, panel);
      ImGui::SetCursorScreenPos(origin);
      ImGui::Dummy(layout.extent());
      ImGui::EndChild();
    }
    ImGui::PopFont();
  }
  end_panel();
}

}  // namespace submix::ui
