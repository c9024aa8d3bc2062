// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/missing_files.hpp"

#include "common/show/text.hpp"
#include "controller/model/edit/relinking.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/pages/file_choice.hpp"
#include "controller/ui/pages/stage_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kDialogWidth = 660;
constexpr float kMissingRowHeight = 30;
constexpr std::size_t kMissingRowsShown = 6;

session::ChosenMedia first_choice(const model::MissingFile& missing) {
  session::ChosenMedia choice{missing.slot, std::nullopt, missing.clip};
  if (const auto clear = model::clear_choice(missing))
    choice.origin = session::MediaOrigin{clear->node, clear->file};
  return choice;
}

// Another show asks another question.
void take_up(const model::OpenQuestion& question, Panel& panel) {
  auto& state = panel.state.files->missing;
  if (state.path == question.path && state.choices.size() == question.missing.size()) return;
  state = {.path = question.path, .choices = {}, .typed = {}};
  for (const auto& missing : question.missing)
    state.choices.push_back(first_choice(missing));
  ask_for_media(panel);
}

std::string words_of_choice(const std::optional<session::MediaOrigin>& origin,
                            const model::MissingFile& missing) {
  const auto& node = missing.wanted.node;
  if (!origin)
    return missing.clip == 1 ? "left out: bypassed until it has a file"
                             : "left out: the bank plays without it";
  if (origin->node == node) return fmt::format("play {}", origin->file);
  if (origin->node.empty()) return fmt::format("copy {} of this PC", origin->file);
  return fmt::format("copy {} of {}", origin->file, origin->node);
}

void draw_candidates(const model::MissingFile& missing, session::ChosenMedia& choice,
                     Panel& panel) {
  const float height = panel.reach(0);
  for (const auto& file : missing.found) {
    const session::MediaOrigin origin{file.node, file.file};
    const auto words =
        fmt::format("{}, {}", words_of_choice(origin, missing), bytes_text(file.bytes));
    if (ImGui::Selectable(words.c_str(), false, 0, ImVec2(0, height))) choice.origin = origin;
  }
  if (missing.found.empty()) text("No PC has a file of this name", color::kDim);
  if (ImGui::Selectable("leave it out", false, 0, ImVec2(0, height))) choice.origin.reset();
  ImGui::Separator();
  auto& typed = panel.state.files->missing.typed;
  const auto chosen = draw_file_choice(typed, missing.wanted.node, panel);
  if (!chosen) return;
  const auto& node = chosen->is_own || !chosen->node.empty() ? chosen->node : missing.wanted.node;
  choice.origin = session::MediaOrigin{chosen->is_own ? std::string() : node, chosen->file};
  ImGui::CloseCurrentPopup();
}

void draw_missing_row(const model::MissingFile& missing, session::ChosenMedia& choice,
                      Panel& panel) {
  ImGui::PushID(fmt::format("{} {}", show::to_string(missing.slot), missing.clip).c_str());
  const float room = ImGui::GetContentRegionAvail().x;
  const float left = room * 0.45F;
  const auto corner = ImGui::GetCursorPos();
  ImGui::AlignTextToFramePadding();
  text_cut(fmt::format("{}: {} lacks {}", missing.slot.submix, pc_of(missing.wanted.node, panel),
                       missing.wanted.file),
           left - panel.px(8));
  tooltip_of([&] {
    return fmt::format("{} of {} is to play {}", show::to_string(missing.slot), missing.wanted.node,
                       missing.wanted.file);
  });
  ImGui::SetCursorPos(ImVec2(corner.x + left, corner.y));
  const auto words = words_of_choice(choice.origin, missing);
  ImGui::PushStyleColor(ImGuiCol_Text, choice.origin ? color::kText : color::kWarning);
  const bool is_pressed = ImGui::Button((words + "###choice").c_str(),
                                        ImVec2(room - left, panel.reach(kMissingRowHeight)));
  ImGui::PopStyleColor();
  tooltip("Press to choose another file, or to leave the clip out");
  if (is_pressed) ImGui::OpenPopup("choose a file");
  if (ImGui::BeginPopup("choose a file")) {
    draw_candidates(missing, choice, panel);
    ImGui::EndPopup();
  }
  ImGui::PopID();
}

void draw_missing_rows(const model::OpenQuestion& question, Panel& panel) {
  auto& choices = panel.state.files->missing.choices;
  const auto shown = static_cast<float>(std::min(question.missing.size(), kMissingRowsShown));
  const float row = panel.reach(kMissingRowHeight) + ImGui::GetStyle().ItemSpacing.y;
  ImGui::BeginChild("missing files", ImVec2(0, shown * row), false, ImGuiWindowFlags_NoBackground);
  ImGui::BeginDisabled(question.is_copying);
  for (std::size_t i = 0; i < question.missing.size(); ++i)
    draw_missing_row(question.missing[i], choices[i], panel);
  ImGui::EndDisabled();
  ImGui::EndChild();
}

void draw_answer_buttons(const model::OpenQuestion& question, Panel& panel) {
  const auto& choices = panel.state.files->missing.choices;
  const auto left_out = std::ranges::count_if(
      choices, [](const session::ChosenMedia& choice) { return !choice.origin; });
  const auto words = question.is_copying ? std::string("Copying ...")
                     : left_out == 0     ? std::string("Open")
                                         : fmt::format("Open without {}", left_out);
  const ImVec2 size(panel.px(170), panel.reach(34));
  ImGui::BeginDisabled(question.is_copying);
  if (ImGui::Button((words + "###open").c_str(), size))
    panel.actions.emplace_back(session::OpenWithMedia{choices});
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Cancel", size)) panel.actions.emplace_back(session::CancelOpen{});
}

void draw_open_question(const model::OpenQuestion& question, Panel& panel) {
  const auto count = question.missing.size();
  text_in(panel.fonts.strong, fmt::format("{}: {} {} missing", file_name_of(question.path), count,
                                          count == 1 ? "file is" : "files are"));
  text("The present show runs on until all files are there.", color::kDim);
  draw_missing_rows(question, panel);
  if (!question.error.empty()) {
    text_wrapped(question.error, color::kWarning);
  }
  draw_answer_buttons(question, panel);
}

}  // namespace

void draw_missing_files(Panel& panel) {
  const auto question = panel.view.open_question;
  if (question == nullptr) {
    if (!panel.state.files->missing.path.empty()) panel.state.files->missing = {};
    return;
  }
  take_up(*question, panel);
  begin_dialog("missing", kDialogWidth, panel);
  draw_open_question(*question, panel);
  end_dialog();
}

}  // namespace submix::ui
