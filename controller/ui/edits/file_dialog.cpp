// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/machine_use.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/edits/this_pc.hpp"
#include "controller/ui/panel.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace submix::ui {
namespace {

namespace fs = std::filesystem;

fs::path usual_folder(const Panel& panel) {
  const auto& recent = panel.state.files->recent;
  if (!panel.view.file.path.empty()) return fs::path(panel.view.file.path).parent_path();
  if (!recent.empty()) return fs::path(recent.front()).parent_path();
  std::error_code unknown;
  const auto present = fs::current_path(unknown);
  const char* home = std::getenv("HOME");
  return unknown && home != nullptr ? fs::path(home) : present;
}

void list(const fs::path& folder, Panel& panel) {
  panel.state.files->folder = folder.string();
  panel.actions.emplace_back(session::ListFolder{folder.string()});
}

void close(Panel& panel) {
  panel.state.files->dialog = FileDialog::none;
}

// Null while the listing is still of another folder: the disk may be slow.
const model::FolderView* listing(const Panel& panel) {
  const auto& folder = panel.view.folder;
  const auto wanted = fs::path(panel.state.files->folder).lexically_normal().string();
  return folder != nullptr && folder->path == wanted ? folder.get() : nullptr;
}

fs::path chosen_path(const Panel& panel) {
  const auto& files = *panel.state.files;
  auto path = fs::path(files.name).is_absolute() ? fs::path(files.name)
                                                 : fs::path(files.folder) / files.name;
  // "set 1.5" already has an extension. A file to open may have any extension.
  const bool is_whole =
      files.dialog == FileDialog::open ? path.has_extension() : path.extension() == ".toml";
  if (!is_whole) path += ".toml";
  return path.lexically_normal();
}

bool is_there(const fs::path& path, const Panel& panel) {
  const auto* folder = listing(panel);
  return folder != nullptr && path.parent_path().lexically_normal() == fs::path(folder->path) &&
         std::ranges::find(folder->entries, path.filename().string(), &model::FolderEntry::name) !=
             folder->entries.end();
}

// A few letters are enough for a file that no other one of the folder is like.
void complete_name(Panel& panel) {
  const auto* folder = listing(panel);
  if (folder == nullptr || is_there(chosen_path(panel), panel)) return;
  const auto is_meant = [&](const model::FolderEntry& entry) {
    return !entry.is_folder && contains(entry.name, panel.state.files->name);
  };
  const auto found = std::ranges::find_if(folder->entries, is_meant);
  if (std::ranges::count_if(folder->entries, is_meant) == 1) panel.state.files->name = found->name;
}

// The first press asks before it overwrites a file; the second press overwrites it.
void accept(Panel& panel) {
  auto& files = *panel.state.files;
  if (files.name.empty()) return;
  if (files.dialog == FileDialog::open) {
    complete_name(panel);
    panel.actions.emplace_back(session::OpenShow{chosen_path(panel).string()});
    return close(panel);
  }
  const auto path = chosen_path(panel).string();
  if (path != panel.view.file.path && is_there(path, panel) && files.replaced != path) {
    files.replaced = path;
    files.warning = path + " is there already: press again to replace it";
    return;
  }
  files.awaited = ++files.tickets;
  panel.actions.emplace_back(session::SaveShow{path, files.replaced == path, *files.awaited});
  files.saved_path = path;
}

// The dialog stays open until the file is written, so that an impossible name is not lost.
void follow_save(Panel& panel) {
  auto& files = *panel.state.files;
  if (files.awaited != panel.view.file.ticket_ended) return;
  files.awaited.reset();
  if (panel.view.file.save_error.empty()) return close(panel);
  files.replaced = files.saved_path;
  files.warning = panel.view.file.save_error + "; press again to write it all the same";
  files.has_focus = false;  // Enter took the keyboard focus from the field
}

void draw_entry(const model::FolderEntry& entry, Panel& panel) {
  auto& files = *panel.state.files;
  const auto label = entry.is_folder ? entry.name + "/" : entry.name;
  if (!ImGui::Selectable(label.c_str(), !entry.is_folder && files.name == entry.name,
                         ImGuiSelectableFlags_AllowDoubleClick, ImVec2(0, panel.reach(0)))) {
    return;
  }
  if (entry.is_folder) return list(fs::path(files.folder) / entry.name, panel);
  files.name = entry.name;
  files.replaced.clear();
  if (ImGui::IsMouseDoubleClicked(0)) accept(panel);
}

void draw_entries(Panel& panel) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, color::kPanel);
  ImGui::BeginChild("entries",
                    ImVec2(0, std::min(panel.px(320), ImGui::GetIO().DisplaySize.y * 0.5F)), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding);
  if (ImGui::Selectable("../", false, 0, ImVec2(0, panel.reach(0))))
    list(fs::path(panel.state.files->folder).parent_path(), panel);
  if (const auto* folder = listing(panel)) {
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(folder->entries.size()));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        draw_entry(folder->entries[static_cast<std::size_t>(i)], panel);
    }
    if (!folder->error.empty()) text(folder->error, color::kWarning);
  } else {
    text("Reading the folder ...", color::kDim);
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

void draw_buttons(const char* verb, bool is_possible, Panel& panel, void (*act)(Panel&)) {
  const ImVec2 size(panel.px(110), panel.reach(32));
  ImGui::BeginDisabled(!is_possible);
  if (ImGui::Button(verb, size)) act(panel);
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Cancel", size)) close(panel);
}

void draw_file(Panel& panel) {
  auto& files = *panel.state.files;
  follow_save(panel);
  if (files.dialog == FileDialog::none) return;
  const bool is_open = files.dialog == FileDialog::open;
  text_in(panel.fonts.strong, is_open ? "Open a show" : "Save the show");
  text_cut(files.folder, ImGui::GetContentRegionAvail().x, color::kDim);
  draw_entries(panel);
  ImGui::SetNextItemWidth(-1);
  if (!std::exchange(files.has_focus, true)) ask_for_keyboard(panel);
  const bool is_entered = ImGui::InputTextWithHint("##name", "name, or a whole path", &files.name,
                                                   ImGuiInputTextFlags_EnterReturnsTrue);
  const bool is_over = !files.replaced.empty() && files.replaced == chosen_path(panel).string();
  if (is_over) text_wrapped(files.warning, color::kWarning);
  const bool is_possible = !files.name.empty() && !files.awaited;
  draw_buttons(is_open ? "Open" : is_over ? "Save again" : "Save", is_possible, panel, &accept);
  if (is_entered && is_possible) accept(panel);
}

struct Format {
  const char* name;
  Size size;
};
constexpr std::array kFormats{
    Format{"1024 x 768 (XGA)", {1024, 768}}, Format{"1280 x 720 (720p)", {1280, 720}},
    Format{"1920 x 1080 (1080p)", {1920, 1080}}, Format{"3840 x 2160 (2160p)", {3840, 2160}}};
constexpr std::array kRates{FrameRate{24, 1}, FrameRate{25, 1}, FrameRate{30000, 1001},
                            FrameRate{30, 1}, FrameRate{50, 1}, FrameRate{60000, 1001},
                            FrameRate{60, 1}};

std::string rate_name(const FrameRate& rate) {
  return fmt::format("{:.5g} fps", rate.frames_per_second());
}

void draw_format(model::NewShow& begun, const Panel& panel) {
  const auto* format = std::ranges::find(kFormats, begun.size, &Format::size);
  if (begin_combo("size", format == kFormats.end() ? "other" : format->name, panel)) {
    for (const auto& choice : kFormats) {
      if (ImGui::Selectable(choice.name, choice.size == begun.size)) begun.size = choice.size;
    }
    end_combo();
  }
  if (begin_combo("rate", rate_name(begun.rate).c_str(), panel)) {
    for (const auto& choice : kRates) {
      if (ImGui::Selectable(rate_name(choice).c_str(), choice == begun.rate)) begun.rate = choice;
    }
    end_combo();
  }
}

void draw_nodes(const Panel& panel, model::NewShow& begun) {
  for (const auto& node : panel.view.nodes) {
    const auto chosen = std::ranges::find(begun.nodes, node.name);
    bool takes_part = chosen != begun.nodes.end();
    if (!ImGui::Checkbox(node.name.c_str(), &takes_part)) continue;
    if (takes_part) {
      begun.nodes.push_back(node.name);
    } else {
      begun.nodes.erase(chosen);
    }
  }
}

// The last node mixes.
void draw_mixing_node(const Panel& panel, std::vector<std::string>& nodes) {
  if (nodes.empty() || !begin_combo("mixes and shows", nodes.back().c_str(), panel)) return;
  const auto names = nodes;
  for (const auto& name : names) {
    if (!ImGui::Selectable(name.c_str(), name == names.back())) continue;
    std::erase(nodes, name);
    nodes.push_back(name);
  }
  end_combo();
}

void begin_show(Panel& panel) {
  panel.actions.emplace_back(session::BeginShow{
      std::make_shared<const show::Show>(model::make_show(panel.state.files->begun))});
  close(panel);
}

void draw_begin(Panel& panel) {
  auto& begun = panel.state.files->begun;
  text_in(panel.fonts.strong, "A new show");
  if (!std::exchange(panel.state.files->has_focus, true)) ask_for_keyboard(panel);
  const bool is_entered =
      ImGui::InputText("name", &begun.name, ImGuiInputTextFlags_EnterReturnsTrue);
  draw_format(begun, panel);
  text("One of these mixes and shows; each other one plays a layer:", color::kDim);
  draw_nodes(panel, begun);
  draw_mixing_node(panel, begun.nodes);
  ImGui::Checkbox("Show the mix in a window there", &begun.has_window);
  if (panel.view.show != nullptr)
    text("A snapshot of the present show is kept, and undo brings it back.", color::kDim);
  draw_buttons("Begin", !begun.name.empty(), panel, &begin_show);
  if (is_entered && !begun.name.empty()) begin_show(panel);
}

}  // namespace

std::vector<std::string> nodes_for_new_show(const model::ClusterView& view,
                                            const model::NodeView& pc) {
  std::vector<const model::NodeView*> nodes;
  for (const auto& node : view.nodes) {
    if (node.health == model::Health::healthy) nodes.push_back(&node);
  }
  const auto place_in_show = [&](const model::NodeView* node) {
    if (view.show == nullptr) return std::ptrdiff_t{0};
    return std::ranges::find(view.show->nodes, node->name, &show::Node::name) -
           view.show->nodes.begin();
  };
  std::ranges::stable_sort(nodes, {}, place_in_show);
  std::ranges::stable_partition(
      nodes, [&](const auto* node) { return !model::are_on_one_machine(*node, pc); });

  std::vector<std::string> names;
  for (const auto* node : nodes)
    names.push_back(node->name);
  return names;
}

void open_dialog(FileDialog dialog, Panel& panel) {
  auto& files = *panel.state.files;
  files.dialog = dialog;
  files.has_focus = false;
  files.awaited.reset();
  files.replaced.clear();
  if (dialog == FileDialog::begin) {
    files.begun = {};
    files.begun.nodes = nodes_for_new_show(panel.view, this_pc());
    return;
  }
  const auto& path = panel.view.file.path;
  const auto show_name = panel.view.show == nullptr ? std::string() : panel.view.show->name;
  files.name = dialog == FileDialog::open ? ""
               : path.empty()             ? show_name
                                          : fs::path(path).filename().string();
  list(usual_folder(panel), panel);
}

void save_show(Panel& panel) {
  if (panel.view.file.path.empty()) return open_dialog(FileDialog::save, panel);
  panel.actions.emplace_back(session::SaveShow{});
}

void draw_file_dialog(Panel& panel) {
  if (panel.state.files->dialog == FileDialog::none) return;
  begin_dialog("file", 620, panel);
  if (panel.state.files->dialog == FileDialog::begin) {
    draw_begin(panel);
  } else {
    draw_file(panel);
  }
  end_dialog();
}

void draw_show_beginnings(Panel& panel) {
  const ImVec2 size(panel.px(150), panel.reach(36));
  if (ImGui::Button("New show ...", size)) open_dialog(FileDialog::begin, panel);
  ImGui::SameLine();
  if (ImGui::Button("Open ...", size)) open_dialog(FileDialog::open, panel);
  for (const auto& path : panel.state.files->recent) {
    if (ImGui::Selectable(path.c_str(), false, 0, ImVec2(0, panel.reach(0))))
      panel.actions.emplace_back(session::OpenShow{path});
  }
}

}  // namespace submix::ui
