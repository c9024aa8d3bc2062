// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/verdict/critical_path.hpp"
#include "controller/ui/panel.hpp"

/// The critical path as a chain of boxes: from the output at the left back to the limiting part.
namespace submix::ui {

/// A click on a box opens the page of the thing that the box stands for.
void draw_path_boxes(Panel& panel);
[[nodiscard]] float path_boxes_height(float width, Panel& panel);

[[nodiscard]] ImU32 color_of(model::PathBox::State state);
[[nodiscard]] ImU32 color_of(model::Bottleneck::Kind kind);

}  // namespace submix::ui
