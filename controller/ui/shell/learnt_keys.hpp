// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/input/input_view.hpp"
#include "controller/ui/shell/commands.hpp"

#include <map>
#include <optional>
#include <vector>

/// Keys that people have mapped to targets (input::KeyControl).
namespace submix::ui {

/// Whether the key may be mapped: no command, page, dialog or text field uses it, and it is no
/// modifier.
[[nodiscard]] bool can_be_learnt(const KeyPress& press);

/// The keys that are held down, by their places on the keyboard, so that a key is recognized at its
/// release even if Shift was released first.
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
