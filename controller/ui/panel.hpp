// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/input/input_view.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/session/actions.hpp"
#include "controller/session/session_core.hpp"
#include "controller/ui/draw/theme.hpp"

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A panel is a function from a view of the cluster to the actions of people.
namespace submix::ui {

inline constexpr float kScaleMin = 0.6875F;
inline constexpr float kScaleMax = 3.0F;
inline constexpr float kFingertip = 44;  ///< unscaled: some 9 mm

struct CommandPaletteState;
struct ControlState;
struct DividersState;
struct EditingState;
struct HistoryState;
struct LedgerState;
struct LocalNodesState;
struct PcCheckState;
struct PerformState;
class PluginStills;
struct PlotsState;
struct ProgressState;
struct QuitState;
struct ScopesState;
struct SeveralPcsState;
struct ShowFilesState;
struct TourState;
struct Wall;
class PictureTextures;

/// A notice of the window itself.
struct OwnNotice {
  std::string text;
  LocalTime at{};
};

/// A file that was dropped on a window, until something takes it.
struct DroppedFile {
  std::string path;
  ImVec2 at;  ///< the mouse, in the window
};

/// What the window remembers between frames.
///
/// Shape    Things that several pages share are members. The state of a single page or part lies in
///          a header of its own and is held by pointer, so that a change of it recompiles only its
///          users.
/// Threads  Confined (ui).
struct PanelState {
  PanelState();
  ~PanelState();
  PanelState(const PanelState&) = delete;
  PanelState& operator=(const PanelState&) = delete;

  std::string page;                  ///< its id in pages(); empty: the default page
  std::string_view page_before;      ///< what the main window shows if `page` is moved out
  std::string selected_submix;       ///< its patch is shown
  std::string selected_stream;       ///< its plots are shown
  std::string selected_node;         ///< its card is marked
  std::string selected_target;       ///< of control from outside, as text: "left.glow.Blur"
  bool is_node_to_be_shown = false;  ///< the next frame scrolls to the selected node's card
  session::PictureKey picture;       ///< the large preview
  bool has_arrow_keys = false;       ///< the arrow keys move among all controls (F6)
  bool is_performing = false;  ///< perform mode: what the show consists of stays (perform_mode.hpp)
  bool is_touched = false;     ///< a finger was used last, not the mouse
  bool is_help_open = false;
  bool has_keys_in_help = false;  ///< of the help: the keys, not the guide
  bool wants_menu = false;        ///< of the control that the arrow keys have come to
  bool closes_menus = false;      ///< the next frame closes all open menus
  bool is_field_coming = false;   ///< a text field gets the keyboard in the next frame
  float scale = 1;                ///< present scale
  float wanted_scale = 1;         ///< chosen by the person
  Theme theme = Theme::dark;
  std::vector<std::string_view> moved_out;  ///< ids of pages/extra_views.hpp; the windows follow
  std::string_view raised_view;             ///< its window is to come to the front
  std::string_view extra_page;  ///< of the extra window that has the keyboard; empty: the main one
  std::optional<OwnNotice> notice;
  std::vector<DroppedFile> dropped;
  /// number of gestures so far; the edits of a gesture are one undo step
  std::uint64_t gesture = 0;
  std::map<std::string, std::string> texts;  ///< text being typed, by widget

  // Never null.
  const std::unique_ptr<CommandPaletteState> palette;
  const std::unique_ptr<ControlState> control;
  const std::unique_ptr<DividersState> dividers;
  const std::unique_ptr<EditingState> editing;
  const std::unique_ptr<ShowFilesState> files;
  const std::unique_ptr<HistoryState> history;
  const std::unique_ptr<LedgerState> ledger;
  const std::unique_ptr<LocalNodesState> local_nodes;
  const std::unique_ptr<PcCheckState> pc_check;
  const std::unique_ptr<PerformState> perform;
  const std::unique_ptr<PlotsState> plots;
  const std::unique_ptr<PluginStills> plugin_stills;
  const std::unique_ptr<ProgressState> progress;
  const std::unique_ptr<QuitState> quit;
  const std::unique_ptr<ScopesState> scopes;
  const std::unique_ptr<SeveralPcsState> several_pcs;
  const std::unique_ptr<TourState> tour;
  const std::unique_ptr<Wall> wall;

  /// The page of the window that has the keyboard; empty: the default page.
  [[nodiscard]] std::string_view page_in_use() const {
    return extra_page.empty() ? std::string_view(page) : extra_page;
  }
};

/// Everything that a panel needs for one frame.
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
  std::vector<session::PictureKey>& watched;            ///< visible pictures; a panel adds its own
  std::optional<session::PictureKey> watched_large{};   ///< the one of them that is shown large
  std::vector<model::MediaPictureKey> watched_media{};  ///< visible pictures of files
  std::vector<model::EffectPictureKey> watched_effects{};

  [[nodiscard]] float px(float unscaled) const { return unscaled * state.scale; }
  /// A control's height or width: at least as large as a fingertip if fingers are used.
  [[nodiscard]] float reach(float unscaled) const {
    return px(state.is_touched ? std::max(unscaled, kFingertip) : unscaled);
  }
};

/// Gives the next text field the keyboard. Typed letters wait until the field has it.
void ask_for_keyboard(Panel& panel);

}  // namespace submix::ui
