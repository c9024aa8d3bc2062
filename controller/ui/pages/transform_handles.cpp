// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/transform_handles.hpp"

#include "common/base/written_number.hpp"
#include "common/show/lookup.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/mix_controls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kHandle = 12;       // of a corner
constexpr float kKnobAbove = 26;    // the knob's distance from the frame
constexpr double kScaleMin = 0.02;  // these three as in the plugin's description
constexpr double kScaleMax = 8;
constexpr double kShiftMax = 1.5;
constexpr double kTextSizeMin = 0.01;  // these two as in the text's description
constexpr double kTextSizeMax = 1;
constexpr double kSnapDegrees = 2;  // of a turn, to right angles

/// The layer's frame, or a text's, on the screen.
struct FrameOnScreen {
  show::Port slot;
  TransformDrag now;  ///< the values
  ImVec2 middle;
  ImVec2 picture;  ///< size of the whole picture
  ImVec2 whole;    ///< size at a scale of 1
  bool is_text = false;

  /// A point of the layer, from its middle in halves of its size.
  [[nodiscard]] ImVec2 point(float across, float down) const {
    const auto angle = static_cast<float>(now.rotation * std::numbers::pi / 180);
    const auto scale = static_cast<float>(now.scale);
    const float x = across * whole.x / 2 * scale;
    const float y = down * whole.y / 2 * scale;
    return {middle.x + x * std::cos(angle) - y * std::sin(angle),
            middle.y + x * std::sin(angle) + y * std::cos(angle)};
  }
};

float distance(ImVec2 a, ImVec2 b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

double degrees_between(ImVec2 from, ImVec2 to) {
  return std::atan2(to.y - from.y, to.x - from.x) * 180 / std::numbers::pi;
}

// From -180 to 180, and at a right angle when close to it.
double as_rotation(double degrees) {
  const double whole = std::remainder(degrees, 360);
  const double right = std::round(whole / 90) * 90;
  return std::abs(whole - right) < kSnapDegrees ? right : whole;
}

constexpr float kWiderLetters = 1.4F;  // bold ones of the usual font than this window's

// About: the letters of this window stand for the text's.
ImVec2 text_at_size_1(const std::string& text, ImVec2 picture) {
  const float height = ImGui::GetFontSize();
  const auto letters = ImGui::CalcTextSize(text.c_str());
  return {std::max(letters.x, height) / height * picture.y * kWiderLetters,
          std::max(letters.y, height) / height * picture.y};
}

std::optional<FrameOnScreen> frame_of(ImVec2 corner, ImVec2 size, const Panel& panel) {
  const auto* submix = chosen_submix(panel);
  const auto* slot = chosen_slot(panel);
  if (submix == nullptr || slot == nullptr || slot->is_bypassed) return std::nullopt;
  const bool is_text = slot->plugin == model::kTextPlugin || slot->plugin == model::kTitlePlugin;
  if (!is_text && slot->plugin != model::kTransformPlugin) return std::nullopt;
  FrameOnScreen frame{.slot = {submix->name, slot->name},
                      .now = {},
                      .middle = {},
                      .picture = size,
                      .whole = size,
                      .is_text = is_text};
  const auto read = [&](std::string_view name, double& value) {
    if (const auto* found = value_as<double>(frame.slot, name, panel)) value = *found;
  };
  read("x", frame.now.x);
  read("y", frame.now.y);
  read(is_text ? "size" : "scale", frame.now.scale);
  read("rotation", frame.now.rotation);
  if (const auto* text = value_as<std::string>(frame.slot, "text", panel); text && is_text)
    frame.whole = text_at_size_1(*text, size);
  frame.middle = {corner.x + size.x * (0.5F + static_cast<float>(frame.now.x)),
                  corner.y + size.y * (0.5F + static_cast<float>(frame.now.y))};
  return frame;
}

model::SetParameter value(const FrameOnScreen& frame, const char* name, double value, double least,
                          double most) {
  return {frame.slot, name, std::clamp(as_written(static_cast<float>(value)), least, most)};
}

/// Something that can be dragged. True while it is. At the begin of the drag the state is kept.
bool is_dragged(const char* id, ImVec2 low, ImVec2 high, const FrameOnScreen& frame, Panel& panel) {
  if (high.x <= low.x || high.y <= low.y) return false;
  ImGui::SetCursorScreenPos(low);
  ImGui::InvisibleButton(id, ImVec2(high.x - low.x, high.y - low.y));
  if (begin_gesture_when_pressed(panel)) {
    auto& drag = panel.state.perform->transform;
    drag = frame.now;
    drag.mouse = ImGui::GetIO().MousePos;
  }
  return ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0);
}

bool is_handle_dragged(const char* id, ImVec2 middle, const FrameOnScreen& frame, Panel& panel) {
  const float half = panel.px(kHandle / 2 + 3);
  return is_dragged(id, ImVec2(middle.x - half, middle.y - half),
                    ImVec2(middle.x + half, middle.y + half), frame, panel);
}

void move(const FrameOnScreen& frame, Panel& panel) {
  const auto& begin = panel.state.perform->transform;
  const auto mouse = ImGui::GetIO().MousePos;
  const auto share = [](float way, float all) { return static_cast<double>(way / all); };
  model::EditGroup edits{fmt::format("move {}", frame.slot.submix), {}};
  edits.edits.emplace_back(value(frame, "x",
                                 begin.x + share(mouse.x - begin.mouse.x, frame.picture.x),
                                 -kShiftMax, kShiftMax));
  edits.edits.emplace_back(value(frame, "y",
                                 begin.y + share(mouse.y - begin.mouse.y, frame.picture.y),
                                 -kShiftMax, kShiftMax));
  edit_show(model::Edit(std::move(edits)), Gesture::go_on, panel);
}

void scale(const FrameOnScreen& frame, Panel& panel) {
  const auto& begin = panel.state.perform->transform;
  const auto before = static_cast<double>(distance(begin.mouse, frame.middle));
  const auto now = static_cast<double>(distance(ImGui::GetIO().MousePos, frame.middle));
  if (before <= 1) return;
  const auto wanted = begin.scale * now / before;
  edit_show(frame.is_text ? value(frame, "size", wanted, kTextSizeMin, kTextSizeMax)
                          : value(frame, "scale", wanted, kScaleMin, kScaleMax),
            Gesture::go_on, panel);
}

void turn(const FrameOnScreen& frame, Panel& panel) {
  const auto& begin = panel.state.perform->transform;
  const double by = degrees_between(frame.middle, ImGui::GetIO().MousePos) -
                    degrees_between(frame.middle, begin.mouse);
  edit_show(value(frame, "rotation", as_rotation(begin.rotation + by), -180, 180), Gesture::go_on,
            panel);
}

/// A part of the screen, by two opposite corners.
struct PictureArea {
  ImVec2 low;
  ImVec2 high;
};

// A handle beyond the picture's edge waits at the edge.
ImVec2 inside_picture(const PictureArea& picture, ImVec2 point, const Panel& panel) {
  const float margin = panel.px(kHandle);
  return {std::clamp(point.x, picture.low.x + margin, picture.high.x - margin),
          std::clamp(point.y, picture.low.y + margin, picture.high.y - margin)};
}

std::array<ImVec2, 4> corners_of(const FrameOnScreen& frame, const PictureArea& picture,
                                 const Panel& panel) {
  return {inside_picture(picture, frame.point(-1, -1), panel),
          inside_picture(picture, frame.point(1, -1), panel),
          inside_picture(picture, frame.point(1, 1), panel),
          inside_picture(picture, frame.point(-1, 1), panel)};
}

// From the frame's middle to the middle of its upper edge.
float reach_of(const FrameOnScreen& frame) {
  return std::max(distance(frame.point(0, -1), frame.middle), 1.0F);
}

ImVec2 knob_of(const FrameOnScreen& frame, const PictureArea& picture, const Panel& panel) {
  const auto top = frame.point(0, -1);
  const float above = panel.px(kKnobAbove) / reach_of(frame);
  const ImVec2 knob(top.x + (top.x - frame.middle.x) * above,
                    top.y + (top.y - frame.middle.y) * above);
  return inside_picture(picture, knob, panel);
}

// Where a drag moves the frame.
PictureArea movable_area(const FrameOnScreen& frame, const PictureArea& picture,
                         const Panel& panel) {
  const float margin = panel.px(kHandle);
  const float down = std::max(margin, reach_of(frame));
  const float across =
      frame.is_text ? std::max(margin, distance(frame.point(1, 0), frame.middle)) : down;
  return {ImVec2(std::max(frame.middle.x - across, picture.low.x),
                 std::max(frame.middle.y - down, picture.low.y)),
          ImVec2(std::min(frame.middle.x + across, picture.high.x),
                 std::min(frame.middle.y + down, picture.high.y))};
}

void draw_frame(const FrameOnScreen& frame, const std::array<ImVec2, 4>& corners, ImVec2 knob,
                const Panel& panel) {
  auto* draw = ImGui::GetWindowDrawList();
  const std::array<ImVec2, 4> outline{frame.point(-1, -1), frame.point(1, -1), frame.point(1, 1),
                                      frame.point(-1, 1)};
  draw->AddPolyline(outline.data(), static_cast<int>(outline.size()), color::kAccent,
                    ImDrawFlags_Closed, panel.px(2));
  if (!frame.is_text) {
    draw->AddLine(frame.point(0, -1), knob, color::kAccent, panel.px(2));
    draw->AddCircleFilled(knob, panel.px(kHandle / 2), color::kAccent);
  }
  const float half = panel.px(kHandle / 2);
  for (const auto& corner : corners)
    draw->AddRectFilled(ImVec2(corner.x - half, corner.y - half),
                        ImVec2(corner.x + half, corner.y + half), color::kAccent);
}

}  // namespace

void draw_transform_handles(ImVec2 corner, ImVec2 size, Panel& panel) {
  const auto frame = frame_of(corner, size, panel);
  if (!frame || std::min(size.x, size.y) < 4 * panel.px(kHandle)) return;
  const PictureArea picture{corner, ImVec2(corner.x + size.x, corner.y + size.y)};
  ImGui::PushClipRect(picture.low, picture.high, true);
  const auto corners = corners_of(*frame, picture, panel);
  const auto knob = knob_of(*frame, picture, panel);

  // The first of them under the mouse gets it.
  if (!frame->is_text && is_handle_dragged("turn", knob, *frame, panel)) turn(*frame, panel);
  constexpr std::array<const char*, 4> kIds{"scale1", "scale2", "scale3", "scale4"};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (is_handle_dragged(kIds[i], corners[i], *frame, panel)) scale(*frame, panel);
  }
  const auto inside = movable_area(*frame, picture, panel);
  if (is_dragged("transform", inside.low, inside.high, *frame, panel)) move(*frame, panel);

  draw_frame(*frame, corners, knob, panel);
  ImGui::PopClipRect();
}

}  // namespace submix::ui
