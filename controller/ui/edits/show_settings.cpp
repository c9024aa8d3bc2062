// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog with the settings of the whole show: its name, size and rate, the frames in flight of
// each submix, and the nodes that it names. Each change is an edit of its own with its own undo
// step.
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/sound_choice.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <charconv>

namespace submix::ui {
namespace {

constexpr int kRowsShown = 6;

// The text typed into a field, once Enter is pressed or the field loses the focus.
std::optional<std::string> typed(const char* id, const std::string& present, float width,
                                 Panel& panel) {
  const auto key = fmt::format("show settings {}", static_cast<unsigned>(ImGui::GetID(id)));
  auto words = panel.state.texts.try_emplace(key, present).first;
  ImGui::SetNextItemWidth(width);
  ImGui::InputText(id, &words->second, ImGuiInputTextFlags_EnterReturnsTrue);
  const bool is_left = ImGui::IsItemDeactivatedAfterEdit();  // also by Enter
  auto changed = is_left && words->second != present ? std::optional(words->second) : std::nullopt;
  if (!ImGui::IsItemActive()) panel.state.texts.erase(words);
  return changed;
}

// Accepts "1280x720" and "1280 x 720".
Result<model::Edit> size_edit(std::string words) {
  std::erase(words, ' ');
  const char* end = words.data() + words.size();
  Size size;
  const auto [cross, width_error] = std::from_chars(words.data(), end, size.width);
  const bool has_cross = width_error == std::errc() && cross != end && *cross == 'x';
  const auto [stop, error] = std::from_chars(has_cross ? cross + 1 : end, end, size.height);
  if (!has_cross || error != std::errc() || stop != end)
    return fail("size \"{}\": write width and height, as 1280x720", words.substr(0, 40));
  return model::SetShowSize{size};
}

void draw_format(const show::Show& show, Panel& panel) {
  const float width = panel.px(240);
  if (auto name = typed("name", show.name, width, panel))
    edit_show(model::Edit(model::SetShowName{*std::move(name)}), Gesture::none, panel);
  const auto size = fmt::format("{}x{}", show.size.width, show.size.height);
  if (const auto words = typed("size", size, width, panel))
    edit_show(size_edit(*words), Gesture::none, panel);
  if (const auto words = typed("frames per second", show::to_string(show.rate), width, panel)) {
    const auto rate = show::parse_frame_rate(*words);
    edit_show(rate ? Result<model::Edit>(model::SetShowRate{*rate}) : tl::unexpected(rate.error()),
              Gesture::none, panel);
  }
  if (const auto words =
          typed("frames of delay, or least", show::delay_text(show.delay_frames), width, panel)) {
    const auto frames = show::parse_delay(*words);
    edit_show(
        frames ? Result<model::Edit>(model::SetShowDelay{*frames}) : tl::unexpected(frames.error()),
        Gesture::none, panel);
  }
  draw_sound_choice("sound", width, panel);
}

// A table with a row `draw(thing)` for each visible thing of `things`. ImGui's ids keep typed text
// with its thing.
template <typename Things, typename Draw>
void draw_rows(const char* id, const Things& things, int columns, Draw draw) {
  const float row = ImGui::GetFrameHeightWithSpacing();
  const float height =
      row * static_cast<float>(std::clamp<std::size_t>(things.size(), 1, kRowsShown));
  if (!ImGui::BeginTable(id, columns, ImGuiTableFlags_ScrollY, ImVec2(0, height))) return;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(things.size()), row);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto& thing = things[static_cast<std::size_t>(i)];
      ImGui::PushID(thing.name.c_str());
      ImGui::TableNextRow();
      draw(thing);
      ImGui::PopID();
    }
  }
  ImGui::EndTable();
}

void draw_frames(const show::Submix& submix, Panel& panel) {
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  text_cut(submix.name, ImGui::GetContentRegionAvail().x);
  ImGui::TableNextColumn();
  int frames = submix.frames_in_flight;
  ImGui::SetNextItemWidth(panel.px(110));
  if (ImGui::InputInt("##frames", &frames, 1, 4, ImGuiInputTextFlags_EnterReturnsTrue))
    // A notice tells the limits.
    edit_show(model::Edit(model::SetFramesInFlight{submix.name, frames}), Gesture::none, panel);
  ImGui::SameLine();
  text(submix.frames_in_flight == 0 ? "as many as needed" : "at most", color::kDim);
}

void draw_node(const show::Show& show, const show::Node& node, Panel& panel) {
  ImGui::TableNextColumn();
  if (const auto name = typed("##node", node.name, panel.px(160), panel))
    edit_show(model::rename_node(show, node.name, *name), Gesture::none, panel);
  tooltip(node.description);
  ImGui::TableNextColumn();
  std::string runs;
  for (const auto& submix : show.submixes) {
    if (submix.node == node.name) runs += (runs.empty() ? "runs " : ", ") + submix.name;
  }
  ImGui::AlignTextToFramePadding();
  text_cut(runs.empty() ? "runs nothing" : runs, ImGui::GetContentRegionAvail().x, color::kDim);
  ImGui::TableNextColumn();
  if (ImGui::Button("Remove", ImVec2(panel.px(80), 0)))
    edit_show(model::delete_node(show, node.name), Gesture::none, panel);
}

void draw_new_node(const show::Show& show, Panel& panel) {
  auto& name = panel.state.editing->settings.new_node;
  ImGui::SetNextItemWidth(panel.px(160));
  const bool is_entered = ImGui::InputTextWithHint("##new node", "another node", &name,
                                                   ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  ImGui::BeginDisabled(name.empty());
  const bool is_pressed = ImGui::Button("Add");
  ImGui::EndDisabled();
  if ((!is_entered && !is_pressed) || name.empty()) return;
  const auto edit = model::add_node(show, name, "");
  edit_show(edit, Gesture::none, panel);
  if (edit) name.clear();
}

void draw_all(const show::Show& show, Panel& panel) {
  text_in(panel.fonts.strong, "Show settings");
  draw_format(show, panel);
  text("Frames on their way at once", color::kDim);
  draw_rows("frames", show.submixes, 2, [&](const auto& submix) { draw_frames(submix, panel); });
  text("Nodes", color::kDim);
  draw_rows("nodes", show.nodes, 3, [&](const auto& node) { draw_node(show, node, panel); });
  draw_new_node(show, panel);
  ImGui::Dummy(ImVec2(0, panel.px(4)));
  if (ImGui::Button("Close", ImVec2(panel.px(110), panel.reach(32))))
    panel.state.editing->settings = {};
}

}  // namespace

void draw_show_settings(Panel& panel) {
  if (!panel.state.editing->settings.is_open) return;
  const auto show = panel.view.show;
  if (show == nullptr) {
    panel.state.editing->settings = {};
    return;
  }
  begin_dialog("show settings", 560, panel);
  draw_all(*show, panel);
  end_dialog();
}

}  // namespace submix::ui
