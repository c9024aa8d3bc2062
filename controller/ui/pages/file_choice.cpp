// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/file_choice.hpp"

#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/widgets.hpp"

#include <imgui_stdlib.h>

#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kFileWidth = 260;

bool draw_file(const cluster::MediaFile& file, Panel& panel) {
  ImGui::PushID(file.name.c_str());
  const auto corner = ImGui::GetCursorPos();
  const bool is_chosen = ImGui::Selectable("##file");
  ImGui::SetCursorPos(corner);
  text_cut(file.name, panel.px(kFileWidth));
  ImGui::SameLine(panel.px(kFileWidth + 8));
  text(bytes_text(file.bytes), color::kFaint);
  ImGui::PopID();
  return is_chosen;
}

std::optional<ChosenFile> draw_files_of(const std::string& node, const model::MediaView& media,
                                        std::string_view typed, Panel& panel) {
  std::optional<ChosenFile> chosen;
  ImGui::PushID(node.c_str());
  text(fmt::format("Files of {}", node), color::kDim);
  if (!media.error.empty()) text(media.error, color::kWarning);
  if (media.list.files.empty() && media.error.empty())
    text("none in its media folder", color::kFaint);
  for (const auto& file : media.list.files) {
    if (contains(file.name, typed) && draw_file(file, panel)) chosen = ChosenFile{node, file.name};
  }
  if (media.list.is_cut) text("… and more: type the name", color::kFaint);
  ImGui::PopID();
  return chosen;
}

std::optional<ChosenFile> draw_files(const std::string& wanted, std::string_view typed,
                                     Panel& panel) {
  std::optional<ChosenFile> chosen;
  ImGui::BeginChild("media", ImVec2(panel.px(kFileWidth + 90), panel.px(240)));
  if (panel.view.media == nullptr) text("asking the PCs for their files …", color::kFaint);
  const model::MediaLists none;
  for (const auto& [node, media] : panel.view.media == nullptr ? none : *panel.view.media) {
    if (!wanted.empty() && node != wanted) continue;
    if (auto file = draw_files_of(node, media, typed, panel)) chosen = std::move(file);
  }
  ImGui::EndChild();
  return chosen;
}

}  // namespace

void ask_for_media(Panel& panel) {
  for (const auto& node : panel.view.nodes) {
    if (node.health == model::Health::healthy)
      panel.actions.emplace_back(session::AskMedia{node.name});
  }
}

std::optional<ChosenFile> draw_file_choice(std::string& typed, const std::string& node,
                                           Panel& panel) {
  if (ImGui::IsWindowAppearing()) ask_for_keyboard(panel);
  ImGui::SetNextItemWidth(panel.px(kFileWidth));
  const bool is_entered =
      ImGui::InputTextWithHint("##file", "find a file; or type its name, and Enter", &typed,
                               ImGuiInputTextFlags_EnterReturnsTrue);
  auto chosen = draw_files(node, typed, panel);
  if (is_entered && !typed.empty()) chosen = ChosenFile{node, typed};
  if (chosen) typed.clear();
  return chosen;
}

}  // namespace submix::ui
