// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/theme.hpp"

namespace submix::ui {
namespace {

ImVec4 vector_of(ImU32 packed) {
  return ImGui::ColorConvertU32ToFloat4(packed);
}

void set_colors(ImGuiStyle& style) {
  auto* colors = style.Colors;
  colors[ImGuiCol_Text] = vector_of(color::kText);
  colors[ImGuiCol_TextDisabled] = vector_of(color::kDim);
  colors[ImGuiCol_WindowBg] = vector_of(color::kBackground);
  colors[ImGuiCol_ChildBg] = vector_of(color::kPanel);
  colors[ImGuiCol_PopupBg] = vector_of(color::kCard);
  colors[ImGuiCol_Border] = vector_of(color::kBorder);
  colors[ImGuiCol_FrameBg] = vector_of(color::kTrack);
  colors[ImGuiCol_FrameBgHovered] = vector_of(color::present.track_hovered);
  colors[ImGuiCol_FrameBgActive] = vector_of(color::present.track_active);
  colors[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  colors[ImGuiCol_ScrollbarGrab] = vector_of(color::kBorder);
  colors[ImGuiCol_ScrollbarGrabHovered] = vector_of(color::kFaint);
  colors[ImGuiCol_ScrollbarGrabActive] = vector_of(color::kDim);
  colors[ImGuiCol_CheckMark] = vector_of(color::kAccent);
  colors[ImGuiCol_SliderGrab] = vector_of(color::kAccent);
  colors[ImGuiCol_SliderGrabActive] = vector_of(color::kText);
  colors[ImGuiCol_Button] = vector_of(color::kTrack);
  colors[ImGuiCol_ButtonHovered] = vector_of(color::present.track_hovered);
  colors[ImGuiCol_ButtonActive] = vector_of(color::present.track_active);
  colors[ImGuiCol_Header] = vector_of(color::kChosen);
  colors[ImGuiCol_HeaderHovered] = vector_of(color::present.chosen_hovered);
  colors[ImGuiCol_HeaderActive] = vector_of(color::present.chosen_active);
  colors[ImGuiCol_Separator] = vector_of(color::kBorder);
  colors[ImGuiCol_TableBorderLight] = vector_of(color::kBorder);
  colors[ImGuiCol_DragDropTarget] = vector_of(color::kAccent);
  colors[ImGuiCol_ModalWindowDimBg] = ImVec4(0, 0, 0, 0.6F);
  colors[ImGuiCol_NavHighlight] = vector_of(color::kAccent);
}

}  // namespace

void apply_theme(const Appearance& appearance) {
  color::present = scheme_of(appearance.theme);
  const bool is_low_power = appearance.is_low_power;
  ImGuiStyle style;  // a fresh style: ScaleAllSizes() accumulates
  style.WindowPadding = ImVec2(8, 6);
  style.FramePadding = ImVec2(8, 4);
  style.ItemSpacing = ImVec2(8, 6);
  style.ItemInnerSpacing = ImVec2(6, 4);
  style.CellPadding = ImVec2(6, 3);
  style.ScrollbarSize = 11;
  style.GrabMinSize = 10;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.WindowRounding = 0;
  // The software renderer draws each rounded corner as dozens of small triangles.
  const float rounding = is_low_power ? 0.0F : 5.0F;
  style.ChildRounding = style.FrameRounding = style.PopupRounding = style.GrabRounding = rounding;
  style.ScrollbarRounding = rounding;
  style.AntiAliasedLinesUseTex = !is_low_power;
  style.AntiAliasedFill = !is_low_power;
  style.AntiAliasedLines = !is_low_power;
  set_colors(style);
  style.ScaleAllSizes(appearance.scale);
  ImGui::GetStyle() = style;
}

}  // namespace submix::ui
