// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/input/input_view.hpp"
#include "controller/ui/shell/commands.hpp"

#include <map>
#include <optional>
#include <vector>

/// Keys to which people have given something to move (input::KeyControl).
namespace submix::ui {

/// Whether people may give the key something to move: no command, page, dialog or text field has it,
/// and it is no modifier.
[[nodiscard]] bool can_be_learnt(const KeyPress& press);

/// The keys that are held down, by their places on the keyboard: at its release a key is the same
/// one, also if Shift was released first.
///
/// Threads  Confined (ui).
class LearntKeys {
 public:
  [[nodiscard]] input::PressKey press(const KeyPress& press, int place);
  /// Empty: it was not pressed here.
  [[nodiscard]] std::optional<input::PressKey> release(int place);
  /// The keyboard has gone to another window, which gets the releases.
  [[nodiscard]] std::vector<input::PressKey> release_all();

 private:
  std::map<int, input::KeyControl> held_;
};

}  // namespace submix::ui
