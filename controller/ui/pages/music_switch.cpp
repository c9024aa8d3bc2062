// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/music_switch.hpp"

#include "controller/ui/draw/widgets.hpp"

namespace submix::ui {

void draw_music_switch(Panel& panel) {
  const auto& music = panel.input.music;
  bool is_on = music.is_on;
  if (ImGui::Checkbox("Follow the music", &is_on))
    panel.input_actions.emplace_back(input::FollowMusic{is_on});
  tooltip(
      "The show's tempo and beat follow the music that a PC hears. In breaks the tempo stays. A "
      "tempo set by hand holds. While Ableton Link has other members, they lead instead.");
  if (!music.is_on) return;
  ImGui::SameLine();
  text_cut(music.text, ImGui::GetContentRegionAvail().x,
           music.follows ? color::kGood : color::kDim);
}

}  // namespace submix::ui
