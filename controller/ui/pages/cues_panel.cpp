// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/cues_panel.hpp"

#include "common/base/clock.hpp"
#include "common/show/lookup.hpp"
#include "controller/model/edit/cue_list.hpp"
#include "controller/model/edit/cue_preview.hpp"
#include "controller/model/edit/follow_on.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/edit/stage_names.hpp"
#include "controller/model/view/oscillation.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/oscillator_widgets.hpp"
#include "controller/ui/edits/perform_edits.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/edits/renaming.hpp"
#include "controller/ui/edits/text_field.hpp"
#include "controller/ui/pages/mix_controls.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::ui {
namespace {

constexpr float kGoHeight = 92;
constexpr float kGoLeast = 40;
constexpr float kGoWidth = 96;
constexpr std::string_view kFirstCue =
    "A right click on a parameter's name, a knob or a preset puts it into a cue.";
constexpr float kStopWidth = 64;
constexpr std::size_t kPreviewLines = 3;
constexpr const char* kCuePayload = "cue";

void set(show::Cue cue, Gesture gesture, Panel& panel) {
  auto name = cue.name;
  edit_show(model::Edit(model::SetCues{{{std::move(name), std::move(cue)}}}), gesture, panel);
}

void draw_changes(const show::Cue& cue, Panel& panel) {
  for (std::size_t i = 0; i < cue.changes.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const bool is_out = small_button("take out", panel);
    ImGui::SameLine();
    text(model::stage_text(mix_of(panel).layers, cue.changes[i]));
    ImGui::PopID();
    if (!is_out) continue;
    auto changed = cue;
    changed.changes.erase(changed.changes.begin() + static_cast<std::ptrdiff_t>(i));
    return set(std::move(changed), Gesture::begin, panel);
  }
}

void draw_fade(const show::Cue& cue, Panel& panel) {
  ImGui::SetNextItemWidth(panel.px(90));
  const auto seconds =
      drag_number({"seconds of fade", 0.05F, 0, show::kFadeSecondsMax, "%.1f"}, cue.fade_seconds);
  begin_gesture_when_pressed(panel);
  if (!seconds) return;
  auto changed = cue;
  changed.fade_seconds = *seconds;
  set(std::move(changed), Gesture::go_on, panel);
}

// How the next cue comes: by a person, or some time later by itself.
void draw_follow(const show::Cue& cue, Panel& panel) {
  using Unit = show::FollowUnit;
  auto changed = cue;
  const auto offer = [&](const char* words, std::optional<Unit> unit) {
    const auto present = cue.follow ? std::optional(cue.follow->unit) : std::nullopt;
    if (!ImGui::Selectable(words, unit == present) || unit == present) return;
    changed.follow = unit ? std::optional(show::FollowOn{4.0, *unit}) : std::nullopt;
    set(changed, Gesture::begin, panel);
  };
  ImGui::SetNextItemWidth(panel.px(220));
  const char* shown = cue.follow ? "then the next cue by itself" : "then wait for GO";
  if (ImGui::BeginCombo("##follow", shown)) {
    offer("then wait for GO", std::nullopt);
    offer("then the next cue after some beats", Unit::beats);
    offer("then the next cue after some seconds", Unit::seconds);
    ImGui::EndCombo();
  }
  if (!cue.follow) return;

  const bool is_beats = cue.follow->unit == Unit::beats;
  ImGui::SetNextItemWidth(panel.px(90));
  const auto after = drag_number({is_beats ? "beats until it goes" : "seconds until it goes", 0.05F,
                                  show::kFollowMin, show::kFollowMax, "%.4g"},
                                 cue.follow->after);
  begin_gesture_when_pressed(panel);
  if (!after) return;
  changed.follow->after = *after;
  set(std::move(changed), Gesture::go_on, panel);
}

void move_beside(const std::string& cue, model::CueSide side, const std::string& other,
                 Panel& panel) {
  edit_show(model::move_cue(*panel.view.show, cue, side, other), Gesture::begin, panel);
}

void draw_order_items(const show::Cue& cue, Panel& panel) {
  const auto& cues = panel.view.show->cues;
  const auto at = show::find_named(cues, cue.name);
  if (at != cues.begin() && ImGui::Selectable("Move up"))
    move_beside(cue.name, model::CueSide::before, (at - 1)->name, panel);
  if (at + 1 < cues.end() && ImGui::Selectable("Move down"))
    move_beside(cue.name, model::CueSide::after, (at + 1)->name, panel);
}

struct DraggedCue {
  std::string name;
  bool is_dropped = false;
};

// Over `row`, all columns of the table. Empty: none.
std::optional<DraggedCue> cue_dragged_over(const ImRect& row) {
  constexpr auto kFlags =
      ImGuiDragDropFlags_AcceptBeforeDelivery | ImGuiDragDropFlags_AcceptNoDrawDefaultRect;
  const auto& room = ImGui::GetCurrentWindow()->InnerClipRect;
  ImGui::PushClipRect(room.Min, room.Max, false);
  const bool is_over = ImGui::BeginDragDropTargetCustom(row, ImGui::GetID("row"));
  ImGui::PopClipRect();
  if (!is_over) return std::nullopt;
  std::optional<DraggedCue> dragged;
  if (const auto* payload = ImGui::AcceptDragDropPayload(kCuePayload, kFlags)) {
    const auto* name = static_cast<const char*>(payload->Data);
    dragged = {std::string(name, static_cast<std::size_t>(payload->DataSize)),
               payload->IsDelivery()};
  }
  ImGui::EndDragDropTarget();
  return dragged;
}

// A cue that is dropped on the upper half of another one's row goes before it, else after it.
void draw_cue_drag(const show::Cue& cue, Panel& panel) {
  if (panel.state.is_performing) return;
  offer_drag(kCuePayload, cue.name, cue.name);
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  const ImRect row(ImGui::GetItemRectMin(), ImVec2(right, ImGui::GetItemRectMax().y));
  const auto dragged = cue_dragged_over(row);
  if (!dragged || dragged->name == cue.name) return;
  const bool is_before = ImGui::GetMousePos().y < row.GetCenter().y;
  const float line = is_before ? row.Min.y : row.Max.y;
  ImGui::GetForegroundDrawList()->AddLine({row.Min.x, line}, {row.Max.x, line}, color::kAccent,
                                          panel.px(2));
  const auto side = is_before ? model::CueSide::before : model::CueSide::after;
  if (dragged->is_dropped) move_beside(dragged->name, side, cue.name, panel);
}

void draw_cue_settings(const show::Cue& cue, Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopupContextItem("settings")) return;
  if (ImGui::Selectable("Next")) {
    edit_show(model::SetNextCue{cue.name}, Gesture::begin, panel);
  }
  if (auto words = entered("what happens", cue.text, panel.px(220), panel)) {
    auto changed = cue;
    changed.text = *std::move(words);
    set(std::move(changed), Gesture::begin, panel);
  }
  draw_fade(cue, panel);
  draw_follow(cue, panel);
  draw_changes(cue, panel);
  draw_learn_item(input::CueTarget{cue.name}, panel);
  draw_rename_item(Renaming::Kind::cue, cue.name, panel);
  if (!panel.state.is_performing) draw_order_items(cue, panel);
  if (ImGui::Selectable("Delete the cue")) {
    edit_show(model::delete_cue(*panel.view.show, cue.name), Gesture::begin, panel);
  }
  ImGui::EndPopup();
}

std::string summary_of(const show::Cue& cue, Panel& panel) {
  auto words = cue.text;
  const auto add = [&](const std::string& more) { words += (words.empty() ? "" : "; ") + more; };
  for (const auto& change : cue.changes)
    add(model::stage_text(mix_of(panel).layers, change));
  if (cue.fade_seconds > 0) add(fmt::format("in {:.3g} s", cue.fade_seconds));
  if (cue.is_paused) add(*cue.is_paused ? "pause" : "run on");
  if (cue.follow) add(fmt::format("then the next after {}", model::text_of(*cue.follow)));
  return words;
}

void draw_cue_button(const show::Cue& cue, Panel& panel) {
  if (is_renaming(Renaming::Kind::cue, cue.name, panel)) return draw_renaming(-1, panel);
  if (ImGui::Button(cue.name.c_str(), ImVec2(-1, 0))) go(panel, cue.name);
  draw_cue_drag(cue, panel);
  draw_cue_settings(cue, panel);
  tooltip(panel.state.is_performing
              ? "Does this cue now; a right click changes it"
              : "Does this cue now; drag it to another place; a right click changes or renames it");
}

void draw_cue(const show::Cue& cue, bool is_next, Panel& panel) {
  ImGui::PushID(cue.name.c_str());
  ImGui::TableNextRow();
  if (is_next) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, color::kChosen);
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  text(is_next ? ">" : " ", color::kAccent);
  ImGui::TableNextColumn();
  draw_cue_button(cue, panel);
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  text_cut(summary_of(cue, panel), ImGui::GetContentRegionAvail().x, color::kDim);
  ImGui::PopID();
}

// Made anew with each show, and four times a second, because values move.
const std::vector<std::string>& preview_of_next(Panel& panel) {
  constexpr std::chrono::milliseconds kAge{250};
  auto& known = panel.state.perform->next_cue;
  const bool is_fresh = known.show == panel.view.show && panel.view.now - known.at < kAge;
  if (is_fresh) return known.lines;
  const auto running = model::running_of(panel.view, SteadyClock().now());
  known.lines = model::cue_preview(*panel.view.show, running, panel.fonts.arrow);
  known.show = panel.view.show;
  known.at = panel.view.now;
  return known.lines;
}

// In two lines if that is the room: the new value stands at the end.
void draw_change(const std::string& words, float width, bool has_room) {
  const auto line = ImGui::GetTextLineHeight();
  const auto size = ImGui::CalcTextSize(words.data(), words.data() + words.size(), false, width);
  if (has_room && size.y > line && size.y <= 2 * line + 1) return text_wrapped(words, color::kDim);
  text_cut(words, width, color::kDim);
}

void draw_preview(const show::Cue& next, float height, Panel& panel) {
  const float width = ImGui::GetContentRegionAvail().x;
  const auto& lines = preview_of_next(panel);
  const auto shown =
      std::min(lines.size(), lines.size() == kPreviewLines + 1 ? kPreviewLines + 1 : kPreviewLines);
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, panel.px(1)));
  text_cut(next.name, width);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const bool has_room = static_cast<float>(2 * lines.size() + 1) * line <= height;
  for (std::size_t i = 0; i < shown; ++i)
    draw_change(lines[i], width, has_room);
  if (lines.empty()) text("changes nothing now", color::kFaint);
  if (lines.size() > shown) text(fmt::format("and {} more", lines.size() - shown), color::kFaint);
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  if (lines.size() <= shown) return;
  tooltip_of([&] { return fmt::format("{}", fmt::join(lines, "\n")); });
}

// A person sees the next cue and two more.
float height_of_first_cues(std::size_t cues) {
  constexpr std::size_t kSeen = 3;
  const float row = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  return static_cast<float>(std::min(cues, kSeen)) * row + ImGui::GetStyle().ItemSpacing.y;
}

// A low panel has a low button. Without a cue there is nowhere to go: the words below say how to
// make one.
float go_height(const Panel& panel) {
  const float usual = panel.px(kGoHeight);
  const auto room = ImGui::GetContentRegionAvail();
  const auto cues = panel.view.show->cues.size();
  if (cues > 0) {
    const float countdown = is_following(panel) ? ImGui::GetFrameHeightWithSpacing() : 0;
    const float below = height_of_first_cues(cues) + countdown;
    return std::clamp(std::floor(room.y - below), panel.px(kGoLeast), usual);
  }
  const auto* words = kFirstCue.data();
  const auto hint = ImGui::CalcTextSize(words, words + kFirstCue.size(), false, room.x);
  const float below = hint.y + ImGui::GetStyle().ItemSpacing.y;
  return std::clamp(room.y - below, panel.px(kGoLeast), usual);
}

void draw_go(Panel& panel) {
  const bool is_possible = can_go(panel);
  const auto* next = model::next_cue(*panel.view.show);
  const float room = ImGui::GetContentRegionAvail().x;
  const float width = next == nullptr ? room : std::max(panel.px(kGoWidth), room * 0.3F);
  const float height = go_height(panel);
  ImGui::PushStyleColor(ImGuiCol_Button, is_possible ? color::kGood : color::kTrack);
  ImGui::PushStyleColor(ImGuiCol_Text, is_possible ? color::kOnBright : color::kFaint);
  ImGui::PushFont(panel.fonts.large);
  if (ImGui::Button("GO", ImVec2(width, height)) && is_possible) go(panel);
  ImGui::PopFont();
  ImGui::PopStyleColor(2);
  draw_learn_popup(input::CueTarget{}, panel);
  tooltip(is_possible ? "Does the next cue (Ctrl+G)" : "There is no cue yet");
  if (next == nullptr) return;
  ImGui::SameLine();
  draw_preview(*next, height, panel);
}

// The follow-on that runs: the time until the next cue goes, and a button against it.
void draw_following(Panel& panel) {
  const auto& show = *panel.view.show;
  const auto* next = model::next_cue(show);
  const auto time = model::show_time(panel.view, SteadyClock().now());
  if (!show.following || next == nullptr) return;
  const float stop = panel.px(kStopWidth);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const std::chrono::duration<double> left = *show.following - time.value_or(*show.following);
  const bool waits = panel.view.transport.is_paused && model::waits_while_paused(show);
  ImGui::AlignTextToFramePadding();
  text_cut(waits ? fmt::format("{} waits with the paused show", next->name)
                 : fmt::format("{} goes by itself in {:.0f} s", next->name,
                               std::ceil(std::max(0.0, left.count()))),
           ImGui::GetContentRegionAvail().x - stop - gap, color::kAccent);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - stop);
  if (ImGui::Button("Stop", ImVec2(stop, 0))) stop_following(panel);
  tooltip("The next cue waits for GO");
}

// As wide as the longest name: the rest of the row tells what a cue does.
float name_width(const std::vector<show::Cue>& cues, const Panel& panel) {
  constexpr float kLeast = 64;  // a hand has to hit it
  constexpr float kMost = 120;
  float widest = 0;
  for (const auto& cue : cues)
    widest = std::max(widest, width_of(cue.name));
  return std::clamp(widest + 2 * ImGui::GetStyle().FramePadding.x, panel.px(kLeast),
                    panel.px(kMost));
}

// Once for each next cue, and once more when the countdown takes room: a person may look elsewhere.
bool comes_into_view(const show::Cue& cue, Panel& panel) {
  auto key = cue.name + (is_following(panel) ? " soon" : "");
  return std::exchange(panel.state.perform->next_in_view, key) != key;
}

// Of the rows that are drawn although they are out of view.
void force_rows(ImGuiListClipper& clipper, std::optional<int> row) {
  if (row) clipper.ForceDisplayRangeByIndices(*row, *row + 1);
}

void draw_rows_of_cues(const std::vector<show::Cue>& cues, Panel& panel) {
  const auto* next = model::next_cue(*panel.view.show);
  const bool shows_next = next != nullptr && comes_into_view(*next, panel);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(cues.size()));
  force_rows(clipper, place_renamed(Renaming::Kind::cue, cues, panel));
  if (shows_next) force_rows(clipper, static_cast<int>(next - cues.data()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto& cue = cues[static_cast<std::size_t>(i)];
      draw_cue(cue, &cue == next, panel);
      if (shows_next && &cue == next) ImGui::SetScrollHereY(0);
    }
  }
}

// It scrolls below GO and the countdown, which stay in view.
void draw_list_of_cues(const std::vector<show::Cue>& cues, Panel& panel) {
  const float height = std::max(ImGui::GetContentRegionAvail().y, height_of_first_cues(1));
  ImGui::BeginChild("list", ImVec2(0, height), false, ImGuiWindowFlags_NoBackground);
  if (ImGui::BeginTable("cues", 3)) {
    ImGui::TableSetupColumn("next", ImGuiTableColumnFlags_WidthFixed, panel.px(12));
    ImGui::TableSetupColumn("cue", ImGuiTableColumnFlags_WidthFixed, name_width(cues, panel));
    ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
    draw_rows_of_cues(cues, panel);
    ImGui::EndTable();
  }
  ImGui::EndChild();
}

}  // namespace

void draw_cues_panel(Panel& panel) {
  if (begin_panel("Cues", panel.fonts)) {
    draw_go(panel);
    draw_following(panel);
    const auto& cues = panel.view.show->cues;
    if (cues.empty())
      hint(kFirstCue);
    else
      draw_list_of_cues(cues, panel);
  }
  end_panel();
}

}  // namespace submix::ui
