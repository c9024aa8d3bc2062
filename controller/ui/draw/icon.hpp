// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

#include <string_view>

namespace submix::ui {

/// Signs that the fonts of all systems do not have. Each stands beside its word.
enum class Icon { play, pause, step, full_screen, undo, redo };

/// Writes the words of the last widget, a button without a label, and the icon left of them. Where both
/// find no room the words stand alone.
void label_with_icon(Icon icon, std::string_view words, ImU32 paint);

}  // namespace submix::ui
