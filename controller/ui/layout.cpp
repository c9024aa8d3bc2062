// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/layout.hpp"

#include "controller/ui/format.hpp"
#include "controller/ui/widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace submix::ui {
namespace {

constexpr float kGap = 8;  // between panels, unscaled

struct Place {
  const char* name;
  ImVec2 corner;
  ImVec2 size;
};

void put(const Place& place, Panel& panel, void (*draw)(Panel&)) {
  ImGui::SetCursorPos(place.corner);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild(place.name, place.size, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  draw(panel);
  ImGui::EndChild();
}

// A report may be left over from the last show; telemetry is from the living.
bool has_been_seen(const model::NodeView& node) {
  return node.uptime.count() > 0;
}

// Whatever is selected may be gone with the next show.
void choose_what_is_shown(Panel& panel) {
  auto& state = panel.state;
  const auto& submixes = panel.view.submixes;
  if (submixes.empty()) return;
  const auto final_one = std::ranges::find(submixes, true, &model::SubmixView::is_final);
  const auto& usual = final_one == submixes.end() ? submixes.front().name : final_one->name;
  if (panel.view.find_submix(state.selected_submix) == nullptr) state.selected_submix = submixes.front().name;
  const bool has_slot = state.picture.slot.empty() ||
                        panel.view.show->find_slot({state.picture.submix, state.picture.slot}) != nullptr;
  if (panel.view.find_submix(state.picture.submix) == nullptr || !has_slot) state.picture = {usual, {}};
}

/// Two panels, one above the other.
struct Column {
  float x = 0;
  float width = 0;
  float wanted = 0;  // height of the upper one
  float least = 0.25F;
  float most = 0.7F;
};

void draw_column(const Column& column, float top, float height, Panel& panel, void (*upper)(Panel&),
                 void (*lower)(Panel&)) {
  const float gap = panel.px(kGap);
  const float split = std::round(std::clamp(column.wanted, height * column.least, height * column.most));
  ImGui::PushID(static_cast<int>(column.x));
  put({"upper", {column.x, top}, {column.width, split}}, panel, upper);
  put({"lower", {column.x, top + split + gap}, {column.width, height - split - gap}}, panel, lower);
  ImGui::PopID();
}

void draw_panels(Panel& panel, float top) {
  const auto screen = ImGui::GetIO().DisplaySize;
  const float gap = panel.px(kGap);
  const float left = std::round(std::clamp(screen.x * 0.22F, panel.px(260), panel.px(360)));
  const float right = std::round(std::clamp(screen.x * 0.26F, panel.px(280), panel.px(460)));
  const float middle = screen.x - left - right - 4 * gap;
  const float events = std::round(std::clamp(screen.y * 0.13F, panel.px(90), panel.px(170)));
  const float height = screen.y - top - events - 2 * gap;
  const Column nodes{gap, left, nodes_height(panel)};
  const Column links{2 * gap + left, middle, links_height(panel), 0.2F, 0.6F};
  const Column preview{3 * gap + left + middle, right, preview_height(panel, right), 0.3F, 0.65F};
  draw_column(nodes, top, height, panel, draw_nodes_panel, draw_submixes_panel);
  draw_column(links, top, height, panel, draw_links_panel, draw_queues_panel);
  draw_column(preview, top, height, panel, draw_preview_panel, draw_patch_panel);
  put({"events", {gap, top + height + gap}, {screen.x - 2 * gap, events}}, panel, draw_events_panel);
}

// Nothing on the screen is true any more: said as large as that is.
float draw_lost_banner(Panel& panel, float top) {
  if (panel.view.connection != model::Connection::lost) return 0;
  const float height = panel.px(34);
  const auto width = ImGui::GetIO().DisplaySize.x;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(0, top), ImVec2(width, top + height), color::kBad);
  ImGui::SetCursorPos(ImVec2(panel.px(14), top + std::round((height - panel.fonts.strong->FontSize) / 2)));
  const auto words = fmt::format(
      "NATS is out of reach since {} ({}). The show runs on; what you see here is as it was {} ago.",
      clock_text(panel.view.connection_since), panel.view.connection_text,
      duration_text(panel.view.now - panel.view.connection_since));
  text_in(panel.fonts.strong, words, color::kOnBright);
  return height;
}

}  // namespace

void draw_layout(Panel& panel) {
  choose_what_is_shown(panel);
  const auto screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(screen);
  constexpr auto kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                          ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus |
                          ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoSavedSettings;
  ImGui::Begin("submix", nullptr, kFlags);
  const float bar = panel.px(58);
  put({"top", {0, 0}, {screen.x, bar}}, panel, draw_top_bar);
  if (std::ranges::any_of(panel.view.nodes, has_been_seen)) {
    draw_panels(panel, bar + draw_lost_banner(panel, bar) + panel.px(kGap));
  } else {
    put({"page", {0, bar}, {screen.x, screen.y - bar}}, panel, draw_empty_page);
  }
  ImGui::End();
  draw_notices(panel);
  draw_help(panel);
}

std::vector<session::PictureKey> pictures_shown(const Panel& panel) {
  std::vector<session::PictureKey> keys;
  if (!panel.state.picture.submix.empty()) keys.push_back(panel.state.picture);
  for (const auto& submix : panel.view.submixes) {
    const session::PictureKey key{submix.name, {}};
    if (key != panel.state.picture) keys.push_back(key);
  }
  return keys;
}

}  // namespace submix::ui
