// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/navigation.hpp"

#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/pages/pages.hpp"

#include <algorithm>

namespace submix::ui {

void open_page(PanelState& state, std::initializer_list<std::string_view> ids) {
  for (const auto id : ids) {
    if (std::ranges::find(pages(), id, &PageEntry::id) == pages().end()) continue;
    state.page = id;
    return;
  }
}

void open_slot(Panel& panel, const std::string& submix, const std::string& slot) {
  panel.state.selected_submix = submix;
  panel.state.picture = {submix, slot};
  panel.state.editing->slot = slot;
  open_page(panel.state, {"patch", "overview"});
}

void open_stream(Panel& panel, const std::string& stream) {
  panel.state.selected_stream = stream;
  open_page(panel.state, {"links", "overview"});
}

void open_node(Panel& panel, const std::string& node) {
  panel.state.selected_node = node;
  panel.state.is_node_to_be_shown = true;
  open_page(panel.state, {"overview"});
}

}  // namespace submix::ui
