// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/panels.hpp"
#include "controller/ui/programs.hpp"
#include "controller/ui/widgets.hpp"

#include <array>
#include <utility>

namespace submix::ui {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 8> kKeys{{
    {"Space", "pause and resume the whole cluster"},
    {"Shift+Space", "one frame, while paused"},
    {"Ctrl+Z", "undo"},
    {"Ctrl+Y, Ctrl+Shift+Z", "redo"},
    {"Ctrl +, Ctrl -, Ctrl 0", "larger, smaller, usual size"},
    {"F1", "this list"},
    {"Esc", "close it"},
    {"Ctrl+Q", "quit; the show runs on"},
}};

void draw_command(const char* explanation, const std::string& command, Panel& panel) {
  text(explanation, color::kDim);
  ImGui::PushID(command.c_str());
  ImGui::PushStyleColor(ImGuiCol_ChildBg, color::kCard);
  const float height = panel.fonts.mono->FontSize + panel.px(18);
  ImGui::BeginChild("command", ImVec2(0, height), false, ImGuiWindowFlags_NoScrollbar);
  ImGui::SetCursorPos(ImVec2(panel.px(12), panel.px(9)));
  text_in(panel.fonts.mono, command);
  const float button = width_of("Copy") + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetCursorPos(
      ImVec2(ImGui::GetWindowWidth() - button - panel.px(6), (height - ImGui::GetFrameHeight()) / 2));
  if (ImGui::Button("Copy")) ImGui::SetClipboardText(command.c_str());
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopID();
  ImGui::Dummy(ImVec2(0, panel.px(4)));
}

void draw_connection_words(Panel& panel) {
  const auto& view = panel.view;
  if (view.connection == model::Connection::connected) {
    badge("NATS is connected", color::kGood);
    text(view.connection_text, color::kDim);
    return;
  }
  badge("NATS is out of reach; trying again and again", color::kWarning);
  ImGui::PushTextWrapPos(0);
  text(view.connection_text, color::kDim);
  ImGui::PopTextWrapPos();
}

}  // namespace

void draw_empty_page(Panel& panel) {
  const auto room = ImGui::GetWindowSize();
  const float width = std::min(panel.px(640), room.x - panel.px(48));
  ImGui::SetCursorPos(ImVec2((room.x - width) / 2, std::max(panel.px(24), room.y * 0.14F)));
  ImGui::BeginChild("empty", ImVec2(width, 0), false, ImGuiWindowFlags_NoBackground);
  text_in(panel.fonts.large, "No node yet");
  ImGui::PushTextWrapPos(0);
  text(
      "Submix joins several PCs to one machine for live visuals. Each of them runs submix-node; this window "
      "shows them as soon as they appear, and needs no restart.",
      color::kDim);
  ImGui::PopTextWrapPos();
  ImGui::Dummy(ImVec2(0, panel.px(6)));
  draw_connection_words(panel);
  ImGui::Dummy(ImVec2(0, panel.px(12)));
  draw_command("See it all on this machine, with three nodes and a clip:", command_of("submix") + " demo",
               panel);
  draw_command("Or start a node yourself:", command_of("submix-node") + " --name left", panel);
  draw_command("and give the cluster a show:", command_of("submix") + " apply SHOW.toml", panel);
  draw_command("To join other PCs, make a key once and copy the file to each of them:",
               command_of("submix") + " key new show.key", panel);
  ImGui::EndChild();
}

void draw_help(Panel& panel) {
  if (!panel.state.is_help_open) return;
  const auto screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y / 2), ImGuiCond_Always, ImVec2(0.5F, 0.5F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(24), panel.px(20)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color::kCard);
  ImGui::Begin("help", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize);
  text_in(panel.fonts.strong, "Keys");
  ImGui::Dummy(ImVec2(0, panel.px(4)));
  if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
    for (const auto& [keys, meaning] : kKeys) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      text(keys);
      ImGui::TableNextColumn();
      text(meaning, color::kDim);
    }
    ImGui::EndTable();
  }
  ImGui::Dummy(ImVec2(0, panel.px(4)));
  text("Drag a submix onto a node to run it there. Right-click a parameter's name to reset it.", color::kDim);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace submix::ui
