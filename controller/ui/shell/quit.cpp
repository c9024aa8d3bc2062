// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/quit.hpp"

#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/pages/local_nodes_state.hpp"
#include "controller/ui/panel.hpp"
#include "controller/ui/shell/perform_mode.hpp"

#include <fmt/format.h>

#include <string>

namespace submix::ui {
namespace {

// Null: nothing that others need ends with the window.
const char* what_ends(const PanelState& state) {
  const bool has_nodes = state.local_nodes->is_any_running();
  if (has_nodes && state.quit->has_nats)
    return "The show on this PC ends with this window. Its other PCs run on, but nobody can change "
           "the show until this window is open again.";
  if (has_nodes) return "What this PC plays ends with this window.";
  if (state.quit->has_nats)
    return "All PCs run on without this window, but nobody can change the show until it is open "
           "again.";
  return nullptr;
}

// Empty: the show's file contains all changes. A show without a file counts only if the NATS server
// ends with the window; otherwise the cluster keeps the show.
std::string unsaved_words(bool something_ends, const Panel& panel) {
  const auto& file = panel.view.file;
  if (panel.view.show == nullptr) return {};
  if (file.path.empty())
    return something_ends ? "The show is in no file yet. An autosave is kept all the same." : "";
  if (!file.is_modified) return {};
  return fmt::format("{} does not have the last changes yet. An autosave is kept all the same.",
                     file_name_of(file.path));
}

// The question is over. A dialog that asks for a name would be below it.
void save_instead(Panel& panel) {
  panel.state.quit->is_wanted = false;
  save_show(panel);
}

}  // namespace

void draw_quit_question(Panel& panel) {
  auto& quit = *panel.state.quit;
  refuse_to_quit_while_performing(panel.state);
  if (!quit.is_wanted) return;
  const char* words = what_ends(panel.state);
  const auto unsaved = unsaved_words(words != nullptr, panel);
  if (words == nullptr && unsaved.empty()) {
    quit.is_sure = true;
    return;
  }
  begin_dialog("quit", 520, panel);
  text_in(panel.fonts.strong, "Quit?");
  if (words != nullptr) text_wrapped(words);
  if (!unsaved.empty()) text_wrapped(unsaved, color::kWarning);
  ImGui::Dummy(ImVec2(0, panel.px(6)));
  const ImVec2 size(panel.px(130), panel.reach(32));
  if (ImGui::Button("Quit (Enter)", size)) quit.is_sure = true;
  ImGui::SameLine();
  if (ImGui::Button("Stay (Esc)", size)) quit.is_wanted = false;
  if (!unsaved.empty() && !panel.view.is_read_only) {
    ImGui::SameLine();
    if (ImGui::Button("Save and stay", size)) save_instead(panel);
  }
  end_dialog();
}

}  // namespace submix::ui
