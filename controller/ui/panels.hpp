// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/input/input_view.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/session/actions.hpp"
#include "controller/ui/draw/picture_textures.hpp"
#include "controller/ui/draw/theme.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/pages/page_states.hpp"
#include "controller/ui/pages/wall.hpp"
#include "controller/ui/shell/progress.hpp"

#include <imgui.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The window's panels: each a function from a view to what people want, in a file of its own.
namespace submix::ui {

inline constexpr float kScaleMin = 0.6875F;
inline constexpr float kScaleMax = 3.0F;

/// The palette: find a command by typing a part of it.
struct PaletteState {
  bool is_open = false;
  bool has_focus = false;  ///< the field has been given the keyboard
  bool is_active = false;  ///< and has it
  std::string query;
  int chosen = 0;
  int moved = 0;            ///< arrow keys since the last frame
  bool is_entered = false;  ///< Enter was pressed since
};

/// The page for control from outside.
struct ControlState {
  std::string target;  ///< chosen, as text: "left.glow.Blur"
  std::string filter;  ///< of the list of targets
  std::string osc_host;
  int osc_port = 0;
  bool is_osc_edited = false;  ///< what is typed has not been applied
};

/// Nodes that the window starts on this machine: see local_nodes.hpp.
struct LocalNodesState {
  bool are_wanted = false;
  bool are_to_end = false;
  std::vector<std::string> names;  ///< of those that were started
  bool are_started = false;        ///< and run still
  bool is_start_over = false;      ///< all were healthy once, or one has ended, or they are to end
  std::string error;
};
/// What ends with the window, and whether somebody is being asked about that.
struct QuitState {
  bool has_nats = false;  ///< the window has started the NATS server
  bool is_wanted = false;
  bool is_sure = false;
};
/// What the window has to say of itself.
struct OwnNotice {
  std::string text;
  LocalTime at{};
};

/// The knob that the mouse's wheel, or a key, has turned last, and when.
struct WheelState {
  std::string knob;
  LocalTime at{};
};

/// What the window remembers between frames.
struct PanelState {
  std::string page;                  ///< its id in pages(); empty: the usual one
  std::string selected_submix;       ///< whose patch is shown
  std::string selected_stream;       ///< whose plots are shown
  std::string selected_node;         ///< whose card is marked
  bool is_node_to_be_shown = false;  ///< its card shall come into sight
  session::PictureKey picture;       ///< the large preview
  bool is_help_open = false;
  bool closes_menus = false;     ///< those that are open go with the next frame
  bool is_field_coming = false;  ///< that what is typed is for
  PaletteState palette;
  DividersState dividers;
  PlotsState plots;
  TraceState trace;
  LedgerState ledger;
  Wall wall;
  ShowFilesState files;
  LocalNodesState local_nodes;
  EditingState editing;
  ControlState control;
  float scale = 1;         ///< of what is drawn
  float wanted_scale = 1;  ///< by the person
  Theme theme = Theme::dark;
  QuitState quit;
  std::optional<OwnNotice> notice;
  WheelState wheel;
  std::string knob;    ///< that keys turn; one that is not there: the first one
  std::string preset;  ///< that a key applies, the same
  ProgressState progress;
  std::uint64_t gesture = 0;  ///< counts drags of sliders, so that each is one undo step
  std::map<std::string, std::string> texts;  ///< what is being typed, by widget
};

/// What a panel gets: all it needs, for one frame.
///
/// Threads  Confined (ui).
struct Panel {
  const model::ClusterView& view;
  const session::Pictures& pictures;
  const input::InputView& input;  ///< MIDI, OSC and Link
  const Fonts& fonts;
  PanelState& state;
  PictureTextures& textures;
  std::vector<session::Action>& actions;
  std::vector<input::InputAction>& input_actions;
  std::vector<session::PictureKey>&
      watched;  ///< pictures that are on the screen: a panel adds its own

  [[nodiscard]] float px(float unscaled) const { return unscaled * state.scale; }
};

/// For the next field; what is typed waits until it has it.
inline void ask_for_keyboard(Panel& panel) {
  ImGui::SetKeyboardFocusHere();
  panel.state.is_field_coming = true;
}

void draw_top_bar(Panel& panel);
void draw_nodes_panel(Panel& panel);
void draw_submixes_panel(Panel& panel);
void draw_links_panel(Panel& panel);
void draw_queues_panel(Panel& panel);
void draw_patch_panel(Panel& panel);
void draw_preview_panel(Panel& panel);
void draw_events_panel(Panel& panel);
void draw_osc_panel(Panel& panel);
void draw_tempo_panel(Panel& panel);
void draw_midi_devices_panel(Panel& panel);
void draw_mappings_panel(Panel& panel);
void draw_heard_panel(Panel& panel);
/// Instead of all panels while there is no node: what to do in the next minute.
void draw_empty_page(Panel& panel);
/// The same while there are nodes, but no show.
void draw_showless_page(Panel& panel);
/// Over everything else: notices of the last seconds, and the list of keys.
void draw_notices(Panel& panel);
void draw_help(Panel& panel);
/// Asks before anything ends with the window that the show needs.
void draw_quit_question(Panel& panel);
void draw_palette(Panel& panel);
/// What takes its time, with a button to give each of it up.
void draw_progress(Panel& panel);

/// How high each would like to be, for the layout to share out the room.
[[nodiscard]] float nodes_height(const Panel& panel);
[[nodiscard]] float links_height(const Panel& panel);
[[nodiscard]] float preview_height(const Panel& panel, float width);

/// What is dragged from the list of submixes to a node: the submix's name.
inline constexpr const char* kSubmixPayload = "submix";

}  // namespace submix::ui
