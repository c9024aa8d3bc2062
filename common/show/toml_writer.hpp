// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to to_toml(): declarations that its parts share.

#include "common/show/document.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace submix::show {

/// Collects the lines of a TOML text. Confined.
class TomlWriter {
 public:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

/// A key as people write it: in quotes only if TOML requires them.
[[nodiscard]] std::string key_text(std::string_view key);
/// "{ waveform = "sine", … }".
[[nodiscard]] std::string oscillator_text(const Oscillator& oscillator);

void write_fades(TomlWriter& out, const Fades& fades);
void write_knob(TomlWriter& out, const Knob& knob);
void write_preset(TomlWriter& out, const Preset& preset);
void write_cue(TomlWriter& out, const Cue& cue);

}  // namespace submix::show
