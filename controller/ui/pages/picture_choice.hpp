// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "controller/ui/panel.hpp"

#include <vector>

namespace submix::ui {

/// Those of the submixes, and of their slots.
[[nodiscard]] std::vector<session::PictureKey> all_pictures(const show::Show& show);

/// A list of all pictures of the show, `width` pixels wide. Changes `key`. There is a show.
void draw_picture_choice(session::PictureKey& key, float width, const Panel& panel);
/// The same for PanelState::picture, at the right end of a panel's title.
void draw_picture_choice_in_title(Panel& panel);

}  // namespace submix::ui
