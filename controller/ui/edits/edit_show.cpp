// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/edit_show.hpp"

#include "controller/model/plan/planner.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing_state.hpp"

#include <chrono>
#include <string>

namespace submix::ui {
namespace {

constexpr std::chrono::milliseconds kPlanAge{500};

const Result<model::ChangePlan>& planned(const model::Edit& edit, Panel& panel) {
  auto& planned = panel.state.editing->planned;
  const bool is_known = planned && planned->edit == edit && panel.view.now - planned->at < kPlanAge;
  if (!is_known) planned = PlannedEdit{edit, panel.view.now, model::plan_change(panel.view, edit)};
  return planned->plan;
}

bool refuse(const char* about, const std::string& why, Panel& panel) {
  panel.actions.emplace_back(session::Say{Severity::warning, about, why});
  return false;
}

// False: the planner refuses the edit, and Shift is not held.
bool passes_planner(const model::Edit& edit, Panel& panel) {
  const auto& plan = planned(edit, panel);
  if (!plan) return refuse("show", plan.error().message, panel);
  if (plan->outlook != model::Outlook::refused || ImGui::GetIO().KeyShift) return true;
  return refuse("show", fmt::format("not done: {}. Hold Shift to do it anyway", plan->sentence),
                panel);
}

ImU32 color_of_outlook(model::Outlook outlook) {
  switch (outlook) {
    case model::Outlook::fine:
      return color::kGood;
    case model::Outlook::unknown:
      return color::kDim;
    case model::Outlook::warning:
      return color::kWarning;
    case model::Outlook::refused:
      return color::kBad;
  }
  return color::kDim;
}

}  // namespace

bool begin_gesture_when_pressed(Panel& panel) {
  if (!ImGui::IsItemActivated()) return false;
  begin_gesture(panel);
  return true;
}

void begin_gesture(Panel& panel) {
  ++panel.state.gesture;
}

bool edit_show(const Result<model::Edit>& edit, Gesture gesture, Panel& panel) {
  const bool is_single = gesture == Gesture::none;
  if (!edit) return refuse(is_single ? "show" : "perform", edit.error().message, panel);
  if (is_single && !passes_planner(*edit, panel)) return false;
  if (gesture == Gesture::begin) begin_gesture(panel);
  panel.actions.emplace_back(session::EditShow{*edit, is_single ? 0 : panel.state.gesture});
  return true;
}

bool edit_show(const Result<model::Performed>& done, Gesture gesture, Panel& panel) {
  if (!done) return refuse("perform", done.error().message, panel);
  if (gesture == Gesture::begin) begin_gesture(panel);
  const auto number = gesture == Gesture::none ? 0 : panel.state.gesture;
  panel.actions.emplace_back(session::EditShow{done->edit, number, true, done->left_out});
  return true;
}

void draw_plan(const Result<model::Edit>& edit, float width, Panel& panel) {
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  if (!edit) {
    text(edit.error().message, color::kBad);
  } else if (const auto& plan = planned(*edit, panel); !plan) {
    text(plan.error().message, color::kBad);
  } else {
    badge(to_string(plan->outlook), color_of_outlook(plan->outlook));
    text(plan->sentence,
         plan->outlook == model::Outlook::fine ? color::kText : color_of_outlook(plan->outlook));
    if (plan->outlook == model::Outlook::refused) text("Hold Shift to do it anyway.", color::kDim);
  }
  ImGui::PopTextWrapPos();
}

}  // namespace submix::ui
