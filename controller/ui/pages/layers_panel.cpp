// SPDX-License-Identifier: GPL-3.0-or-later
// The mix and its layers, on the page that one performs with.
#include "controller/ui/pages/layers_panel.hpp"

#include "common/base/written_number.hpp"
#include "controller/model/edit/layers.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/wall.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kThumbnailGap = 10;
constexpr float kFaderHeight = 24;
constexpr float kButtonGap = 4;
constexpr float kLayerWidthMin = 170;  // the fader wants room
constexpr float kFileWidth = 260;

// Made anew only when the show or the nodes' plugins have changed.
const MixLayers& mix_of(Panel& panel) {
  auto& mix = panel.state.perform->mix;
  if (mix.show == panel.view.show && mix.plugins == panel.view.plugins) return mix;
  mix = {panel.view.show, panel.view.plugins, {}, {}};
  const auto& show = *mix.show;
  if (auto found = model::find_mix(show)) {
    mix.submix = *std::move(found);
  } else if (show.find_submix(panel.state.picture.submix) != nullptr) {
    mix.submix = panel.state.picture.submix;  // the one that the person looks at
  } else if (!show.submixes.empty()) {
    mix.submix = show.submixes.back().name;
  }
  mix.layers = model::layers_of(show, plugins_of(panel), mix.submix);
  panel.state.perform->muting.follow(mix.layers);
  return mix;
}

struct Tally {
  std::string_view word;
  ImU32 color;
};

// Whether a layer is seen in the mix; if not, why.
Tally tally_of(const model::Layer& layer, const Panel& panel) {
  const auto* submix = panel.view.find_submix(layer.submix);
  if (submix == nullptr || submix->state != model::SubmixState::running)
    return {submix == nullptr ? "missing" : to_string(submix->state), color::kWarning};
  const auto* stream = panel.view.find_stream(layer.stream);
  if (stream == nullptr || !stream->sender.is_current) return {"gone", color::kBad};
  if (!stream->receiver.detached.empty()) return {"held", color::kWarning};
  if (panel.state.perform->muting.is_muted(layer)) return {"muted", color::kFaint};
  if (layer.fader && layer.fader->value <= 0) return {"off", color::kFaint};
  return {"on air", color::kGood};
}

void draw_layer_menu(const model::Layer& layer, Panel& panel) {
  if (!ImGui::BeginPopupContextItem("layer menu")) return;
  if (ImGui::Selectable("Show its patch")) {
    panel.state.selected_submix = layer.submix;
    panel.state.page = "patch";
  }
  if (ImGui::Selectable("Delete the layer")) {
    edit_show(model::delete_layer(*panel.view.show, plugins_of(panel), layer.submix), Gesture::none,
              panel);
  }
  ImGui::EndPopup();
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
  const auto& [mixer, parameter, value] = *layer.fader;
  auto level = static_cast<float>(value);
  const bool has_slid = ImGui::SliderFloat("##level", &level, 0, 1, "%.2f");
  begin_gesture_when_pressed(panel);  // before the first edit of this drag
  if (!has_slid) return;
  const show::ParameterValue written = std::clamp(as_written(level), 0.0, 1.0);
  note_touched(mixer, parameter, written, panel);
  edit_show(model::Edit(model::SetParameter{mixer, parameter, written}), Gesture::go_on, panel);
}

// M and S, as on a mixing desk.
void draw_mute_and_solo(const model::Layer& layer, float size, Panel& panel) {
  auto& muting = panel.state.perform->muting;
  const auto& layers = mix_of(panel).layers;
  ImGui::BeginDisabled(!layer.fader);
  if (lit_button("M", muting.is_muted(layer), ImVec2(size, 0)))
    edit_show(muting.toggle_mute(layers, layer.stream), Gesture::none, panel);
  tooltip("Mute: out of the mix, and back to where its fader was");
  ImGui::EndDisabled();
  ImGui::SameLine(0, panel.px(kButtonGap));
  if (lit_button("S", muting.is_solo(layers, layer.stream), ImVec2(size, 0)))
    edit_show(muting.toggle_solo(layers, layer.stream), Gesture::none, panel);
  tooltip("Solo: all others that have a fader out of the mix, and back");
}

void draw_layer(const model::Layer& layer, ImVec2 picture, Panel& panel) {
  ImGui::PushID(layer.stream.c_str());
  ImGui::BeginGroup();
  if (ImGui::InvisibleButton("picture", picture)) panel.state.selected_submix = layer.submix;
  const auto corner = ImGui::GetItemRectMin();
  draw_layer_menu(layer, panel);
  tooltip("A right click shows its patch or deletes the layer");
  if (ImGui::IsRectVisible(corner, ImVec2(corner.x + picture.x, corner.y + picture.y)))
    draw_picture({layer.submix, {}}, corner, picture, panel);
  const float width = std::max(picture.x, panel.px(kLayerWidthMin));
  const auto tally = tally_of(layer, panel);
  badge(tally.word, tally.color);
  ImGui::SameLine();
  text_cut(layer.submix, width - badge_width(tally.word) - panel.px(8));
  const float button = ImGui::GetFrameHeight();
  draw_fader(layer, width - 2 * (button + panel.px(kButtonGap)), panel);
  ImGui::SameLine(0, panel.px(kButtonGap));
  draw_mute_and_solo(layer, button, panel);
  ImGui::EndGroup();
  ImGui::PopID();
}

void add_layer(model::NewLayer layer, Panel& panel) {
  layer.mix = mix_of(panel).submix;
  edit_show(model::add_layer(*panel.view.show, plugins_of(panel), layer), Gesture::none, panel);
  ImGui::CloseCurrentPopup();
}

/// A file of a PC. An empty node means any.
struct ChosenFile {
  std::string node;
  std::string file;
};

void play(ChosenFile chosen, Panel& panel) {
  model::NewLayer layer;
  layer.node = std::move(chosen.node);
  model::play_file(layer, std::move(chosen.file));
  add_layer(std::move(layer), panel);
}

bool draw_file(const cluster::MediaFile& file, Panel& panel) {
  ImGui::PushID(file.name.c_str());
  const auto corner = ImGui::GetCursorPos();
  const bool is_chosen = ImGui::Selectable("##file");
  ImGui::SetCursorPos(corner);
  text_cut(file.name, panel.px(kFileWidth));
  ImGui::SameLine(panel.px(kFileWidth + 8));
  text(bytes_text(file.bytes), color::kFaint);
  ImGui::PopID();
  return is_chosen;
}

// What the PCs have; typed letters leave the files whose names contain them.
std::optional<ChosenFile> draw_media(std::string_view typed, Panel& panel) {
  std::optional<ChosenFile> chosen;
  ImGui::BeginChild("media", ImVec2(panel.px(kFileWidth + 90), panel.px(240)));
  if (panel.view.media == nullptr) text("asking the PCs for their files …", color::kFaint);
  const model::MediaLists none;
  for (const auto& [node, media] : panel.view.media == nullptr ? none : *panel.view.media) {
    ImGui::PushID(node.c_str());
    text(fmt::format("Files of {}", node), color::kDim);
    if (!media.error.empty()) text(media.error, color::kWarning);
    if (media.list.files.empty() && media.error.empty())
      text("none in its media folder", color::kFaint);
    for (const auto& file : media.list.files) {
      if (contains(file.name, typed) && draw_file(file, panel))
        chosen = ChosenFile{node, file.name};
    }
    if (media.list.is_cut) text("… and more: type the name", color::kFaint);
    ImGui::PopID();
  }
  ImGui::EndChild();
  return chosen;
}

void ask_for_media(Panel& panel) {
  for (const auto& node : panel.view.nodes) {
    if (node.health == model::Health::healthy)
      panel.actions.emplace_back(session::AskMedia{node.name});
  }
}

// A clip or a still by its file, or any other source.
void draw_new_layer_menu(Panel& panel) {
  if (!ImGui::BeginPopup("new layer")) return;
  auto& typed = panel.state.texts["file of a new layer"];
  if (ImGui::IsWindowAppearing()) ask_for_keyboard(panel);
  ImGui::SetNextItemWidth(panel.px(kFileWidth));
  const bool is_entered =
      ImGui::InputTextWithHint("##file", "find a file; or type its name, and Enter", &typed,
                               ImGuiInputTextFlags_EnterReturnsTrue);
  auto chosen = draw_media(typed, panel);
  if (is_entered && !typed.empty()) chosen = ChosenFile{{}, typed};
  if (chosen) {
    typed.clear();
    play(*std::move(chosen), panel);
  }
  rule();
  for (const auto& [id, plugin] : plugins_of(panel)) {
    const bool is_choice = plugin.kind == "source" && plugin.refused_because.empty() &&
                           id != "clip" && id != "still" && id != show::kStreamInPlugin &&
                           !id.starts_with(show::kMacroPrefix);
    if (is_choice && ImGui::Selectable(id.c_str())) add_layer({.plugin = id}, panel);
  }
  ImGui::EndPopup();
}

void draw_new_layer(ImVec2 size, Panel& panel) {
  if (ImGui::Button("+ Layer", size)) {
    ImGui::OpenPopup("new layer");
    ask_for_media(panel);
  }
  tooltip("A layer on top of the mix, with a picture of its own");
  draw_new_layer_menu(panel);
}

// The preview shows what the mix makes, and not what the outputs hold.
void draw_output_state(ImVec2 corner, Panel& panel) {
  const auto& transport = panel.view.transport;
  if (!transport.is_black && !transport.is_frozen) return;
  const std::string_view words = transport.is_black ? "OUTPUTS BLACK" : "OUTPUTS FROZEN";
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

}  // namespace

void draw_programme_panel(Panel& panel) {
  if (begin_panel("Programme", panel.fonts)) {
    const session::PictureKey key{mix_of(panel).submix, {}};
    panel_title_right(width_of(key.submix));
    text(key.submix, color::kDim);
    const auto corner = ImGui::GetCursorScreenPos();
    draw_picture(key, corner, ImGui::GetContentRegionAvail(), panel);
    panel.watched_large = key;
    draw_output_state(corner, panel);
  }
  end_panel();
}

void draw_layers_panel(Panel& panel) {
  if (begin_panel("Layers", panel.fonts)) {
    const auto& mix = mix_of(panel);
    ImGui::BeginChild("layers", ImGui::GetContentRegionAvail(), false,
                      ImGuiWindowFlags_HorizontalScrollbar);
    const float below = ImGui::GetTextLineHeightWithSpacing() + panel.px(kFaderHeight + 8);
    const float height = std::max(panel.px(40), ImGui::GetContentRegionAvail().y - below);
    const ImVec2 picture(std::round(height * aspect_of(panel.view.show->size)), height);
    for (const auto& layer : mix.layers) {
      draw_layer(layer, picture, panel);
      ImGui::SameLine(0, panel.px(kThumbnailGap));
    }
    if (!panel.state.is_performing) draw_new_layer(ImVec2(panel.px(90), height), panel);
    ImGui::EndChild();
  }
  end_panel();
}

}  // namespace submix::ui
