// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/music_switch.hpp"

#include "controller/model/edit/sound.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/sound_choice.hpp"

namespace submix::ui {
namespace {

// Without a PC that listens there is no music to follow.
void follow_music(bool is_on, Panel& panel) {
  panel.input_actions.emplace_back(input::FollowMusic{is_on});
  if (!is_on || panel.state.is_performing) return;
  if (auto listener = model::first_listener(panel.view))
    edit_show(std::move(*listener), Gesture::none, panel);
}

}  // namespace

void draw_music_switch(Panel& panel) {
  const auto& music = panel.input.music;
  bool is_on = music.is_on;
  if (ImGui::Checkbox("Follow the music", &is_on)) follow_music(is_on, panel);
  tooltip(
      "The show's tempo and beat follow the music that a PC hears. In breaks the tempo stays. A "
      "tempo set by hand holds. While Ableton Link has other members, they lead instead.");
  if (!music.is_on) return;
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x;
  if (music.needs_listener && !panel.state.is_performing)
    return draw_sound_choice("##listener", room, panel);
  text_cut(music.text, room, music.follows ? color::kGood : color::kDim);
}

}  // namespace submix::ui
