// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panels.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

/// Where a click on a thing leads, whichever page it is clicked on.
namespace submix::ui {

/// The first of these pages that there is.
void open_page(PanelState& state, std::initializer_list<std::string_view> ids);
/// Its patch, with the slot's picture.
void open_slot(Panel& panel, const std::string& submix, const std::string& slot);
/// Its plots.
void open_stream(Panel& panel, const std::string& stream);
void open_node(Panel& panel, const std::string& node);

}  // namespace submix::ui
