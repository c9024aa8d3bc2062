// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/clip_panel.hpp"

#include "common/base/written_number.hpp"
#include "common/show/clip_bank.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/clip_beats.hpp"
#include "controller/model/edit/clip_deck.hpp"
#include "controller/model/edit/clip_part.hpp"
#include "controller/model/edit/relinking.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/icon.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/parameter_row.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/clip_bank.hpp"
#include "controller/ui/pages/clip_beats.hpp"
#include "controller/ui/pages/file_choice.hpp"
#include "controller/ui/pages/mix_controls.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

constexpr std::string_view kClipPlugin = "clip";
constexpr double kSpeedShown = 4;  // of the slider; the parameter's range is wider
constexpr float kHandleReach = 7;  // how far from an end of the range a press takes hold of it
constexpr float kMomentWidth = 256;
constexpr double kShortestSeconds = 0.1;  // of a range that is made with the mouse

double number(const ClipDeck& deck, std::string_view parameter, const Panel& panel) {
  const auto* found = value_as<double>(deck.slot, parameter, panel);
  return found == nullptr ? 0 : *found;
}

bool is_set(const ClipDeck& deck, std::string_view parameter, const Panel& panel) {
  const auto* found = value_as<bool>(deck.slot, parameter, panel);
  return found != nullptr && *found;
}

void set(const ClipDeck& deck, const char* parameter, show::ParameterValue value, Gesture gesture,
         Panel& panel) {
  edit_show(model::SetParameter{deck.slot, parameter, std::move(value)}, gesture, panel);
}

std::string file_of(std::size_t number, const ClipDeck& deck, const Panel& panel) {
  const auto* slot = panel.view.show->find_slot(deck.slot);
  const auto bank = slot == nullptr ? show::ClipBank() : show::clip_bank_of(slot->parameters);
  return number >= 1 && number <= bank.size() ? bank[number - 1].file : std::string();
}

// The clip that plays, or that is to play.
std::size_t wanted_number(const ClipDeck& deck, const Panel& panel) {
  const auto* slot = panel.view.show->find_slot(deck.slot);
  return slot == nullptr ? 1 : model::wanted_clip(*slot);
}

show::ClipPart played_part(const ClipDeck& deck, const Panel& panel) {
  const auto* slot = panel.view.show->find_slot(deck.slot);
  return slot == nullptr ? show::ClipPart{0, deck.report.end}
                         : model::played_part(*slot, deck.report);
}

void draw_file(const ClipDeck& deck, Panel& panel) {
  const auto file = file_of(wanted_number(deck, panel), deck, panel);
  ImGui::PushID("file");
  const bool is_pressed = ImGui::Button(file.empty() ? "no file" : file.c_str(), ImVec2(-1, 0));
  ImGui::PopID();
  if (is_pressed) {
    ImGui::OpenPopup("file of the clip");
    ask_for_media(panel);
  }
  tooltip("Another file; the clip plays on until the new one is there");
  if (!ImGui::BeginPopup("file of the clip")) return;
  auto& typed = panel.state.texts["file of a clip"];
  if (auto chosen = draw_file_choice(typed, deck.node, panel)) {
    play_in_clip(*chosen, deck.slot, deck.node, panel);
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

// Whether the PC has to be asked for the file: a clip has ended in trouble, or one of the bank does
// not come.
bool is_doubted(const std::string& file, const ClipDeck& deck, Panel& panel) {
  constexpr std::chrono::seconds kPatience{3};  // a bar, and the start of a decoder
  auto& doubted = panel.state.perform->doubted;
  const auto name = deck.node + '/' + file;
  const bool is_there = deck.report.is_well && file_of(deck.report.playing, deck, panel) == file;
  if (is_there) doubted = {};
  if (!is_there && doubted.file != name) doubted = {name, LocalTime::clock::now(), false};
  const bool is_due = !deck.report.is_well || LocalTime::clock::now() - doubted.since > kPatience;
  if (is_there || !is_due) return false;
  if (!std::exchange(doubted.is_asked, true)) ask_for_media(panel);
  return true;
}

// A clip without its file: it is looked for by its name, on this PC and then on others.
void draw_missing(const ClipDeck& deck, Panel& panel) {
  const auto file = file_of(wanted_number(deck, panel), deck, panel);
  if (!is_doubted(file, deck, panel) || panel.view.media == nullptr) return;
  const model::NodeFile wanted{deck.node, file, 0};
  if (!model::is_missing(wanted, *panel.view.media)) return;
  text(fmt::format("{} does not have this file", deck.node), color::kWarning);
  const auto found = model::namesakes_of(wanted, *panel.view.media);
  if (found.empty()) return tooltip("No PC has a file of this name; choose another one");
  ImGui::SameLine();
  if (small_button("Find", panel))
    play_in_clip({found[0].node, found[0].file}, deck.slot, deck.node, panel);
  tooltip_of([&] { return fmt::format("Plays {} of {}", found[0].file, found[0].node); });
}

// Seeks by the offset, which moves with the clip to another computer. The node's position is a
// little old. So a drag counts from the position at its begin.
void seek(const ClipDeck& deck, double to, const show::ClipPart& part, Panel& panel) {
  auto& drag = panel.state.perform->seek;
  const double speed = panel.view.transport.is_paused ? 0 : played_speed(deck, panel);
  const double now = ImGui::GetTime();
  if (ImGui::IsItemActivated())
    drag = {.clip = deck.report.playing,
            .offset = number(deck, "offset", panel),
            .position = deck.report.position,
            .time = now};
  const double played = drag.position + speed * (now - drag.time);
  double offset = drag.offset + to - played;
  const double span = part.end - part.begin;
  if (is_set(deck, "loop", panel) && span > 0) offset = std::remainder(offset, span);
  set(deck, "offset", as_written(static_cast<float>(offset)), Gesture::go_on, panel);
}

// The part of the bar that a press at `x` takes hold of.
ClipSeek::Held held_at(float x, float in, float out, float reach) {
  if (std::abs(x - out) <= reach && std::abs(x - out) <= std::abs(x - in))
    return ClipSeek::Held::out;
  return std::abs(x - in) <= reach ? ClipSeek::Held::in : ClipSeek::Held::position;
}

void drag_end(const ClipDeck& deck, model::PartMove::End end, double seconds,
              const show::ClipPart& part, Panel& panel) {
  const bool is_in = end == model::PartMove::End::in;
  const double low = is_in ? 0 : part.begin + kShortestSeconds;
  const double high = is_in ? part.end - kShortestSeconds : deck.report.end;
  if (low > high) return;
  const double wanted = std::clamp(seconds, low, high);
  // An end beyond the clip's last picture means the clip's end, however long the clip is.
  const bool is_whole = !is_in && wanted >= deck.report.end - kShortestSeconds;
  const double stated = is_whole ? 0.0 : as_written(static_cast<float>(wanted));
  edit_show(model::move_part_end(*panel.view.show, deck.slot, {end, stated}, deck.report),
            Gesture::go_on, panel);
}

// Another clip may begin to play during a drag: its part stays as it is.
void drag_bar(const ClipDeck& deck, double seconds, const show::ClipPart& part, Panel& panel) {
  const auto& drag = panel.state.perform->seek;
  if (drag.clip != deck.report.playing) return;
  switch (drag.held) {
    case ClipSeek::Held::position:
      return seek(deck, std::clamp(seconds, part.begin, part.end), part, panel);
    case ClipSeek::Held::in:
      return drag_end(deck, model::PartMove::End::in, seconds, part, panel);
    case ClipSeek::Held::out:
      return drag_end(deck, model::PartMove::End::out, seconds, part, panel);
  }
}

// The picture of the moment below the mouse, so that one jumps to what one sees.
void draw_moment(const ClipDeck& deck, double part, Panel& panel) {
  const auto file = file_of(deck.report.playing, deck, panel);
  if (file.empty()) return;
  constexpr const char* kWords = "Press to jump; drag an end of the bright part to play less";
  const int step = static_cast<int>(std::clamp(part, 0.0, 1.0) * model::MediaPictureKey::kSteps);
  const ImVec2 size(panel.px(kMomentWidth), panel.px(kMomentWidth * 9 / 16));
  const auto padding = ImGui::GetStyle().WindowPadding;
  // The buttons below the bar stay in view.
  place_tooltip(ImVec2(std::max(size.x, width_of(kWords)) + 2 * padding.x,
                       size.y + 2 * ImGui::GetTextLineHeightWithSpacing() + 2 * padding.y),
                TooltipSide::above);
  ImGui::BeginTooltip();
  draw_media_moment({deck.node, file, step}, ImGui::GetCursorScreenPos(), size, panel);
  ImGui::Dummy(size);
  text(play_time_text(part * deck.report.end));
  text(kWords, color::kDim);
  ImGui::EndTooltip();
}

void draw_bar_menu(const ClipDeck& deck, Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopupContextItem("bar menu")) return;
  if (ImGui::MenuItem("Play the whole clip"))
    edit_show(model::end_loop(*panel.view.show, deck.slot, deck.report), Gesture::begin, panel);
  ImGui::EndPopup();
}

void draw_bar(const ClipDeck& deck, Panel& panel) {
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight() * 1.3F);
  const auto corner = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("bar", size);
  if (deck.report.end <= 0) return;
  const auto played = played_part(deck, panel);
  const auto x_of = [&](double seconds) {
    return corner.x + size.x * static_cast<float>(std::clamp(seconds / deck.report.end, 0.0, 1.0));
  };
  auto& drag = panel.state.perform->seek;
  const float mouse = ImGui::GetIO().MousePos.x;
  const double part = static_cast<double>((mouse - corner.x) / size.x);
  if (ImGui::IsItemHovered()) draw_moment(deck, part, panel);
  if (begin_gesture_when_pressed(panel)) {
    drag.clip = deck.report.playing;
    drag.held = held_at(mouse, x_of(played.begin), x_of(played.end), panel.px(kHandleReach));
  }
  if (ImGui::IsItemActive()) drag_bar(deck, part * deck.report.end, played, panel);
  draw_bar_menu(deck, panel);
  auto* draw = ImGui::GetWindowDrawList();
  const float bottom = corner.y + size.y;
  draw->AddRectFilled(corner, ImVec2(corner.x + size.x, bottom), color::kTrack);
  draw->AddRectFilled(ImVec2(x_of(played.begin), corner.y), ImVec2(x_of(played.end), bottom),
                      with_alpha(color::kAccent, 0.35F));
  for (const double end : {played.begin, played.end})
    draw->AddRectFilled(ImVec2(x_of(end) - panel.px(1.5F), corner.y),
                        ImVec2(x_of(end) + panel.px(1.5F), bottom), color::kAccent);
  const float at = x_of(deck.report.position);
  draw->AddRectFilled(ImVec2(at - panel.px(1), corner.y), ImVec2(at + panel.px(1), bottom),
                      color::kText);
}

// A clip that stands still keeps its direction: Reverse turns it for the next Play.
void draw_play(const ClipDeck& deck, Panel& panel) {
  const double speed = number(deck, "speed", panel);
  auto& before = panel.state.perform->speed_before_pause.try_emplace(show::to_string(deck.slot), 1)
                     .first->second;
  const bool is_playing = speed != 0;
  if (is_playing) before = speed;
  const float width = width_of("Reverse") + 2 * ImGui::GetStyle().FramePadding.x;
  const bool is_pressed = lit_button("###play", !is_playing, ImVec2(width, 0));
  label_with_icon(is_playing ? Icon::pause : Icon::play, is_playing ? "Pause" : "Play",
                  ImGui::GetColorU32(ImGuiCol_Text));
  if (is_pressed) set(deck, "speed", is_playing ? 0 : before, Gesture::begin, panel);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (lit_button("Reverse", before < 0, ImVec2(width, 0))) {
    before = -before;
    if (is_playing) set(deck, "speed", before, Gesture::begin, panel);
  }
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  draw_clip_sync(deck, panel);
}

// The number stands beside the slider: its grab would lie over it.
void draw_speed(const ClipDeck& deck, Panel& panel) {
  constexpr auto kMost = static_cast<float>(kSpeedShown);
  auto speed = static_cast<float>(played_speed(deck, panel));
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float button = width_of("1x") + 2 * ImGui::GetStyle().FramePadding.x;
  const float box = width_of("-10.00") + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::AlignTextToFramePadding();
  text("speed", color::kDim);
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - box - button - 2 * gap);
  const bool has_slid =
      ImGui::SliderFloat("##speed", &speed, -kMost, kMost, "", ImGuiSliderFlags_NoInput);
  begin_gesture_when_pressed(panel);  // before the first edit of this drag
  if (has_slid)
    set(deck, "speed", std::clamp(as_written(speed), -kSpeedShown, kSpeedShown), Gesture::go_on,
        panel);
  draw_parameter_menu(deck.slot, "speed", panel);
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(box);
  if (ImGui::InputFloat("##typed speed", &speed, 0, 0, "%.2f",
                        ImGuiInputTextFlags_EnterReturnsTrue))
    set(deck, "speed", std::clamp(as_written(speed), -kSpeedShown, kSpeedShown), Gesture::begin,
        panel);
  ImGui::SameLine(0, gap);
  if (ImGui::Button("1x", ImVec2(button, 0))) set(deck, "speed", 1.0, Gesture::begin, panel);
  tooltip("As it was recorded");
}

// The beats decide, so the speed is only shown.
void draw_synced_speed(const ClipDeck& deck, Panel& panel) {
  const bool is_of_beats = is_synced(deck, panel);
  ImGui::BeginGroup();
  ImGui::BeginDisabled(is_of_beats);
  draw_speed(deck, panel);
  ImGui::EndDisabled();
  ImGui::EndGroup();
  if (is_of_beats)
    tooltip(
        "The tempo and the beats above decide how fast the clip plays; choose \"no sync\" there");
}

}  // namespace

const show::Slot* clip_of(const show::Submix& submix) {
  const auto found = std::ranges::find(submix.slots, kClipPlugin, &show::Slot::plugin);
  return found == submix.slots.end() ? nullptr : &*found;
}

bool has_clip(const Panel& panel) {
  const auto* submix = chosen_submix(panel);
  return submix != nullptr && clip_of(*submix) != nullptr;
}

void draw_clip_panel(Panel& panel) {
  if (begin_panel("Clip", panel.fonts) && has_clip(panel)) {
    const auto deck = chosen_deck(panel);
    const auto times = deck.report.end > 0
                           ? fmt::format("{} of {}", play_time_text(deck.report.position),
                                         play_time_text(deck.report.end))
                           : std::string();
    const auto title = fmt::format("{}  {}", deck.slot.submix, times);
    panel_title_right(std::min(width_of(title), ImGui::GetContentRegionAvail().x));
    text(title, color::kDim);
    draw_file(deck, panel);
    draw_missing(deck, panel);
    draw_bar(deck, panel);
    draw_play(deck, panel);
    draw_synced_speed(deck, panel);
    draw_clip_loop(deck, panel);
    draw_clip_bank(deck, panel);
  }
  end_panel();
}

}  // namespace submix::ui
