// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

/// Opens the page that belongs to a clicked thing, from any page.
namespace submix::ui {

/// Opens the first of these pages that exists.
void open_page(PanelState& state, std::initializer_list<std::string_view> ids);
/// Opens the submix's patch with the slot's picture.
void open_slot(Panel& panel, const std::string& submix, const std::string& slot);
/// Opens the stream's plots.
void open_stream(Panel& panel, const std::string& stream);
void open_node(Panel& panel, const std::string& node);

}  // namespace submix::ui
