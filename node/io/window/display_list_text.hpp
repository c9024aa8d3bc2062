// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/display.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::io {

/// The text that `submix-displays` writes after each change: for each display a line such as
/// "display 1920 0 1920 1080 60 EPSON PJ" (corner, size, rate, name), then the line "end".
[[nodiscard]] std::string display_list_text(const std::vector<Display>& displays);

/// Reads these texts as they arrive, in pieces of any length. Other lines are ignored: libraries
/// may write warnings in between.
///
/// Threads  Compatible.
class DisplayListReader {
 public:
  /// Takes more bytes. Returns the newest list that is complete with them; empty: none.
  [[nodiscard]] std::optional<std::vector<Display>> take(std::string_view bytes);

 private:
  std::string rest_;  // of a line, at most kLineBytesMax
  std::vector<Display> begun_;
};

}  // namespace submix::io
