// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/recorded_panel.hpp"

#include "controller/local/programs.hpp"
#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/this_pc.hpp"

#include <SDL_misc.h>

#include <filesystem>
#include <string>

namespace submix::ui {
namespace {

// Only folders: a node's words must not start a program here. Empty: it opens.
std::string why_not_opened(const std::filesystem::path& folder) {
  std::error_code failed;
  if (!std::filesystem::is_directory(folder, failed))
    return "is not there any more: look where it was moved";
  // SDL starts this program, and does not notice if it is missing.
  if (!local::is_in_path("xdg-open"))
    return "needs xdg-open: install xdg-utils, or use a file manager";
  return SDL_OpenURL(folder.c_str()) == 0 ? "" : "does not open: use a file manager";
}

void open_folder_of(const model::RecordedFile& recorded, Panel& panel) {
  const auto folder = std::filesystem::path(recorded.path).parent_path();
  const auto why = why_not_opened(folder);
  if (why.empty()) return;
  panel.state.notice =
      OwnNotice{fmt::format("the folder {} {}", folder.string(), why), LocalTime::clock::now()};
}

void draw_recorded_file(const model::RecordedFile& recorded, Panel& panel) {
  ImGui::PushID(recorded.node.c_str());
  ImGui::PushID(recorded.slot.c_str());
  if (ImGui::Button("Copy path")) {
    ImGui::SetClipboardText(recorded.path.c_str());
    ImGui::CloseCurrentPopup();
  }
  tooltip("Earlier films lie beside it");
  ImGui::SameLine();
  const auto* node = panel.view.find_node(recorded.node);
  if (node != nullptr && is_on_this_pc(*node)) {
    if (ImGui::Button("Open folder")) {
      open_folder_of(recorded, panel);
      ImGui::CloseCurrentPopup();
    }
    tooltip("In the file manager of this PC");
    ImGui::SameLine();
  }
  ImGui::AlignTextToFramePadding();
  text(FrameText("{} recorded on {}: {}", recorded.slot, recorded.node, recorded.path),
       color::kDim);
  ImGui::PopID();
  ImGui::PopID();
}

}  // namespace

void draw_recorded_menu(Panel& panel) {
  const FingerStyle fingers(panel);
  if (!ImGui::BeginPopupContextItem("recorded")) return;
  for (const auto& recorded : panel.view.recorded)
    draw_recorded_file(recorded, panel);
  draw_learn_item(input::TransportTarget::record, panel);
  ImGui::EndPopup();
}

}  // namespace submix::ui
