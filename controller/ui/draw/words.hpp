// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/draw/widgets.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace submix::ui {

/// What fmt::format() makes, for one frame: it stands on the stack, and asks for no memory up to kPlain
/// letters.
class Words {
 public:
  static constexpr std::size_t kPlain = 250;

  template <typename... Args>
  explicit Words(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), form, std::forward<Args>(args)...);
  }
  // NOLINTNEXTLINE(google-explicit-constructor): it stands wherever words do
  operator std::string_view() const { return {buffer_.data(), buffer_.size()}; }

 private:
  fmt::basic_memory_buffer<char, kPlain> buffer_;
};

/// As tooltip(); its words are made only while the mouse rests there.
template <typename... Args>
void tip(fmt::format_string<Args...> form, Args&&... args) {
  if (ImGui::IsItemHovered()) tooltip(Words(form, std::forward<Args>(args)...));
}

}  // namespace submix::ui
