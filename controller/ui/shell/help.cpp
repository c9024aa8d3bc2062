// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/help.hpp"

#include "controller/local/programs.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/pages/local_nodes_state.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/shell/commands.hpp"
#include "controller/ui/shell/guide.hpp"
#include "controller/ui/shell/nearby_button.hpp"
#include "controller/ui/shell/pc_check.hpp"
#include "controller/ui/shell/several_pcs.hpp"
#include "controller/ui/shell/tour.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace submix::ui {
namespace {

/// A row of the list of keys. Without keys it is a group's title.
struct KeyLine {
  std::string keys;
  std::string meaning;
};

std::vector<KeyLine> key_lines() {
  std::vector<KeyLine> lines;
  std::string_view group;
  for (const auto& command : commands()) {
    if (command.keys[0].key == 0) continue;
    if (command.group != group) lines.push_back({{}, std::string(group = command.group)});
    lines.push_back({keys_text(command), std::string(command.title)});
  }
  lines.push_back({{}, "Pages"});
  for (std::size_t i = 0; i < pages().size(); ++i)
    lines.push_back({keys_text(page_key(i)), fmt::format("show {}", pages()[i].title)});
  lines.push_back({"Esc", "close menus, dialogs and other overlays"});
  return lines;
}

void draw_key(const KeyLine& line, Panel& panel) {
  ImGui::TableNextColumn();
  if (line.keys.empty()) return text_in(panel.fonts.strong, line.meaning);
  text(line.keys);
  ImGui::TableNextColumn();
  text(line.meaning, color::kDim);
}

// In columns: a single column of all keys would be higher than many windows.
void draw_keys(Panel& panel) {
  static const auto kLines = key_lines();
  const auto half = (kLines.size() + 1) / 2;
  for (std::size_t column = 0; column < 2; ++column) {
    if (column > 0) ImGui::SameLine(0, panel.px(28));
    if (!ImGui::BeginTable(column == 0 ? "keys" : "more keys", 2,
                           ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoHostExtendX))
      continue;
    for (auto i = column * half; i < std::min(kLines.size(), (column + 1) * half); ++i) {
      ImGui::TableNextRow();
      draw_key(kLines[i], panel);
    }
    ImGui::EndTable();
  }
}

// True: it was turned to the other one.
bool draw_help_tabs(bool& has_keys, Panel& panel) {
  const bool had_keys = has_keys;
  if (lit_button("Guide", !has_keys)) has_keys = false;
  ImGui::SameLine();
  if (lit_button("Keys", has_keys)) has_keys = true;
  ImGui::Dummy(ImVec2(0, panel.px(4)));
  return has_keys != had_keys;
}

void draw_command(const char* explanation, const std::string& command, Panel& panel) {
  text(explanation, color::kDim);
  ImGui::PushID(command.c_str());
  ImGui::PushStyleColor(ImGuiCol_ChildBg, color::kCard);
  const float height = panel.fonts.mono->FontSize + panel.px(18);
  ImGui::BeginChild("command", ImVec2(0, height), false, ImGuiWindowFlags_NoScrollbar);
  ImGui::SetCursorPos(ImVec2(panel.px(12), panel.px(9)));
  text_in(panel.fonts.mono, command);
  const float button = width_of("Copy") + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetCursorPos(ImVec2(ImGui::GetWindowWidth() - button - panel.px(6),
                             (height - ImGui::GetFrameHeight()) / 2));
  if (ImGui::Button("Copy")) ImGui::SetClipboardText(command.c_str());
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopID();
  ImGui::Dummy(ImVec2(0, panel.px(4)));
}

// While the connection stands there is nothing to say: the top bar shows it.
void draw_connection_trouble(const model::ClusterView& view) {
  if (view.connection == model::ConnectionState::connected) return;
  badge("The show's server is out of reach; trying again and again", color::kWarning);
  text_wrapped(view.connection_text, color::kDim);
}

// A show that is there already waits for its PCs.
bool has_show_of_pcs(const model::ClusterView& view) {
  return view.show != nullptr && !view.show->nodes.empty();
}

std::string words_of_local_start(const model::ClusterView& view) {
  if (has_show_of_pcs(view))
    return fmt::format("All PCs of the show \"{}\", on this PC. It ends with this window.",
                       view.show->name);
  return "Two layers with test pictures, and their mix. It ends with this window.";
}

// One press starts nodes and a show.
void draw_local_start(Panel& panel) {
  auto& nodes = *panel.state.local_nodes;
  if (nodes.are_started || nodes.are_wanted) {
    badge("The show starts", color::kAccent);
  } else if (ImGui::Button(
                 has_show_of_pcs(panel.view) ? "Start it on this PC" : "Start a show on this PC",
                 ImVec2(panel.px(280), panel.px(40)))) {
    nodes.are_wanted = true;
  }
  text_wrapped(words_of_local_start(panel.view), color::kDim);
  if (!nodes.error.empty()) text_wrapped(nodes.error, color::kBad);
  draw_nearby_invitation(panel);
  if (ImGui::Button("Play with several PCs")) show_several_pcs(panel);
  ImGui::SameLine();
  if (ImGui::Button("Check this PC for a show")) check_this_pc(panel);
  ImGui::Dummy(ImVec2(0, panel.px(24)));
}

}  // namespace

void draw_empty_page(Panel& panel) {
  const auto room = ImGui::GetWindowSize();
  const float width = std::min(panel.px(640), room.x - panel.px(48));
  ImGui::SetCursorPos(ImVec2((room.x - width) / 2, std::max(panel.px(24), room.y * 0.14F)));
  ImGui::BeginChild("empty", ImVec2(width, 0), false, ImGuiWindowFlags_NoBackground);
  if (has_show_of_pcs(panel.view)) {
    text_in(panel.fonts.large, fmt::format("\"{}\" stands still", panel.view.show->name));
    text_wrapped("None of its PCs is here. It goes on when they are.", color::kDim);
  } else {
    text_in(panel.fonts.large, "No show yet");
    text_wrapped(
        "A show plays on this PC alone, or on several PCs together. Other PCs can join later, "
        "while it runs.",
        color::kDim);
  }
  draw_connection_trouble(panel.view);
  ImGui::Dummy(ImVec2(0, panel.px(12)));
  draw_local_start(panel);
  // Looked up once: a folder of PATH may be on a slow disk.
  static const std::string kNode = local::command_of("submix-node") + " --name left";
  draw_command("For a PC without a window, this command plays layers:", kNode, panel);
  ImGui::EndChild();
}

// Nodes are there, but no show.
void draw_showless_page(Panel& panel) {
  const auto room = ImGui::GetWindowSize();
  const float width = std::min(panel.px(640), room.x - panel.px(48));
  ImGui::SetCursorPos(ImVec2((room.x - width) / 2, std::max(panel.px(24), room.y * 0.14F)));
  ImGui::BeginChild("showless", ImVec2(width, 0), false, ImGuiWindowFlags_NoBackground);
  text_in(panel.fonts.large, "Ready for a show");
  text("These can play in it:", color::kDim);
  for (const auto& node : panel.view.nodes)
    badge(fmt::format("{}, {}", node.name, to_string(node.health)), color_of(node.health));
  if (!panel.view.show_error.empty()) {
    text_wrapped("The cluster has a show that cannot be read: " + panel.view.show_error,
                 color::kBad);
  }
  ImGui::Dummy(ImVec2(0, panel.px(12)));
  draw_show_beginnings(panel);
  ImGui::EndChild();
}

void draw_help(Panel& panel) {
  if (!panel.state.is_help_open) return;
  const auto screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y / 2), ImGuiCond_Always, ImVec2(0.5F, 0.5F));
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), screen);  // the rest is scrolled
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(24), panel.px(20)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color::kCard);
  ImGui::Begin("help", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize);
  bool& has_keys = panel.state.has_keys_in_help;
  const bool is_new = ImGui::IsWindowAppearing();
  const bool has_turned = draw_help_tabs(has_keys, panel);
  if (has_keys) {
    draw_keys(panel);
  } else {
    draw_guide(ImVec2(std::min(panel.px(700), screen.x * 0.8F), screen.y * 0.7F),
               is_new || has_turned, panel);
  }
  ImGui::Dummy(ImVec2(0, panel.px(4)));
  if (can_begin_tour(panel) && ImGui::Button("The tour in five steps")) begin_tour(panel);
  if (can_begin_tour(panel)) ImGui::SameLine();
  if (ImGui::Button("Check this PC for a show")) {
    panel.state.is_help_open = false;
    check_this_pc(panel);
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace submix::ui
