// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/picture_choice.hpp"

#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/wall.hpp"

namespace submix::ui {

std::vector<session::PictureKey> all_pictures(const show::Show& show) {
  std::vector<session::PictureKey> keys;
  for (const auto& submix : show.submixes) {
    keys.push_back({submix.name, {}});
    for (const auto& slot : submix.slots)
      keys.push_back({submix.name, slot.name});
  }
  return keys;
}

void draw_picture_choice(session::PictureKey& key, float width, const Panel& panel) {
  ImGui::SetNextItemWidth(width);
  if (!begin_combo("##picture", picture_name(key).c_str(), panel, ImGuiComboFlags_HeightLarge))
    return;
  const auto all = all_pictures(*panel.view.show);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(all.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto& each = all[static_cast<std::size_t>(i)];
      if (ImGui::Selectable(picture_name(each).c_str(), each == key)) key = each;
    }
  }
  end_combo();
}

void draw_picture_choice_in_title(Panel& panel) {
  const float width = panel.px(200);
  panel_title_right(width);
  draw_picture_choice(panel.state.picture, width, panel);
}

}  // namespace submix::ui
