// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/clip_beats.hpp"

#include "controller/model/edit/clip_beats.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/pages/mix_controls.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

namespace submix::ui {
namespace {

// A person's loop of four beats may have been written with fewer digits.
constexpr double kSameBeats = 0.02;

double synced_beats(const ClipDeck& deck, const Panel& panel) {
  const auto& show = *panel.view.show;
  const auto* slot = show.find_slot(deck.slot);
  return slot == nullptr ? 0 : model::synced_beats(show, *slot, deck.report);
}

double looped_beats(const ClipDeck& deck, const Panel& panel) {
  const auto& show = *panel.view.show;
  const auto* slot = show.find_slot(deck.slot);
  return slot == nullptr ? 0 : model::looped_beats(show, *slot, deck.report);
}

std::string loop_text(double beats) {
  return beats == 0.5 ? "½" : fmt::format("{:g}", beats);
}

std::string beats_words(double beats) {
  return beats <= 1 ? loop_text(beats) + " beat" : loop_text(beats) + " beats";
}

std::string reason_of(const Result<model::Edit>& edit) {
  return edit ? std::string() : edit.error().message;
}

void draw_loop_button(double beats, double looped, float width, const ClipDeck& deck,
                      Panel& panel) {
  const bool is_lit = std::abs(looped / beats - 1) < kSameBeats;
  const auto& show = *panel.view.show;
  const auto loop = [&] { return model::loop_beats(show, deck.slot, beats, deck.report); };
  const bool does_fit =
      is_lit || model::loop_fit(show, deck.slot, beats, deck.report) == model::LoopFit::fits;
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::BeginGroup();  // has a tooltip also where the button is disabled
  ImGui::BeginDisabled(!does_fit);
  const auto label = loop_text(beats) + "###loop of " + std::to_string(beats);
  if (lit_button(label.c_str(), is_lit, ImVec2(width, 0)))
    edit_show(is_lit ? model::end_loop(show, deck.slot, deck.report) : loop(), Gesture::begin,
              panel);
  ImGui::EndDisabled();
  ImGui::EndGroup();
  tooltip_of([&] {
    if (!does_fit) return reason_of(loop());
    if (is_lit) return std::string("Press to play the whole clip again");
    return fmt::format("A loop of {}, from here on; of a loop that plays, the new length",
                       beats_words(beats));
  });
}

void draw_sync_choice(std::optional<double> beats, double present, const ClipDeck& deck,
                      Panel& panel) {
  const auto edit = model::sync_to_beats(*panel.view.show, deck.slot, beats, deck.report);
  const auto words = beats ? beats_words(*beats) : std::string("nearest beats");
  ImGui::BeginGroup();
  ImGui::BeginDisabled(!edit);
  if (ImGui::Selectable(words.c_str(), beats && *beats == present))
    edit_show(edit, Gesture::begin, panel);
  ImGui::EndDisabled();
  ImGui::EndGroup();
  if (!edit) tooltip_of([&] { return edit.error().message; });
}

}  // namespace

bool is_synced(const ClipDeck& deck, const Panel& panel) {
  return synced_beats(deck, panel) > 0;
}

double played_speed(const ClipDeck& deck, const Panel& panel) {
  const auto& show = *panel.view.show;
  const auto* slot = show.find_slot(deck.slot);
  return slot == nullptr ? 0 : model::played_speed(show, *slot, deck.report);
}

void draw_clip_sync(const ClipDeck& deck, Panel& panel) {
  const double present = synced_beats(deck, panel);
  const auto shown = present > 0 ? "sync: " + beats_words(present) : std::string("no sync");
  ImGui::SetNextItemWidth(-1);
  if (!begin_combo("##sync", shown.c_str(), panel)) {
    tooltip(
        "How many beats the clip lasts: it follows the tempo, and a loop begins on a beat.\n"
        "No sync: it plays as its speed says");
    return;
  }
  if (ImGui::Selectable("no sync", present == 0) && present > 0)
    edit_show(model::end_sync(*panel.view.show, deck.slot), Gesture::begin, panel);
  draw_sync_choice({}, present, deck, panel);
  for (const double beats : model::kSyncBeats)
    draw_sync_choice(beats, present, deck, panel);
  end_combo();
}

void draw_clip_loop(const ClipDeck& deck, Panel& panel) {
  const auto* stated = value_as<bool>(deck.slot, "loop", panel);
  bool is_looping = stated != nullptr && *stated;
  if (ImGui::Checkbox("loop", &is_looping))
    edit_show(model::SetParameter{deck.slot, "loop", is_looping}, Gesture::begin, panel);
  const auto buttons = static_cast<float>(model::kLoopBeats.size());
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float used = ImGui::GetItemRectSize().x + buttons * gap;
  const float width = std::floor((ImGui::GetContentRegionAvail().x - used) / buttons);
  const double looped = looped_beats(deck, panel);
  for (const double beats : model::kLoopBeats)
    draw_loop_button(beats, looped, width, deck, panel);
}

}  // namespace submix::ui
