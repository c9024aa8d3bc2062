// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

/// The program's log: lines on stderr with time, level and program name. Text may come from
/// untrusted peers: control characters are replaced, and lines after a line end are indented.
/// If stderr is systemd's journal, each line has its priority in place of time, level and name.
/// Synchronized. Not for the hot path.
namespace submix::log {

enum class Level { debug, info, warning, error };

/// Call once, first in main(). Lines below `least` are dropped.
void start(std::string program, Level least);
void write(Level level, std::string_view line);

template <typename... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::debug, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::info, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::warning, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace submix::log
