// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/commands.hpp"

#include "common/base/files.hpp"
#include "controller/model/edit/last_good_show.hpp"
#include "controller/model/edit/outputs.hpp"
#include "controller/model/verdict/alerts.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/full_screen.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/perform_edits.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/pages/clip_bank.hpp"
#include "controller/ui/pages/clip_panel.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/pages/scopes_panel.hpp"
#include "controller/ui/pages/start_here.hpp"
#include "controller/ui/shell/command_palette.hpp"
#include "controller/ui/shell/pc_check.hpp"
#include "controller/ui/shell/perform_mode.hpp"
#include "controller/ui/shell/quit.hpp"
#include "controller/ui/shell/several_pcs.hpp"
#include "controller/ui/shell/tour.hpp"

#include <SDL_keyboard.h>
#include <SDL_keycode.h>

#include <algorithm>
#include <cctype>

namespace submix::ui {
namespace {

constexpr KeyPress control(int key) {
  return {key, true, false};
}
constexpr KeyPress control_shift(int key) {
  return {key, true, true};
}
constexpr KeyPress shift(int key) {
  return {key, false, true};
}
constexpr KeyPress plain(int key) {
  return {key, false, false};
}

constexpr float kScaleStep = 0.125F;
// The whole range takes 50 presses, or about two seconds of holding the key.
constexpr double kKnobStep = 0.02;

void scale_by(float step, Panel& panel) {
  panel.state.wanted_scale = std::clamp(panel.state.wanted_scale + step, kScaleMin, kScaleMax);
}

bool can_go_back(const Panel& panel) {
  return model::can_go_back(panel.view);
}

template <typename Act>
void post(Panel& panel) {
  panel.actions.emplace_back(Act{});
}

bool is_paused(const Panel& panel) {
  return panel.view.transport.is_paused;
}

// In the perform mode only a cue pauses the show, and anybody may let it run on.
bool can_pause_or_resume(const Panel& panel) {
  return !panel.state.is_performing || is_paused(panel);
}

bool has_show(const Panel& panel) {
  return panel.view.show != nullptr;
}

bool has_missing_nodes(const Panel& panel) {
  return !missing_nodes(panel).empty();
}

// Copies of the show that the controller keeps by itself.
void open_copies(const char* kind, Panel& panel) {
  open_dialog(FileDialog::open, panel);
  panel.state.files->folder = (state_home() / kind).string();
  panel.actions.emplace_back(session::ListFolder{panel.state.files->folder});
}

void toggle_arrow_keys(Panel& panel) {
  auto& state = panel.state;
  state.has_arrow_keys = !state.has_arrow_keys;
  panel.actions.emplace_back(session::Say{
      Severity::note, "keys",
      state.has_arrow_keys
          ? "arrow keys move among the controls, Space presses, Enter types a value, Shift+F10 "
            "opens the menu; F6 ends this"
          : "the arrow keys no longer move among the controls"});
}

template <int number>
constexpr Command bank_command(std::string_view title) {
  return {"Clips",
          title,
          {control(SDLK_F1 + number - 1)},
          [](Panel& panel) { take_clip_of_bank(number, panel); },
          &has_clip};
}

template <int number>
constexpr Command point_command(std::string_view title) {
  return {"Clips",
          title,
          {control_shift(SDLK_F1 + number - 1)},
          [](Panel& panel) { jump_to_cue_point(number, panel); },
          &has_clip};
}

// A letter or the space bar alone never changes the show: a text field may have lost the focus
// while somebody types.
constexpr std::array kCommands{
    Command{"Show",
            "New show",
            {control(SDLK_n)},
            [](Panel& panel) { open_dialog(FileDialog::begin, panel); }},
    Command{"Show",
            "Open a show",
            {control(SDLK_o)},
            [](Panel& panel) { open_dialog(FileDialog::open, panel); }},
    Command{"Show", "Save", {control(SDLK_s)}, &save_show, &has_show},
    Command{"Show",
            "Save under another name",
            {control_shift(SDLK_s)},
            [](Panel& panel) { open_dialog(FileDialog::save, panel); },
            &has_show},
    Command{"Show",
            "Start the show's missing PCs on this one",
            {control_shift(SDLK_j)},
            &start_missing_nodes,
            &has_missing_nodes},
    Command{"Show",
            "Keep a snapshot",
            {control_shift(SDLK_k)},
            &post<session::KeepSnapshot>,
            &has_show},
    Command{"Show",
            "Open a snapshot",
            {control_shift(SDLK_o)},
            [](Panel& panel) { open_copies("snapshots", panel); }},
    Command{"Show",
            "Open an autosave",
            {control_shift(SDLK_e)},
            [](Panel& panel) { open_copies("autosave", panel); }},
    Command{"Show",
            "Show settings: name, size, rate, PCs",
            {control(SDLK_COMMA)},
            [](Panel& panel) { panel.state.editing->settings.is_open = true; },
            &has_show},
    Command{"Show", "Several PCs: join them by a code", {control(SDLK_j)}, &show_several_pcs},
    Command{"Transport",
            "Pause or resume the whole show",
            {control(SDLK_SPACE), plain(SDLK_PAUSE)},
            [](Panel& panel) { panel.actions.emplace_back(session::SetPaused{!is_paused(panel)}); },
            &can_pause_or_resume},
    Command{"Transport",
            "One frame, while paused; held down, one after the other",
            {control_shift(SDLK_SPACE)},
            &post<session::Step>,
            &is_paused,
            true},
    Command{"Perform", "Edit mode or perform mode", {control(SDLK_e)}, &change_mode},
    Command{"Perform",
            "Black-out of all outputs, or light again",
            {control(SDLK_PERIOD)},
            [](Panel& panel) {
              panel.actions.emplace_back(session::SetBlack{!panel.view.transport.is_black});
            }},
    Command{"Perform",
            "Freeze all outputs, or let them move again",
            {control(SDLK_f)},
            [](Panel& panel) {
              panel.actions.emplace_back(session::SetFrozen{!panel.view.transport.is_frozen});
            }},
    Command{"Perform",
            "Full screen of all outputs, or windows again",
            {plain(SDLK_F11)},
            [](Panel& panel) { switch_full_screen(panel); },
            &has_show},
    Command{"Perform",
            "Record the mix, or stop recording",
            {control(SDLK_r)},
            [](Panel& panel) { record_outputs(!model::is_recording(*panel.view.show), panel); },
            &has_show},
    Command{"Perform",
            "Go: do the next cue",
            {control(SDLK_g)},
            [](Panel& panel) { go(panel); },
            &can_go},
    Command{"Perform",
            "Stop the follow-on: the next cue waits for GO",
            {control_shift(SDLK_f)},
            &stop_following,
            &is_following},
    Command{"Perform",
            "Learn a control (MIDI, key, OSC) for the value touched last",
            {control(SDLK_m)},
            &learn_touched,
            &can_learn_touched},
    Command{"Perform",
            "Choose the next knob",
            {control(SDLK_RIGHT)},
            [](Panel& panel) { choose_knob(1, panel); },
            &has_knobs},
    Command{"Perform",
            "Choose the knob before",
            {control(SDLK_LEFT)},
            [](Panel& panel) { choose_knob(-1, panel); },
            &has_knobs},
    Command{"Perform",
            "Turn the chosen knob up",
            {control(SDLK_UP)},
            [](Panel& panel) { turn_chosen_knob(kKnobStep, panel); },
            &has_knobs,
            true},
    Command{"Perform",
            "Turn the chosen knob down",
            {control(SDLK_DOWN)},
            [](Panel& panel) { turn_chosen_knob(-kKnobStep, panel); },
            &has_knobs,
            true},
    Command{"Perform",
            "Choose the next preset",
            {control_shift(SDLK_DOWN)},
            [](Panel& panel) { choose_preset(1, panel); },
            &has_presets},
    Command{"Perform",
            "Choose the preset before",
            {control_shift(SDLK_UP)},
            [](Panel& panel) { choose_preset(-1, panel); },
            &has_presets},
    Command{"Perform",
            "Apply the chosen preset",
            {control(SDLK_RETURN)},
            &apply_chosen_preset,
            &has_presets},
    bank_command<1>("Play clip 1 of the chosen layer's bank"),
    bank_command<2>("Play clip 2"),
    bank_command<3>("Play clip 3"),
    bank_command<4>("Play clip 4"),
    bank_command<5>("Play clip 5"),
    bank_command<6>("Play clip 6"),
    bank_command<7>("Play clip 7"),
    bank_command<8>("Play clip 8"),
    point_command<1>("Jump to cue point 1 of its clip"),
    point_command<2>("Jump to cue point 2"),
    point_command<3>("Jump to cue point 3"),
    point_command<4>("Jump to cue point 4"),
    point_command<5>("Jump to cue point 5"),
    point_command<6>("Jump to cue point 6"),
    point_command<7>("Jump to cue point 7"),
    point_command<8>("Jump to cue point 8"),
    Command{"Edit",
            "Undo",
            {control(SDLK_z)},
            &post<session::Undo>,
            [](const Panel& panel) { return !panel.view.edit.undo_title.empty(); }},
    Command{"Edit",
            "Redo",
            {control(SDLK_y), control_shift(SDLK_z)},
            &post<session::Redo>,
            [](const Panel& panel) { return !panel.view.edit.redo_title.empty(); }},
    Command{"Edit", "Copy the chosen effect", {control(SDLK_c)}, &copy_effect, &can_copy_effect},
    Command{"Edit",
            "Copy all effects of the chosen layer",
            {control_shift(SDLK_c)},
            &copy_all_effects,
            [](const Panel& panel) { return chosen_submix(panel) != nullptr; }},
    Command{"Edit",
            "Paste effects into the chosen layer",
            {control(SDLK_v), control_shift(SDLK_v)},
            &paste_effects,
            &can_paste_effects},
    Command{"Edit",
            "Go back to the last good show",
            {control_shift(SDLK_g)},
            &go_back_to_good_show,
            &can_go_back},
    Command{"Patch", "Insert a plugin", {plain(SDLK_INSERT)}, &find_plugin_to_insert},
    // With Shift also against the planner's advice (editing.hpp).
    Command{"Patch",
            "Delete the chosen slot or stream",
            {plain(SDLK_DELETE), shift(SDLK_DELETE)},
            &delete_chosen,
            &can_delete},
    Command{"Patch",
            "Duplicate the chosen slot",
            {control(SDLK_d), control_shift(SDLK_d)},
            &duplicate_chosen,
            &can_edit_slot},
    Command{"Patch",
            "Solo the chosen slot",
            {control(SDLK_i), control_shift(SDLK_i)},
            &solo_chosen,
            &can_edit_slot},
    Command{"Patch",
            "Bypass the chosen slot",
            {control(SDLK_b), control_shift(SDLK_b)},
            &bypass_chosen,
            &can_edit_slot},
    Command{"Patch",
            "Lock or unlock the patch bay",
            {control(SDLK_l)},
            [](Panel& panel) {
              panel.state.editing->is_bay_locked = !panel.state.editing->is_bay_locked;
            }},
    Command{"View",
            "Find a command",
            {control(SDLK_k), control(SDLK_p)},
            [](Panel& panel) { panel.state.palette->is_open = true; }},
    Command{"View",
            "Larger",
            {control(SDLK_PLUS), control(SDLK_EQUALS)},
            [](Panel& panel) { scale_by(kScaleStep, panel); }},
    Command{"View",
            "Smaller",
            {control(SDLK_MINUS)},
            [](Panel& panel) { scale_by(-kScaleStep, panel); }},
    Command{"View",
            "Usual size",
            {control(SDLK_0)},
            [](Panel& panel) { panel.state.wanted_scale = 1; }},
    Command{"View",
            "Arrow keys move among all controls, or no longer",
            {plain(SDLK_F6)},
            &toggle_arrow_keys},
    Command{"View",
            "The menu of the control that the arrow keys have come to",
            {shift(SDLK_F10), plain(SDLK_APPLICATION)},
            [](Panel& panel) { panel.state.wants_menu = true; },
            [](const Panel& panel) { return panel.state.has_arrow_keys; }},
    Command{"View",
            "Freeze the plots, or let them run on",
            {plain(SDLK_f)},
            &toggle_freeze,
            [](const Panel& panel) { return panel.state.page_in_use() == "links"; }},
    Command{"View",
            "Take a trace of what all threads did",
            {control(SDLK_t)},
            [](Panel& panel) {
              panel.state.page = "history";
              take_trace(panel);
            }},
    Command{"View",
            "All alerts are seen",
            {control_shift(SDLK_a)},
            &post<session::AcknowledgeAlert>,
            [](const Panel& panel) {
              return panel.view.alerts != nullptr && model::unseen_alerts(*panel.view.alerts) > 0;
            }},
    Command{"View",
            "Monitor: a wall of pictures",
            {plain(SDLK_F8)},
            [](Panel& panel) { panel.state.page = "monitor"; }},
    Command{"View",
            "Scopes: waveform, vectorscope, histogram",
            {control_shift(SDLK_m)},
            [](Panel& panel) {
              auto& scopes = *panel.state.scopes;
              const bool is_out = is_moved_out("monitor", panel.state);
              scopes.are_shown = !scopes.are_shown || !(is_out || panel.state.page == "monitor");
              if (!is_out) panel.state.page = "monitor";
            }},
    Command{"View",
            "A window of its own: the programme",
            {control_shift(SDLK_p)},
            [](Panel& panel) { toggle_extra_view(kProgrammeView, panel.state); }},
    Command{"View",
            "A window of its own: the wall of pictures",
            {control_shift(SDLK_w)},
            [](Panel& panel) { toggle_extra_view(kWallView, panel.state); }},
    Command{"View",
            "Dark or light",
            {control_shift(SDLK_l)},
            [](Panel& panel) {
              panel.state.theme = panel.state.theme == Theme::dark ? Theme::light : Theme::dark;
            }},
    Command{"View",
            "Guide to this page, keys and figures",
            {plain(SDLK_F1)},
            [](Panel& panel) { panel.state.is_help_open = !panel.state.is_help_open; }},
    Command{"View", "Check this PC for a show", {control_shift(SDLK_h)}, &check_this_pc},
    Command{"View",
            "The tour: five steps through the window",
            {shift(SDLK_F1)},
            &begin_tour,
            &can_begin_tour},
    Command{"View",
            "Quit",
            {control(SDLK_q)},
            [](Panel& panel) { panel.state.quit->is_wanted = true; }},
};

std::string name_of(int key) {
  switch (key) {
    case SDLK_SPACE:
      return "Space";
    case SDLK_PAUSE:
      return "Pause";
    case SDLK_PLUS:
    case SDLK_EQUALS:
      return "+";
    case SDLK_MINUS:
      return "-";
    case SDLK_RETURN:
      return "Enter";
    case SDLK_DELETE:
      return "Delete";
    case SDLK_INSERT:
      return "Insert";
    case SDLK_UP:
      return "Up";
    case SDLK_DOWN:
      return "Down";
    case SDLK_LEFT:
      return "Left";
    case SDLK_RIGHT:
      return "Right";
    default:
      break;
  }
  if (key > ' ' && key < 127) return {static_cast<char>(std::toupper(key))};
  return SDL_GetKeyName(key);
}

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

const Command* find_command(const KeyPress& press) {
  if (press.key == 0) return nullptr;
  const auto* found = std::ranges::find_if(kCommands, [&](const Command& command) {
    return std::ranges::find(command.keys, press) != command.keys.end();
  });
  return found == kCommands.end() ? nullptr : found;
}

void execute(const Command& command, Panel& panel) {
  if (command.is_possible == nullptr || command.is_possible(panel)) command.run(panel);
}

KeyPress page_key(std::size_t index) {
  if (index < 9) return control(SDLK_1 + static_cast<int>(index));
  return index < 12 ? plain(SDLK_F9 + static_cast<int>(index) - 9) : KeyPress{};
}

std::string keys_text(const KeyPress& press) {
  if (press.key == 0) return {};
  return fmt::format("{}{}{}", press.has_control ? "Ctrl+" : "", press.has_shift ? "Shift+" : "",
                     name_of(press.key));
}

std::string keys_text(const Command& command) {
  auto words = keys_text(command.keys[0]);
  if (command.keys[1].key != 0 && keys_text(command.keys[1]) != words)
    words += ", " + keys_text(command.keys[1]);
  return words;
}

}  // namespace submix::ui
