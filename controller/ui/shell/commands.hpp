// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>

/// The table of all commands with a key. The keyboard, the command palette and the list of keys
/// (F1) use it.
namespace submix::ui {

/// A key as SDL names it (SDLK_z), with the exact modifiers. 0: no key.
struct KeyPress {
  int key = 0;
  bool has_control = false;
  bool has_shift = false;

  friend bool operator==(const KeyPress&, const KeyPress&) = default;
};

struct Command {
  std::string_view group;  ///< "Transport"
  std::string_view title;  ///< "Pause or resume"
  std::array<KeyPress, 2> keys{};
  void (*run)(Panel&) = nullptr;
  bool (*is_possible)(const Panel&) = nullptr;  ///< null: always possible
  bool may_repeat = false;                      ///< while its key is held down
};

/// All commands, grouped. The groups are in the order of the list of keys.
[[nodiscard]] std::span<const Command> commands();
/// Null: no command has this key.
[[nodiscard]] const Command* find_command(const KeyPress& press);
/// Runs the command. Does nothing if the command is impossible now.
void execute(const Command& command, Panel& panel);

/// The key of page `index` of pages(): Ctrl+1 to Ctrl+9, then F9 to F11. Later pages have no key.
[[nodiscard]] KeyPress page_key(std::size_t index);
/// "Ctrl+Shift+Z"; empty for no key.
[[nodiscard]] std::string keys_text(const KeyPress& press);
/// "Ctrl+Y, Ctrl+Shift+Z".
[[nodiscard]] std::string keys_text(const Command& command);

}  // namespace submix::ui
