// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/sound_choice.hpp"

#include "controller/model/edit/sound.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"

namespace submix::ui {

void draw_sound_choice(const char* label, float width, Panel& panel) {
  ImGui::SetNextItemWidth(width);
  const bool is_open = begin_combo(label, model::sound_text(panel.view).c_str(), panel);
  if (!is_open)
    return tooltip("The PC that listens, and its input. Parameters can follow the sound.");
  const auto show = panel.view.show;
  for (const auto& [input, text] : model::sound_choices(panel.view)) {
    const bool is_present = show && input == show->sound;
    if (ImGui::Selectable(text.c_str(), is_present) && show && !is_present)
      edit_show(model::listen(*show, input), Gesture::none, panel);
  }
  end_combo();
}

}  // namespace submix::ui
