// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The displays of a machine, and how an output finds its own among them. Pure.
namespace submix {

inline constexpr std::size_t kDisplaysMax = 16;
inline constexpr std::size_t kDisplayNameBytesMax = 128;

/// A display of a machine. Its number is its place in the machine's list, from 0.
struct Display {
  std::string name;  ///< of its own on the machine: "EPSON PJ", and "EPSON PJ (2)" for the second
  int x = 0;         ///< of its corner on the machine's desktop, in pixels
  int y = 0;
  Size size;
  int refresh_hz = 0;  ///< 0: not known

  friend bool operator==(const Display&, const Display&) = default;
};

/// `displays` with names to choose by: plain text of limited length, no name twice, and "display 2"
/// for the third display if it has none. At most kDisplaysMax displays.
[[nodiscard]] std::vector<Display> with_own_names(std::vector<Display> displays);

/// "1920x1080 at 60 Hz".
[[nodiscard]] std::string mode_text(const Display& display);

/// The display for an output.
struct DisplayChoice {
  std::size_t number = 0;
  /// Why it is not the display that was asked for, for people. Empty: it is.
  std::string missing = {};
  /// False: the output asked for a named display, and neither the name nor the number is there.
  /// Full screen would cover the display that a person works at.
  bool may_cover = true;

  friend bool operator==(const DisplayChoice&, const DisplayChoice&) = default;
};

/// The display with this name. Without a name, or where the name is missing, the display with this
/// number; where the number is missing, too, the first.
[[nodiscard]] DisplayChoice choose_display(std::string_view name, int number,
                                           const std::vector<Display>& displays);

}  // namespace submix
