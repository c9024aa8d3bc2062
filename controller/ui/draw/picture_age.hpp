// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <chrono>
#include <string>

/// A preview that gets no newer picture is not live. The window dims it and tells its age.
namespace submix::ui {

/// "12 s old; gone". Empty while the picture is fresh, and while the show is paused.
[[nodiscard]] std::string picture_age_text(std::chrono::nanoseconds age,
                                           const session::PictureKey& key,
                                           const model::ClusterView& view);

/// Draws over the picture that was just drawn at `corner`: dims an old picture and writes its age.
void draw_picture_age(const session::PictureKey& key, ImVec2 corner, ImVec2 size, Panel& panel);

}  // namespace submix::ui
