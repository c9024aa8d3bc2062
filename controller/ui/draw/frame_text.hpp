// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/draw/widgets.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace submix::ui {

/// A formatted text for one frame. It lives on the stack and allocates nothing up to kPlain
/// characters.
class FrameText {
 public:
  static constexpr std::size_t kPlain = 250;

  template <typename... Args>
  explicit FrameText(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), form, std::forward<Args>(args)...);
  }
  // NOLINTNEXTLINE(google-explicit-constructor): it replaces a std::string_view in calls
  operator std::string_view() const { return {buffer_.data(), buffer_.size()}; }

 private:
  fmt::basic_memory_buffer<char, kPlain> buffer_;
};

/// As tooltip(), but the text is formatted only while the mouse is over the last widget.
template <typename... Args>
void tip(fmt::format_string<Args...> form, Args&&... args) {
  if (ImGui::IsItemHovered()) tooltip(FrameText(form, std::forward<Args>(args)...));
}

}  // namespace submix::ui
