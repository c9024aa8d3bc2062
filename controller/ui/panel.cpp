// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/panel.hpp"

#include "controller/ui/draw/dividers_state.hpp"
#include "controller/ui/draw/plugin_stills.hpp"
#include "controller/ui/draw/tour_state.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/pages/control_state.hpp"
#include "controller/ui/pages/history_state.hpp"
#include "controller/ui/pages/ledger_state.hpp"
#include "controller/ui/pages/local_nodes_state.hpp"
#include "controller/ui/pages/plots_state.hpp"
#include "controller/ui/pages/scopes_panel.hpp"
#include "controller/ui/pages/several_pcs_state.hpp"
#include "controller/ui/pages/wall.hpp"
#include "controller/ui/shell/command_palette.hpp"
#include "controller/ui/shell/pc_check_state.hpp"
#include "controller/ui/shell/progress.hpp"
#include "controller/ui/shell/quit.hpp"

#include <imgui_internal.h>

namespace submix::ui {

PanelState::PanelState()
    : palette(std::make_unique<CommandPaletteState>()),
      control(std::make_unique<ControlState>()),
      dividers(std::make_unique<DividersState>()),
      editing(std::make_unique<EditingState>()),
      files(std::make_unique<ShowFilesState>()),
      history(std::make_unique<HistoryState>()),
      ledger(std::make_unique<LedgerState>()),
      local_nodes(std::make_unique<LocalNodesState>()),
      pc_check(std::make_unique<PcCheckState>()),
      perform(std::make_unique<PerformState>()),
      plots(std::make_unique<PlotsState>()),
      plugin_stills(std::make_unique<PluginStills>()),
      progress(std::make_unique<ProgressState>()),
      quit(std::make_unique<QuitState>()),
      scopes(std::make_unique<ScopesState>()),
      several_pcs(std::make_unique<SeveralPcsState>()),
      tour(std::make_unique<TourState>()),
      wall(std::make_unique<Wall>()) {}

PanelState::~PanelState() = default;

// ImGui 1.90.1 finds a field only in the child window that had its keyboard last.
void ask_for_keyboard(Panel& panel) {
#if IMGUI_VERSION_NUM >= 19000
  auto& context = *ImGui::GetCurrentContext();
  context.NavFocusScopeId = context.CurrentFocusScopeId;
#endif
  ImGui::SetKeyboardFocusHere();
  panel.state.is_field_coming = true;
}

}  // namespace submix::ui
