// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/clip_bank.hpp"

#include "common/show/clip_bank.hpp"
#include "controller/model/edit/clip_deck.hpp"
#include "controller/model/edit/lut.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/clip_panel.hpp"
#include "controller/ui/pages/file_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace submix::ui {
namespace {

constexpr int kTilesInARow = 4;
constexpr float kTileHeight = 46;
constexpr float kPointHeight = 26;

struct BankLayout {
  float tile_width = 0;
  float gap = 0;
};

BankLayout layout_of_row(const Panel& panel) {
  const float gap = panel.px(4);
  const float room = ImGui::GetContentRegionAvail().x;
  return {std::floor((room - (kTilesInARow - 1) * gap) / kTilesInARow), gap};
}

model::TakeAt take_at(const Panel& panel) {
  const auto now = LocalTime::clock::now();
  return {panel.state.perform->take, model::running_of(panel.view, now).time};
}

// Its name, on the picture's lower end.
void draw_tile_name(std::size_t number, const std::string& file, ImVec2 corner, ImVec2 size,
                    const Panel& panel) {
  const float line = panel.fonts.small->FontSize;
  auto* draw = ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  draw->AddRectFilled(ImVec2(corner.x, end.y - line - panel.px(3)), end,
                      with_alpha(color::kPanel, 0.8F));
  const auto after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(corner.x + panel.px(4), end.y - line - panel.px(2)));
  ImGui::PushFont(panel.fonts.small);
  text_cut(fmt::format("{} {}", number, file_name_of(file)), size.x - panel.px(8));
  ImGui::PopFont();
  ImGui::SetCursorScreenPos(after);
}

void draw_tile_menu(std::size_t number, const ClipDeck& deck, Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopupContextItem("clip menu")) return;
  ImGui::BeginDisabled(number == 1);
  if (ImGui::MenuItem("Take it out of the bank"))
    edit_show(model::take_out_of_bank(*panel.view.show, deck.slot, number), Gesture::begin, panel);
  ImGui::EndDisabled();
  ImGui::EndPopup();
}

struct Tile {
  std::size_t number;
  const std::string& file;
  bool is_wanted;  // it plays, or will
};

void draw_tile(const Tile& tile, const ClipDeck& deck, ImVec2 size, Panel& panel) {
  const auto& [number, file, is_wanted] = tile;
  ImGui::PushID(static_cast<int>(number));
  ImGui::BeginGroup();
  const auto corner = ImGui::GetCursorScreenPos();
  const bool is_pressed = ImGui::InvisibleButton("clip", size);
  tooltip_of([&] {
    return fmt::format("{}\nPress to play it {} (Ctrl+F{})", tile.file,
                       to_string(panel.state.perform->take), tile.number);
  });
  draw_tile_menu(number, deck, panel);
  draw_media_picture({deck.node, file, model::MediaPictureKey::kUsualStep}, corner, size, panel);
  draw_tile_name(number, file, corner, size, panel);
  const bool is_playing = number == deck.report.playing;
  const bool is_to_come = is_wanted && !is_playing;
  if (is_playing || is_to_come)
    ImGui::GetWindowDrawList()->AddRect(corner, ImVec2(corner.x + size.x, corner.y + size.y),
                                        is_playing ? color::kAccent : color::kWarning, 0, 0,
                                        panel.px(2));
  ImGui::EndGroup();
  if (is_pressed) take_clip_of_bank(number, panel);
  ImGui::PopID();
}

void draw_add_clip(const ClipDeck& deck, ImVec2 size, Panel& panel) {
  if (ImGui::Button("+ Clip", size)) {
    ImGui::OpenPopup("clip for the bank");
    ask_for_media(panel);
  }
  tooltip("Another clip for this bank; it waits, ready to begin on the beat");
  if (!ImGui::BeginPopup("clip for the bank")) return;
  auto chosen = draw_file_choice(panel.state.texts["clip for a bank"], deck.node, panel);
  if (chosen) ImGui::CloseCurrentPopup();
  for (; chosen; chosen = take_file_dropped_on_list(panel))
    add_to_bank(*chosen, deck.slot, deck.node, panel);
  ImGui::EndPopup();
}

void draw_tiles(const show::ClipBank& bank, const ClipDeck& deck, Panel& panel) {
  const auto row = layout_of_row(panel);
  const ImVec2 size(row.tile_width, panel.reach(kTileHeight));
  const auto wanted = model::wanted_clip(*panel.view.show->find_slot(deck.slot));
  for (std::size_t i = 0; i < bank.size(); ++i) {
    if (i % kTilesInARow != 0) ImGui::SameLine(0, row.gap);
    draw_tile({i + 1, bank[i].file, i + 1 == wanted}, deck, size, panel);
  }
  if (bank.size() >= show::kBankClipsMax) return;
  if (bank.size() % kTilesInARow != 0) ImGui::SameLine(0, row.gap);
  draw_add_clip(deck, size, panel);
}

// A LUT changes the layer's colours, as everywhere on the layer.
void take_files_for_bank(const ClipDeck& deck, Panel& panel) {
  for (const auto& file : files_dropped_here(panel)) {
    if (model::is_lut_name(file.file)) {
      apply_own_lut(file.file, deck.slot.submix, panel);
    } else {
      add_to_bank(file, deck.slot, deck.node, panel);
    }
  }
}

void draw_point_menu(std::size_t number, const ClipDeck& deck, Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopupContextItem("point menu")) return;
  if (ImGui::MenuItem("Forget this cue point"))
    edit_show(model::forget_point(*panel.view.show, deck.slot, deck.report.playing, number),
              Gesture::begin, panel);
  ImGui::EndPopup();
}

void draw_point(std::size_t number, double seconds, const ClipDeck& deck, ImVec2 size,
                Panel& panel) {
  ImGui::PushID(static_cast<int>(number));
  const auto label = fmt::format("{}  {}", number, play_time_text(seconds));
  if (ImGui::Button(label.c_str(), size)) jump_to_cue_point(number, panel);
  tooltip_of([&] {
    return fmt::format("Press to jump there {} (Ctrl+Shift+F{})",
                       to_string(panel.state.perform->take), number);
  });
  draw_point_menu(number, deck, panel);
  ImGui::PopID();
}

void draw_points(const show::ClipBank& bank, const ClipDeck& deck, Panel& panel) {
  if (deck.report.playing < 1 || deck.report.playing > bank.size()) return;
  const auto& points = bank[deck.report.playing - 1].points;
  const auto row = layout_of_row(panel);
  const ImVec2 size(row.tile_width, panel.reach(kPointHeight));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % kTilesInARow != 0) ImGui::SameLine(0, row.gap);
    draw_point(i + 1, points[i], deck, size, panel);
  }
  if (points.size() >= show::kCuePointsMax) return;
  if (points.size() % kTilesInARow != 0) ImGui::SameLine(0, row.gap);
  if (ImGui::Button("+ Point", size))
    edit_show(
        model::add_point(*panel.view.show, deck.slot, deck.report.playing, deck.report.position),
        Gesture::begin, panel);
  tooltip("A cue point at the present position of the clip");
}

void draw_take_time(Panel& panel) {
  auto& take = panel.state.perform->take;
  ImGui::SetNextItemWidth(panel.px(120));
  if (!begin_combo("##take", std::string(to_string(take)).c_str(), panel)) {
    tooltip("When a press on a clip or on a cue point holds");
    return;
  }
  for (const auto time : model::kTakeTimes) {
    if (ImGui::Selectable(std::string(to_string(time)).c_str(), time == take)) take = time;
  }
  end_combo();
}

}  // namespace

ClipDeck chosen_deck(const Panel& panel) {
  const auto& submix = *chosen_submix(panel);
  const show::Port slot{submix.name, clip_of(submix)->name};
  return {slot, submix.node, model::clip_report(panel.view, slot)};
}

void draw_clip_bank(const ClipDeck& deck, Panel& panel) {
  const auto* slot = panel.view.show->find_slot(deck.slot);
  if (slot == nullptr) return;
  const auto bank = show::clip_bank_of(slot->parameters);
  draw_take_time(panel);
  ImGui::BeginGroup();
  draw_tiles(bank, deck, panel);
  ImGui::EndGroup();
  take_files_for_bank(deck, panel);
  draw_points(bank, deck, panel);
}

float bank_height(const Panel& panel) {
  const auto* submix = chosen_submix(panel);
  const auto* slot = submix == nullptr ? nullptr : clip_of(*submix);
  if (slot == nullptr) return 0;
  const auto bank = show::clip_bank_of(slot->parameters);
  const auto rows = [](std::size_t items, std::size_t most) {
    const std::size_t full = (std::min(items + 1, most) + kTilesInARow - 1) / kTilesInARow;
    return static_cast<float>(full);
  };
  const auto playing = std::clamp<std::size_t>(chosen_deck(panel).report.playing, 1, bank.size());
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  const float tiles = rows(bank.size(), show::kBankClipsMax);
  const float points = rows(bank[playing - 1].points.size(), show::kCuePointsMax);
  return ImGui::GetFrameHeight() + gap + tiles * (panel.reach(kTileHeight) + gap) +
         points * (panel.reach(kPointHeight) + gap);
}

void take_clip_of_bank(std::size_t number, Panel& panel) {
  const auto clip = chosen_deck(panel).slot;
  edit_show(model::take_clip(*panel.view.show, clip, number, take_at(panel)), Gesture::begin,
            panel);
}

void jump_to_cue_point(std::size_t number, Panel& panel) {
  const auto clip = chosen_deck(panel).slot;
  edit_show(model::jump_to_point(*panel.view.show, clip, number, take_at(panel)), Gesture::begin,
            panel);
}

}  // namespace submix::ui
