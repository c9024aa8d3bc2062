// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// The note of a recorder about its finished file, which windows read again. Pure.
namespace submix::show {

inline constexpr std::string_view kRecordedTo = "recorded to ";

[[nodiscard]] inline std::string recorded_note(std::string_view path) {
  return std::string(kRecordedTo).append(path);
}
/// The path in such a note. Empty: another text.
[[nodiscard]] inline std::optional<std::string> path_in_recorded_note(std::string_view text) {
  if (!text.starts_with(kRecordedTo)) return std::nullopt;
  return std::string(text.substr(kRecordedTo.size()));
}

}  // namespace submix::show
