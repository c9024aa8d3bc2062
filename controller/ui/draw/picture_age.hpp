// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panels.hpp"

#include <chrono>
#include <string>

/// A picture that no newer one follows is not live: that is seen.
namespace submix::ui {

/// "12 s old; gone"; empty while it is as new as pictures are, and while the show is paused.
[[nodiscard]] std::string picture_age_text(std::chrono::nanoseconds age,
                                           const session::PictureKey& key,
                                           const model::ClusterView& view);

/// Over the picture that has just been drawn there: dims one that is old, and says how old it is.
void draw_picture_age(const session::PictureKey& key, ImVec2 corner, ImVec2 size, Panel& panel);

}  // namespace submix::ui
