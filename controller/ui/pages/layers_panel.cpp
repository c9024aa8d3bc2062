// SPDX-License-Identifier: GPL-3.0-or-later
// The mix and its layers, on the page that one performs with.
#include "controller/ui/pages/layers_panel.hpp"

#include "common/show/input_count.hpp"
#include "common/show/lookup.hpp"
#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/lut.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/edits/renaming.hpp"
#include "controller/ui/pages/clip_panel.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/pages/file_choice.hpp"
#include "controller/ui/pages/mix_controls.hpp"
#include "controller/ui/pages/outputs_panel.hpp"
#include "controller/ui/pages/transform_handles.hpp"
#include "controller/ui/pages/wall.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kThumbnailGap = 10;
constexpr float kFaderHeight = 24;
constexpr float kSmallRowGap = 2;
constexpr float kNewLayerWidth = 72;
constexpr float kNarrowNewLayerWidth = 28;
constexpr float kButtonGap = 4;
constexpr float kLayerWidthMin = 176;  // the fader wants room
constexpr float kLayerWidthMost = 280;
constexpr float kBlendWidth = 78;  // beside the picture

// Above the layers. The faders and the mixer stay in view.
void tooltip_here(std::string_view words) {
  tooltip_above(words, ImGui::GetWindowPos().y);
}

// Two buttons stand side by side in it.
float blend_width(const Panel& panel) {
  return panel.px(panel.state.is_touched ? 2 * kFingertip + kButtonGap : kBlendWidth);
}

// A text of the layer's input of its "mix" slot, by the show or the plugin.
std::string_view text_of_input(const model::Layer& layer, std::string_view kind,
                               const Panel& panel) {
  const auto* words =
      value_as<std::string>(layer.fader->mixer, show::parameter_of_input(kind, layer.input), panel);
  return words == nullptr ? std::string_view() : *words;
}

// Where the fader is now, also while a cue or an oscillator moves it. The layer has a fader.
double level_of(const model::Layer& layer, Panel& panel) {
  const auto& [mixer, parameter, value] = *layer.fader;
  return layer.input == 0 ? value : number_now(mixer, parameter, panel);
}

bool is_faded_out_with_the_mix(const model::Layer& layer, Panel& panel) {
  return layer.input != 0 && number_now(layer.fader->mixer, "master", panel) <= 0;
}

// The crossfader stands at the other side: this one comes with the next fade.
bool is_in_preview(const model::Layer& layer, Panel& panel) {
  if (layer.input == 0) return false;
  const auto side = text_of_input(layer, show::kSideOfInput, panel);
  const double crossfade = number_now(layer.fader->mixer, "crossfade", panel);
  return (side == "A" && crossfade >= 1) || (side == "B" && crossfade <= 0);
}

struct Tally {
  std::string_view word;
  ImU32 color;
  bool is_bright = true;  // seen in the mix, or to be seen next
};

// Of any part of the layer. Empty: all is well.
std::string_view trouble_of(const model::SubmixView& submix) {
  for (const auto& stage : submix.stages) {
    if (!stage.trouble.empty()) return stage.trouble;
  }
  return {};
}

// Its PC may be gone, and nobody sees any layer.
bool is_mix_running(Panel& panel) {
  const auto* mix = panel.view.find_submix(mix_of(panel).submix);
  return mix != nullptr && mix->state == model::SubmixState::running;
}

// Whether a layer is seen in the mix, or comes next; if not, why.
Tally tally_of(const model::Layer& layer, Panel& panel) {
  const auto* submix = panel.view.find_submix(layer.submix);
  if (submix == nullptr || submix->state != model::SubmixState::running)
    return {submix == nullptr ? "missing" : to_string(submix->state), color::kWarning};
  if (!is_mix_running(panel)) return {"no mix", color::kBad, false};
  const auto* stream = panel.view.find_stream(layer.stream);
  if (stream == nullptr || !stream->sender.is_current) return {"gone", color::kBad};
  if (!stream->receiver.detached.empty()) return {"held", color::kWarning};
  if (panel.state.perform->muting.is_muted(layer)) return {"muted", color::kFaint, false};
  if (layer.fader && level_of(layer, panel) <= 0) return {"off", color::kFaint, false};
  if (is_faded_out_with_the_mix(layer, panel)) return {"faded out", color::kFaint, false};
  if (is_in_preview(layer, panel)) return {"in preview", color::kAccent};
  if (!trouble_of(*submix).empty()) return {"trouble", color::kWarning};
  return {"on air", color::kGood};
}

void move_layer(const model::Layer& layer, const model::Layer& to, Panel& panel) {
  edit_show(model::move_layer(*panel.view.show, plugins_of(panel), layer.submix, to.submix),
            Gesture::none, panel);
}

void draw_order_items(const model::Layer& layer, Panel& panel) {
  const auto& layers = mix_of(panel).layers;
  const auto at = std::ranges::find(layers, layer.stream, &model::Layer::stream);
  const auto may_take = [&](const model::Layer& other) {
    return layer.input != 0 && other.input != 0 && layer.fader->mixer == other.fader->mixer;
  };
  if (at != layers.begin() && may_take(*(at - 1)) && ImGui::Selectable("Lower (to the left)"))
    move_layer(layer, *(at - 1), panel);
  if (at + 1 < layers.end() && may_take(*(at + 1)) && ImGui::Selectable("Higher (to the right)"))
    move_layer(layer, *(at + 1), panel);
}

void draw_edit_items(const model::Layer& layer, Panel& panel) {
  const auto& show = *panel.view.show;
  draw_order_items(layer, panel);
  draw_rename_item(Renaming::Kind::layer, layer.submix, panel);
  if (ImGui::Selectable("Duplicate the layer"))
    edit_show(model::duplicate_layer(show, plugins_of(panel), layer.submix), Gesture::none, panel);
  if (ImGui::Selectable("Delete the layer"))
    edit_show(model::delete_layer(show, plugins_of(panel), layer.submix), Gesture::none, panel);
}

void draw_layer_menu(const model::Layer& layer, Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopupContextItem("layer menu")) return;
  if (ImGui::Selectable("Show its patch")) {
    panel.state.selected_submix = layer.submix;
    panel.state.page = "patch";
  }
  if (!panel.state.is_performing) draw_edit_items(layer, panel);
  ImGui::EndPopup();
}

// As high as the words beside it.
void draw_layer_name(const model::Layer& layer, float width, Panel& panel) {
  if (!is_renaming(Renaming::Kind::layer, layer.submix, panel))
    return text_cut(layer.submix, width);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ImGui::GetStyle().FramePadding.x, 0));
  draw_renaming(width, panel);
  ImGui::PopStyleVar();
}

void draw_fader(const model::Layer& layer, float width, Panel& panel) {
  if (!layer.fader) {
    const auto corner = ImGui::GetCursorPos();
    ImGui::AlignTextToFramePadding();
    text_cut("below the others", width, color::kFaint);
    ImGui::SetCursorPos(corner);
    return ImGui::Dummy(ImVec2(width, ImGui::GetFrameHeight()));
  }
  ImGui::SetNextItemWidth(width);
  draw_level(layer.fader->mixer, layer.fader->parameter, level_of(layer, panel), "%.2f", panel);
}

void set_text_of_input(const model::Layer& layer, std::string_view kind, std::string words,
                       Panel& panel) {
  edit_show(model::SetParameter{layer.fader->mixer, show::parameter_of_input(kind, layer.input),
                                std::move(words)},
            Gesture::begin, panel);
}

void draw_blend(const model::Layer& layer, float width, Panel& panel) {
  const auto name = show::parameter_of_input(show::kBlendOfInput, layer.input);
  const auto* mixer = panel.view.find_plugin(show::kMixPlugin);
  const auto* parameter = mixer == nullptr ? nullptr : show::item_named(mixer->parameters, name);
  if (parameter == nullptr || parameter->choices.empty()) return;
  const auto blend = text_of_input(layer, show::kBlendOfInput, panel);
  const auto* mode = value_as<std::string>(layer.fader->mixer, "mode", panel);
  const bool is_as_mode = blend == parameter->choices.front() && mode != nullptr;
  const std::string shown(is_as_mode ? *mode : blend);
  ImGui::SetNextItemWidth(width);
  ImGui::BeginDisabled(layer.input == 1);  // nothing lies below
  if (const auto* chosen = draw_choices("##blend", parameter->choices, blend, shown.c_str(), panel,
                                        ImGuiComboFlags_NoArrowButton))
    set_text_of_input(layer, show::kBlendOfInput, *chosen, panel);
  ImGui::EndDisabled();
  tooltip_here("How the layer meets those at its left");
}

void draw_sides(const model::Layer& layer, float room, Panel& panel) {
  const auto side = text_of_input(layer, show::kSideOfInput, panel);
  const float width = (room - panel.px(kButtonGap)) / 2;
  for (const auto* letter : {"A", "B"}) {
    if (*letter == 'B') ImGui::SameLine(0, panel.px(kButtonGap));
    if (lit_button(letter, side == letter, ImVec2(width, 0)))
      set_text_of_input(layer, show::kSideOfInput, side == letter ? "both" : letter, panel);
    tooltip_here(FrameText("On side {} of the crossfader only", letter));
  }
}

// M and S, as on a mixing desk.
void draw_mute_and_solo(const model::Layer& layer, float size, Panel& panel) {
  auto& muting = panel.state.perform->muting;
  const auto& layers = mix_of(panel).layers;
  ImGui::BeginDisabled(!layer.fader);
  if (lit_button("M", muting.is_muted(layer), ImVec2(size, 0)))
    edit_show(muting.toggle_mute(layers, layer.stream), Gesture::none, panel);
  tooltip_here("Mute: out of the mix, and back to where its fader was");
  ImGui::EndDisabled();
  ImGui::SameLine(0, panel.px(kButtonGap));
  if (lit_button("S", muting.is_solo(layers, layer.stream), ImVec2(size, 0)))
    edit_show(muting.toggle_solo(layers, layer.stream), Gesture::none, panel);
  tooltip_here("Solo: all others that have a fader out of the mix, and back");
}

// Its clip and effects come into view.
void choose_layer(const std::string& submix, Panel& panel) {
  panel.state.perform->awaited_layer.reset();  // a person goes on with this one
  panel.state.selected_submix = submix;
  panel.state.perform->is_layer_shown = true;
  // Its words can be changed at once, and it can be dragged in the picture.
  const auto* chosen = chosen_submix(panel);
  if (chosen != nullptr && !chosen->slots.empty() &&
      chosen->slots.front().plugin == model::kTitlePlugin)
    panel.state.editing->slot = chosen->slots.front().name;
}

// Within the picture: the row of layers ends at the edge of the first one.
void mark_chosen(ImVec2 corner, ImVec2 size, const Panel& panel) {
  const float line = std::max(2.0F, std::round(panel.px(2)));
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(corner, {end.x, corner.y + line}, color::kAccent);
  draw->AddRectFilled({corner.x, end.y - line}, end, color::kAccent);
  draw->AddRectFilled(corner, {corner.x + line, end.y}, color::kAccent);
  draw->AddRectFilled({end.x - line, corner.y}, end, color::kAccent);
}

// In the right lower corner of its picture.
void draw_layer_rate(const model::Layer& layer, ImVec2 corner, Panel& panel) {
  constexpr ImU32 kGround = IM_COL32(0, 0, 0, 150);
  constexpr ImU32 kWords = IM_COL32(235, 235, 235, 255);  // in both themes
  const auto* submix = panel.view.find_submix(layer.submix);
  if (submix == nullptr || submix->state != model::SubmixState::running) return;
  const auto words = fmt::format("{:.0f} fps", submix->fps);
  const auto size = ImGui::CalcTextSize(words.c_str());
  const float pad = panel.px(3);
  const ImVec2 place(corner.x - size.x - pad, corner.y - size.y);
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(ImVec2(place.x - pad, place.y), corner, kGround);
  draw->AddText(place, kWords, words.c_str());
}

void draw_layer_picture(const model::Layer& layer, ImVec2 corner, ImVec2 size, bool is_bright,
                        Panel& panel) {
  constexpr ImU32 kShade = IM_COL32(0, 0, 0, 150);
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  if (!ImGui::IsRectVisible(corner, end)) return;
  draw_picture({layer.submix, {}}, corner, size, panel);
  if (!is_bright) ImGui::GetWindowDrawList()->AddRectFilled(corner, end, kShade);
  draw_layer_rate(layer, end, panel);
}

// A layer that is dropped on another one takes its place.
void draw_layer_drag(const model::Layer& layer, Panel& panel) {
  constexpr const char* kPayload = "layer";
  if (panel.state.is_performing || layer.input == 0) return;
  offer_drag(kPayload, layer.submix, layer.submix);
  accept_drop(
      kPayload,
      [&](const std::string& dragged) {
        return model::move_layer(*panel.view.show, plugins_of(panel), dragged, layer.submix);
      },
      panel);
}

void play_first_file(const ChosenFile& file, const show::Submix& layer, Panel& panel) {
  if (const auto* clip = clip_of(layer)) {
    play_in_clip(file, {layer.name, clip->name}, layer.node, panel);
  } else if (model::source_of(*panel.view.show, plugins_of(panel), layer.name) != nullptr) {
    play_in_source(file, layer.name, layer.node, panel);
  } else {
    play_in_new_layer(file, mix_of(panel).submix, panel);
  }
}

void play_next_file(const ChosenFile& file, const show::Submix& layer, Panel& panel) {
  if (const auto* clip = clip_of(layer)) {
    add_to_bank(file, {layer.name, clip->name}, layer.node, panel);
  } else {
    play_in_new_layer(file, mix_of(panel).submix, panel);
  }
}

// The first file that is dropped on a layer plays in its clip, and its bank gets the others. In a
// layer of another source the file replaces this source. A LUT changes the layer's colours.
void take_dropped_files(const model::Layer& layer, Panel& panel) {
  const auto* submix = panel.view.show->find_submix(layer.submix);
  if (submix == nullptr) return;
  bool is_first = true;
  for (const auto& file : files_dropped_here(panel)) {
    if (model::is_lut_name(file.file)) {
      apply_own_lut(file.file, layer.submix, panel);
      continue;
    }
    const auto play = std::exchange(is_first, false) ? play_first_file : play_next_file;
    play(file, *submix, panel);
  }
}

// A LUT changes the colours of the whole mix.
void take_files_dropped_on_mix(const std::string& mix, Panel& panel) {
  for (const auto& file : files_dropped_here(panel)) {
    if (model::is_lut_name(file.file)) {
      apply_own_lut(file.file, mix, panel);
    } else {
      play_in_new_layer(file, mix, panel);
    }
  }
}

// A new layer may lie beyond the right end of the row.
void show_if_wanted(const model::Layer& layer, Panel& panel) {
  auto& wanted = panel.state.perform->layer_to_show;
  if (wanted != layer.submix) return;
  wanted.clear();
  ImGui::SetScrollHereX(1);
}

void draw_layer(const model::Layer& layer, ImVec2 picture, float width, Panel& panel) {
  ImGui::PushID(layer.stream.c_str());
  ImGui::BeginGroup();
  if (ImGui::InvisibleButton("picture", picture)) choose_layer(layer.submix, panel);
  const auto corner = ImGui::GetItemRectMin();
  draw_layer_menu(layer, panel);
  tooltip_here(
      "A click chooses it; drag it to another layer's place; a right click renames or deletes it, "
      "and more");
  draw_layer_drag(layer, panel);
  const auto tally = tally_of(layer, panel);
  draw_layer_picture(layer, corner, picture, tally.is_bright, panel);
  if (panel.state.selected_submix == layer.submix) mark_chosen(corner, picture, panel);
  if (layer.input != 0) {
    const float beside = width - picture.x - panel.px(kButtonGap);
    ImGui::SameLine(0, panel.px(kButtonGap));
    ImGui::BeginGroup();
    draw_blend(layer, beside, panel);
    draw_sides(layer, beside, panel);
    ImGui::EndGroup();
  }
  badge(tally.word, tally.color);
  tooltip_of([&] {
    const auto* submix = panel.view.find_submix(layer.submix);
    return submix == nullptr ? std::string_view() : trouble_of(*submix);
  });
  ImGui::SameLine();
  draw_layer_name(layer, width - badge_width(tally.word) - panel.px(8), panel);
  const float button = ImGui::GetFrameHeight();
  draw_fader(layer, width - 2 * (button + panel.px(kButtonGap)), panel);
  ImGui::SameLine(0, panel.px(kButtonGap));
  draw_mute_and_solo(layer, button, panel);
  ImGui::EndGroup();
  take_dropped_files(layer, panel);
  show_if_wanted(layer, panel);
  ImGui::PopID();
}

void choose_awaited_layer(Panel& panel) {
  constexpr std::chrono::seconds kPatience{10};  // then a layer may be somebody else's
  auto& awaited = panel.state.perform->awaited_layer;
  if (!awaited) return;
  const bool is_copying = !panel.view.media_copies.empty();
  if (is_copying) awaited->since = LocalTime::clock::now();
  for (const auto& layer : mix_of(panel).layers) {
    const bool is_new = std::ranges::find(awaited->before, layer.stream) == awaited->before.end();
    const auto* submix = panel.view.find_submix(layer.submix);
    const bool is_running = submix != nullptr && submix->state == model::SubmixState::running;
    if (!is_new || !is_running) continue;  // the nodes may still refuse it
    panel.state.perform->layer_to_show = layer.submix;
    return choose_layer(layer.submix, panel);
  }
  if (LocalTime::clock::now() - awaited->since > kPatience) awaited.reset();
}

void add_layer(const ChosenSource& source, Panel& panel) {
  const auto& mix = mix_of(panel).submix;
  if (source.plugin.empty()) return play_in_new_layer(source.file, mix, panel);
  await_new_layer(panel);
  const model::NewLayer layer{.mix = mix,
                              .plugin = source.plugin,
                              .level = model::makes_transparency(source.plugin) ? 1 : 0.5};
  edit_show(model::add_layer(*panel.view.show, plugins_of(panel), layer), Gesture::none, panel);
}

// A clip or a still by its file, or any other source.
void draw_new_layer_menu(Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopup("new layer")) return;
  auto& typed = panel.state.texts["source of a new layer"];
  if (const auto chosen = draw_source_choice(typed, panel)) {
    add_layer(*chosen, panel);
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

// Where two layers would have no room beside the button, it is narrow.
float new_layer_width(float room, const Panel& panel) {
  const float layers = panel.px(2 * (kLayerWidthMin + kThumbnailGap));
  const float usual = panel.px(kNewLayerWidth);
  return layers + usual <= room ? usual : panel.px(kNarrowNewLayerWidth);
}

void draw_new_layer(ImVec2 size, Panel& panel) {
  const bool is_narrow = size.x < panel.px(kNewLayerWidth);
  if (ImGui::Button(is_narrow ? "+###new layer" : "+ Layer###new layer", size)) {
    ImGui::OpenPopup("new layer");
    ask_for_media(panel);
  }
  tooltip_here("A layer on top of the mix, with a picture of its own");
  draw_new_layer_menu(panel);
}

// Beside "+ Layer", where the panel is wide.
void draw_drop_hint(float height, const Panel& panel) {
  constexpr std::string_view kWords = "Drop clips and pictures here: each becomes a layer.";
  constexpr float kLeast = 150;
  const ImVec2 corner(ImGui::GetItemRectMax().x + panel.px(kThumbnailGap),
                      ImGui::GetItemRectMin().y);
  const float edge = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  const float room = edge - corner.x;
  if (room < panel.px(kLeast)) return;
  const auto size = ImGui::CalcTextSize(kWords.data(), kWords.data() + kWords.size(), false, room);
  const ImVec2 at(std::round(corner.x), std::round(corner.y + (height - size.y) / 2));
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, color::kFaint,
                                      kWords.data(), kWords.data() + kWords.size(), room);
}

// In a low panel the rows of a layer stand closer together, so that it has no scroll bar. A layer
// has two rows of controls beside the picture, a line of text, and the fader.
bool has_room_between_rows(float room) {
  const float rows = 3 * ImGui::GetFrameHeight() + ImGui::GetTextLineHeight();
  return room >= rows + 3 * ImGui::GetStyle().ItemSpacing.y;
}

// As high as the panel allows, but so narrow that the layers have room side by side while a picture
// can still be made out.
ImVec2 picture_size(ImVec2 room, Panel& panel) {
  const float fader = panel.state.is_touched ? ImGui::GetFrameHeight() : panel.px(kFaderHeight);
  const float below =
      ImGui::GetTextLineHeightWithSpacing() + fader + ImGui::GetStyle().ItemSpacing.y + panel.px(2);
  const float aspect = aspect_of(panel.view.show->size);
  const auto layers = static_cast<float>(std::max<std::size_t>(mix_of(panel).layers.size(), 2));
  const float width = room.x / layers - blend_width(panel) - panel.px(kButtonGap + kThumbnailGap);
  const float height = std::max(panel.px(40), std::min(room.y - below, std::floor(width / aspect)));
  return {std::round(height * aspect), height};
}

// The layers share the room, so that their faders are long.
float layer_width(float room, float picture, Panel& panel) {
  const auto layers = static_cast<float>(std::max<std::size_t>(mix_of(panel).layers.size(), 1));
  const float least =
      std::max(picture + panel.px(kButtonGap) + blend_width(panel), panel.px(kLayerWidthMin));
  const float share = std::floor(room / layers) - panel.px(kThumbnailGap);
  return std::clamp(share, least, std::max(least, panel.px(kLayerWidthMost)));
}

bool are_layers_cut(float room, Panel& panel) {
  const auto layers = static_cast<float>(mix_of(panel).layers.size());
  return layers * panel.px(kLayerWidthMin + kThumbnailGap) > room;
}

// The layers side by side. Where they need more than the room, they scroll. Returns the size of
// their pictures.
ImVec2 draw_layer_row(ImVec2 room, Panel& panel) {
  auto inner = room;
  if (are_layers_cut(room.x, panel)) inner.y -= ImGui::GetStyle().ScrollbarSize;
  const auto picture = picture_size(inner, panel);
  const float each = layer_width(inner.x, picture.x, panel);
  const auto spacing = ImGui::GetStyle().ItemSpacing;
  const float row_gap = has_room_between_rows(inner.y) ? spacing.y : panel.px(kSmallRowGap);
  auto& width = panel.state.perform->layers_width;
  if (mix_of(panel).layers.empty()) return picture;
  ImGui::BeginChild("layers", ImVec2(width > 0 ? std::min(width, room.x) : room.x, room.y), false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(spacing.x, row_gap));
  const float left = ImGui::GetCursorPosX();
  for (const auto& layer : mix_of(panel).layers) {
    draw_layer(layer, picture, each, panel);
    ImGui::SameLine(0, panel.px(kThumbnailGap));
  }
  width = ImGui::GetCursorPosX() - left;
  ImGui::PopStyleVar();
  ImGui::EndChild();
  ImGui::SameLine(0, 0);
  return picture;
}

// The preview shows what the mix makes, and not what the outputs hold.
void draw_output_state(ImVec2 corner, Panel& panel) {
  const auto& transport = panel.view.transport;
  if (!transport.is_black && !transport.is_frozen && !transport.has_test_cards) return;
  const std::string_view words = transport.is_black         ? "OUTPUTS BLACK"
                                 : transport.has_test_cards ? "TEST CARDS"
                                                            : "OUTPUTS FROZEN";
  ImGui::PushFont(panel.fonts.large);
  const ImVec2 margin(panel.px(14), panel.px(6));
  const ImVec2 end(corner.x + width_of(words) + 2 * margin.x,
                   corner.y + ImGui::GetFontSize() + 2 * margin.y);
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(corner, end, transport.is_black ? color::kBad : color::kWarning);
  draw->AddText(ImVec2(corner.x + margin.x, corner.y + margin.y), color::kOnBright, words.data(),
                words.data() + words.size());
  ImGui::PopFont();
}

// A drag beside the frame of a layer is no click: the frame stays. A finger trembles.
bool has_missed_a_handle(const Panel& panel) {
  const auto dragged = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
  return !panel.state.is_touched && (dragged.x != 0 || dragged.y != 0);
}

}  // namespace

void draw_mix_picture(ImVec2 room, Panel& panel) {
  const session::PictureKey key{mix_of(panel).submix, {}};
  const auto corner = ImGui::GetCursorScreenPos();
  draw_picture(key, corner, room, panel);
  panel.watched_large = key;
  const auto place = picture_place(panel.view.show->size, corner, room);
  draw_transform_handles(place.corner, place.size, panel);  // first: they lie above the picture
  ImGui::SetCursorScreenPos(corner);
  if (room.x > 0 && room.y > 0) {
    const bool is_pressed = ImGui::InvisibleButton("mix", room);
    if (is_pressed && !has_missed_a_handle(panel)) choose_layer(key.submix, panel);
    take_files_dropped_on_mix(key.submix, panel);
  }
  tooltip("A click shows the effects of the whole mix");
  draw_output_state(corner, panel);
}

void draw_programme_panel(Panel& panel) {
  const auto room = ImGui::GetContentRegionAvail();
  const float outputs = outputs_height(panel);
  const float picture = std::max(0.0F, room.y - outputs);
  draw_mix_picture({room.x, picture}, panel);
  if (outputs <= 0) return;
  ImGui::SetCursorPos({0, picture});
  draw_outputs(panel);
}

void draw_layers_panel(Panel& panel) {
  choose_awaited_layer(panel);
  if (begin_plain_panel("Layers")) {
    auto room = ImGui::GetContentRegionAvail();
    const float button = new_layer_width(room.x, panel);
    room.x -= button;  // also in the perform mode, so that no fader moves
    const auto picture = draw_layer_row(room, panel);
    if (!panel.state.is_performing) {
      draw_new_layer(ImVec2(button, picture.y), panel);
      draw_drop_hint(picture.y, panel);
    }
  }
  end_panel();
}

}  // namespace submix::ui
