// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/progress.hpp"

#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/pages/local_nodes_state.hpp"
#include "controller/ui/pages/stage_words.hpp"
#include "controller/ui/panel.hpp"
#include "controller/ui/shell/notices.hpp"
#include "controller/ui/shell/quit.hpp"

#include <algorithm>
#include <utility>

namespace submix::ui {
namespace {

using Cancel = LongAction::Cancel;

constexpr float kWordsWidth = 330;

void give_up(const LongAction& action, Panel& panel) {
  switch (action.cancel) {
    case Cancel::undo:
      panel.actions.emplace_back(session::Undo{panel.view.edit.undo_step});
      break;
    case Cancel::open:
      panel.actions.emplace_back(session::CancelOpen{});
      break;
    case Cancel::saves:
      panel.actions.emplace_back(session::CancelSaves{});
      break;
    case Cancel::trace:
      panel.actions.emplace_back(session::CancelTrace{});
      break;
    case Cancel::copies:
      panel.actions.emplace_back(session::StopCopies{});
      break;
    case Cancel::exports:
      panel.actions.emplace_back(session::CancelExports{});
      break;
    case Cancel::plugins: {
      auto& browser = panel.state.editing->browser;
      panel.actions.emplace_back(session::ForgetPlugins{std::exchange(browser.asked_node, {})});
      browser.is_given_up = true;
      break;
    }
    case Cancel::nodes:
      panel.state.local_nodes->are_to_end = true;
      break;
    case Cancel::quit:
      panel.state.quit->is_wanted = true;
      break;
    case Cancel::impossible:
      break;
  }
}

void draw_action(const LongAction& action, Panel& panel) {
  const float width = panel.px(kWordsWidth);
  ImGui::PushID(action.what.c_str());
  ImGui::BeginGroup();
  text_cut(words_of_page(action.what, panel), width);
  const auto since = begin_of(action, *panel.state.progress);
  ImGui::PushFont(panel.fonts.small);
  text_cut(fmt::format("{}; for {}, since {}", words_of_page(action.how_far, panel),
                       duration_text(panel.view.now - since), clock_text(since)),
           width, color::kDim);
  ImGui::PopFont();
  const BarPart done{action.share.value_or(0), color::kAccent};
  if (action.share) parts_bar({&done, 1}, ImVec2(width, panel.px(5)));
  ImGui::Dummy(ImVec2(width, 0));
  ImGui::EndGroup();
  ImGui::SameLine();
  ImGui::BeginDisabled(action.cancel == Cancel::impossible);
  if (ImGui::Button("Cancel")) give_up(action, panel);
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
    ImGui::BeginTooltip();
    text(words_of_page(action.cancel_words, panel));
    ImGui::EndTooltip();
  }
  ImGui::PopID();
}

}  // namespace

void draw_progress(Panel& panel) {
  const auto actions = actions_under_way(panel.view, panel.state);
  follow(actions, panel.view, *panel.state.progress);
  const auto is_long = [&](const LongAction& action) {
    return panel.view.now - begin_of(action, *panel.state.progress) >= kShortAction;
  };
  if (std::ranges::none_of(actions, is_long)) return;
  const float gap = panel.px(16);
  ImGui::SetNextWindowPos(ImVec2(gap, bottom_of_page(panel)), ImGuiCond_Always, ImVec2(0, 1));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(14), panel.px(10)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color::kCard);
  ImGui::Begin("progress", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoFocusOnAppearing);
  for (const auto& action : actions) {
    if (is_long(action)) draw_action(action, panel);
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace submix::ui
