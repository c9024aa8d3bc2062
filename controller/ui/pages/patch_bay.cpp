// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs at the left and inputs at the right, grouped by node, with the streams between them as
// cables.
#include "common/show/lookup.hpp"
#include "common/show/macros.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/verdict_colors.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kPortWidth = 210;
constexpr float kPortHeight = 30;
constexpr float kSocket = 5;     // radius of a port's dot; half of the dot is outside the box
constexpr float kCableNear = 6;  // greatest distance of a click from a cable
constexpr int kCableSteps = 24;
constexpr int kCurveSegments = 40;

/// The end points of cables, in pixels of the window.
struct Sockets {
  std::map<std::string, ImVec2> outputs;  // key: "submix.slot"
  std::map<std::string, ImVec2> inputs;
};

float distance_to_line(ImVec2 point, ImVec2 begin, ImVec2 end) {
  const ImVec2 way(end.x - begin.x, end.y - begin.y);
  const float length = way.x * way.x + way.y * way.y;
  const float along = (point.x - begin.x) * way.x + (point.y - begin.y) * way.y;
  const float part = length > 0 ? std::clamp(along / length, 0.0F, 1.0F) : 0.0F;
  return std::hypot(point.x - begin.x - part * way.x, point.y - begin.y - part * way.y);
}

struct Cable {
  ImVec2 from;
  ImVec2 to;

  [[nodiscard]] float bend() const { return std::max(40.0F, std::abs(to.x - from.x) * 0.45F); }
  [[nodiscard]] ImVec2 at(float part) const {
    const float rest = 1 - part;
    const std::array weights{rest * rest * rest, 3 * rest * rest * part, 3 * rest * part * part,
                             part * part * part};
    const std::array xs{from.x, from.x + bend(), to.x - bend(), to.x};
    return {weights[0] * xs[0] + weights[1] * xs[1] + weights[2] * xs[2] + weights[3] * xs[3],
            (weights[0] + weights[1]) * from.y + (weights[2] + weights[3]) * to.y};
  }
  [[nodiscard]] bool is_near(ImVec2 point, float distance) const {
    auto begin = from;
    for (int i = 1; i <= kCableSteps; ++i) {
      const auto end = at(static_cast<float>(i) / static_cast<float>(kCableSteps));
      if (distance_to_line(point, begin, end) <= distance) return true;
      begin = end;
    }
    return false;
  }
};

void draw_curve(const Cable& cable, ImU32 paint, float width) {
  auto* draw = ImGui::GetWindowDrawList();
  const auto flags = draw->Flags;
  draw->Flags |= ImDrawListFlags_AntiAliasedLines;
  draw->AddBezierCubic(cable.from, ImVec2(cable.from.x + cable.bend(), cable.from.y),
                       ImVec2(cable.to.x - cable.bend(), cable.to.y), cable.to, paint, width,
                       kCurveSegments);
  draw->Flags = flags;
}

const show::Stream* stream_into(const show::Show& show, const show::Port& port) {
  const auto found = std::ranges::find(show.streams, port, &show::Stream::to);
  return found == show.streams.end() ? nullptr : &*found;
}

// Ports.

/// A port's box without the outer half of its dot.
struct Box {
  ImVec2 corner;
  ImVec2 end;
  bool is_pressed = false;
};

// The button includes the whole dot, so that a press on its outer half counts.
Box put_button(const std::string& name, bool is_output, Panel& panel) {
  const float dot = panel.px(kSocket);
  const ImVec2 size(panel.px(kPortWidth) + dot, panel.px(kPortHeight));
  if (!is_output) ImGui::SetCursorPosX(ImGui::GetCursorPosX() - dot);
  const bool is_pressed = ImGui::InvisibleButton(name.c_str(), size);
  const auto corner = ImGui::GetItemRectMin();
  const auto end = ImGui::GetItemRectMax();
  return is_output ? Box{corner, {end.x - dot, end.y}, is_pressed}
                   : Box{{corner.x + dot, corner.y}, end, is_pressed};
}

void draw_port_box(const std::string& words, bool is_output, const Box& box, Panel& panel) {
  if (!ImGui::IsItemVisible()) return;
  const auto corner = box.corner;
  const auto end = box.end;
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(corner, end, ImGui::IsItemHovered() ? color::kCardHovered : color::kChip,
                      ImGui::GetStyle().FrameRounding);
  const float y = std::round((corner.y + end.y - ImGui::GetFontSize()) / 2);
  const float x = is_output ? end.x - panel.px(14) - width_of(words) : corner.x + panel.px(14);
  draw->PushClipRect(corner, end, true);
  draw->AddText(ImVec2(std::max(x, corner.x + panel.px(6)), y), color::kText, words.data(),
                words.data() + words.size());
  draw->PopClipRect();
  const ImVec2 socket(is_output ? end.x : corner.x, (corner.y + end.y) / 2);
  draw->AddCircleFilled(socket, panel.px(kSocket), color::kAccent, 16);
}

void draw_output(const show::Port& port, Sockets& sockets, Panel& panel) {
  const auto name = show::to_string(port);
  const auto box = put_button(name, true, panel);
  if (!panel.state.editing->is_bay_locked)
    offer_drag(kOutputPayload, name, fmt::format("connect {} to ...", name));
  draw_port_box(name, true, box, panel);
  sockets.outputs[name] = ImVec2(box.end.x, (box.corner.y + box.end.y) / 2);
}

void draw_input(const show::Port& port, Sockets& sockets, Panel& panel) {
  const auto name = show::to_string(port);
  const auto box = put_button(name, false, panel);
  if (box.is_pressed) {
    if (const auto* stream = stream_into(*panel.view.show, port))
      panel.state.selected_stream = stream->name;
  }
  accept_drop(
      kOutputPayload,
      [&](const std::string& output) -> Result<model::Edit> {
        const auto from = show::parse_port(output);
        SUBMIX_TRY(from);
        return model::add_stream(*panel.view.show, {*from, port, {}, true});
      },
      panel);
  draw_port_box(name, false, box, panel);
  sockets.inputs[name] = ImVec2(box.corner.x, (box.corner.y + box.end.y) / 2);
}

// Draws the ports of one side; the ports of a node are below its name.
void draw_side(bool is_output, float x, Sockets& sockets, Panel& panel) {
  const auto plugin = is_output ? show::kStreamOutPlugin : show::kStreamInPlugin;
  const auto draw_node = [&](const std::string& node) {
    bool is_first = true;
    for (const auto& submix : panel.view.show->submixes) {
      if (submix.node != node) continue;
      for (const auto* slot : show::slots_of_plugin(submix, plugin)) {
        ImGui::SetCursorPosX(x);
        if (std::exchange(is_first, false)) {
          text(node.empty() ? "on no node" : node, color::kDim);
          ImGui::SetCursorPosX(x);
        }
        if (is_output) {
          draw_output({submix.name, slot->name}, sockets, panel);
        } else {
          draw_input({submix.name, slot->name}, sockets, panel);
        }
      }
    }
    if (!is_first) ImGui::Dummy(ImVec2(1, panel.px(6)));
  };
  for (const auto& node : panel.view.show->nodes)
    draw_node(node.name);
  draw_node("");
}

// Cables.

ImU32 paint_of(const model::StreamView* view, const Panel& panel) {
  if (view == nullptr || view->links().empty()) return color::kWaiting;
  if (!view->sender.detached.empty()) return color::kBad;
  const auto& links = view->links();
  if (!std::ranges::all_of(links, &model::LinkView::is_open)) return color::kBad;
  const bool is_full = std::ranges::any_of(
      links, [](const model::LinkView& link) { return link.shares.blocked > 0.5; });
  if (is_full) return blocked_stream_color(panel.view, view->name);
  if (!view->receiver.detached.empty()) return color::kWarning;
  return view->sender.fps > 0 ? color::kGood : color::kWaiting;
}

// Two pixels, and more for a larger share of the rate that the show needs.
float width_of_cable(const model::StreamView* view, const show::Stream& stream,
                     const show::Show& show, const Panel& panel) {
  const double needs = show::mb_per_second(show, stream);
  const double share = view == nullptr || needs <= 0 ? 0 : view->mb_per_second() / needs;
  return panel.px(2 + 4 * static_cast<float>(std::clamp(share, 0.0, 1.0)));
}

std::string words_of(const show::Stream& stream, const model::StreamView* view) {
  const auto rate = view == nullptr ? std::string("0") : rate_text(view->mb_per_second());
  return fmt::format("{}: {} to {}\n{} MB/s, policy {}", stream.name, show::to_string(stream.from),
                     show::to_string(stream.to), rate, show::to_string(stream.policy));
}

// Measured streams are in the show's order.
const model::StreamView* view_of(const model::ClusterView& view, std::size_t i,
                                 const std::string& name) {
  return i < view.streams.size() && view.streams[i].name == name ? &view.streams[i] : nullptr;
}

void draw_cables(const Sockets& sockets, bool is_over_ports, Panel& panel) {
  const auto& show = *panel.view.show;
  const show::Stream* pointed_at = nullptr;
  for (std::size_t i = 0; i < show.streams.size(); ++i) {
    const auto& stream = show.streams[i];
    const auto from = sockets.outputs.find(show::to_string(stream.from));
    const auto to = sockets.inputs.find(show::to_string(stream.to));
    if (from == sockets.outputs.end() || to == sockets.inputs.end()) continue;
    const Cable cable{from->second, to->second};
    const auto* view = view_of(panel.view, i, stream.name);
    const float width = width_of_cable(view, stream, show, panel);
    if (stream.name == panel.state.selected_stream)
      draw_curve(cable, color::kText, width + panel.px(4));
    draw_curve(cable, paint_of(view, panel), width);
    const bool is_free =
        !is_over_ports && ImGui::IsWindowHovered() && ImGui::GetDragDropPayload() == nullptr;
    if (is_free && cable.is_near(ImGui::GetMousePos(), panel.px(kCableNear))) {
      pointed_at = &stream;
      ImGui::BeginTooltip();
      text(words_of(stream, view));
      ImGui::EndTooltip();
    }
  }
  if (pointed_at != nullptr && ImGui::IsMouseClicked(0))
    panel.state.selected_stream = pointed_at->name;
}

// The cable that is being dragged.
void draw_loose_cable(const Sockets& sockets, Panel& panel) {
  const auto* payload = ImGui::GetDragDropPayload();
  if (payload == nullptr || !payload->IsDataType(kOutputPayload)) return;
  const auto from = sockets.outputs.find(
      {static_cast<const char*>(payload->Data), static_cast<std::size_t>(payload->DataSize)});
  if (from != sockets.outputs.end())
    draw_curve({from->second, ImGui::GetMousePos()}, color::kAccent, panel.px(3));
}

void draw_lock(Panel& panel) {
  auto& is_locked = panel.state.editing->is_bay_locked;
  const float width = panel.px(96);
  panel_title_right(width);
  ImGui::PushStyleColor(ImGuiCol_Button, is_locked ? color::kWarning : color::kTrack);
  ImGui::PushStyleColor(ImGuiCol_Text, is_locked ? color::kOnBright : color::kText);
  if (ImGui::Button(is_locked ? "Locked" : "Lock", ImVec2(width, 0))) is_locked = !is_locked;
  ImGui::PopStyleColor(2);
  tooltip("While the bay is locked, the mouse cannot connect, change or delete a stream");
}

}  // namespace

void draw_patch_bay(Panel& panel) {
  if (begin_panel("Patch bay", panel.fonts)) {
    draw_lock(panel);
    Sockets sockets;
    const auto corner = ImGui::GetCursorPos();
    const float right = ImGui::GetWindowContentRegionMax().x - panel.px(kPortWidth);
    ImGui::GetWindowDrawList()->ChannelsSplit(2);
    ImGui::GetWindowDrawList()->ChannelsSetCurrent(1);
    draw_side(true, corner.x, sockets, panel);
    const float bottom = ImGui::GetCursorPosY();
    ImGui::SetCursorPos(corner);
    draw_side(false, right, sockets, panel);
    const bool is_over_ports = ImGui::IsAnyItemHovered();
    ImGui::SetCursorPosY(std::max(bottom, ImGui::GetCursorPosY()));
    ImGui::GetWindowDrawList()->ChannelsSetCurrent(0);
    draw_cables(sockets, is_over_ports, panel);
    draw_loose_cable(sockets, panel);
    ImGui::GetWindowDrawList()->ChannelsMerge();
    if (sockets.outputs.empty() && sockets.inputs.empty())
      text("No submix has an output or an input: insert \"stream-out\" and \"stream-in\" slots.",
           color::kDim);
    else
      text("Drag from an output to an input to connect them; click a cable to change it.",
           color::kFaint);
  }
  end_panel();
}

}  // namespace submix::ui
