// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panels.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>

/// All that can be done by a key, in one table: the keyboard, the palette and the list under F1 read it.
namespace submix::ui {

/// A key of SDL's (SDLK_z) with its modifiers, which are to be as stated. 0: no key.
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
  bool (*is_possible)(const Panel&) = nullptr;  ///< null: always
  bool may_repeat = false;                      ///< while its key is held down
};

/// Grouped; the groups in the order of the list under F1.
[[nodiscard]] std::span<const Command> commands();
/// Null: the key does nothing.
[[nodiscard]] const Command* find_command(const KeyPress& press);
/// Does nothing where it is not possible now.
void execute(const Command& command, Panel& panel);

/// The key that shows page `index` of pages(): Ctrl+1 to Ctrl+9, then F9 to F11; none for later ones.
[[nodiscard]] KeyPress page_key(std::size_t index);
/// "Ctrl+Shift+Z"; empty for no key.
[[nodiscard]] std::string keys_text(const KeyPress& press);
/// "Ctrl+Y, Ctrl+Shift+Z".
[[nodiscard]] std::string keys_text(const Command& command);

}  // namespace submix::ui
