// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/pc_check.hpp"

#include "controller/local/pc_check.hpp"
#include "controller/model/view/data_addresses.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/panel.hpp"
#include "controller/ui/shell/pc_check_state.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kWidth = 760;
constexpr float kGradeWidth = 90;
constexpr float kSubjectWidth = 170;

ImU32 color_of_grade(Grade grade) {
  switch (grade) {
    case Grade::good:
    case Grade::mended:
      return color::kGood;
    case Grade::note:
      return color::kWarning;
    case Grade::bad:
      return color::kBad;
  }
  return color::kText;
}

int weight_of(const Finding& finding) {
  return finding.grade == Grade::bad ? 0 : finding.grade == Grade::note ? 1 : 2;
}

void draw_finding(const Finding& finding) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  badge(name_of(finding.grade), color_of_grade(finding.grade));
  ImGui::TableNextColumn();
  text(finding.subject);
  ImGui::TableNextColumn();
  text_wrapped(finding.found, color::kDim);
  if (!finding.remedy.empty()) text_wrapped(finding.remedy);
}

void draw_findings(const Findings& findings, Panel& panel) {
  const float height = std::min(panel.px(460), ImGui::GetIO().DisplaySize.y * 0.6F);
  ImGui::BeginChild("findings", ImVec2(0, height));
  if (ImGui::BeginTable("of this PC", 3)) {
    ImGui::TableSetupColumn("grade", ImGuiTableColumnFlags_WidthFixed, panel.px(kGradeWidth));
    ImGui::TableSetupColumn("subject", ImGuiTableColumnFlags_WidthFixed, panel.px(kSubjectWidth));
    ImGui::TableSetupColumn("found", ImGuiTableColumnFlags_WidthStretch);
    for (const auto& finding : findings)
      draw_finding(finding);
    ImGui::EndTable();
  }
  ImGui::EndChild();
}

}  // namespace

PcChecker::~PcChecker() {
  stop_.request_stop();  // `check_` then waits for the thread
}

void PcChecker::tend(const model::ClusterView& view, PcCheckState& state) {
  if (check_.is_ready()) {
    state.findings = check_.take();
    std::ranges::stable_sort(state.findings, {}, weight_of);
    state.is_running = false;
  }
  if (!std::exchange(state.is_wanted, false) || check_.is_under_way()) return;
  state.is_running = true;
  check_ = Background<Findings>([targets = model::data_addresses(view), stop = stop_.get_token()] {
    return local::check_pc({.recordings = {}, .targets = targets}, stop);
  });
}

void check_this_pc(Panel& panel) {
  panel.state.pc_check->is_open = true;
  panel.state.pc_check->is_wanted = true;
  panel.state.pc_check->is_running = true;  // the first frame has no findings to judge by
}

void draw_pc_check(Panel& panel) {
  auto& check = *panel.state.pc_check;
  if (!check.is_open) return;
  begin_dialog("pc check", kWidth, panel);
  text_in(panel.fonts.strong, "Is this PC ready for a show?");
  if (check.is_running) {
    text("Looking …", color::kDim);
  } else {
    text(local::verdict_of(check.findings),
         local::is_any_bad(check.findings) ? color::kBad : color::kGood);
  }
  draw_findings(check.findings, panel);
  ImGui::Dummy(ImVec2(0, panel.px(6)));
  const ImVec2 size(panel.reach(150), panel.reach(32));
  ImGui::BeginDisabled(check.is_running);
  if (ImGui::Button("Look again", size)) check.is_wanted = true;
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Close (Esc)", size)) check.is_open = false;
  end_dialog();
}

}  // namespace submix::ui
