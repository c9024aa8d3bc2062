// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

namespace submix::cli {

// Exit statuses.
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUse = 2;
/// The show is written, but some nodes have not followed in time.
inline constexpr int kNotFollowedYet = 3;
/// What was asked for cannot be known yet.
inline constexpr int kNotKnownYet = 4;

/// The outputs and shared options of every command.
struct Context {
  std::ostream& out;
  std::ostream& err;
  bool is_terminal = false;          ///< `out` is a terminal: a live table may be redrawn in place
  std::string url{};                 ///< of NATS
  std::filesystem::path key_file{};  ///< empty: no key
  bool is_json = false;
  bool is_forced = false;  ///< overrules the planner's refusal
  /// Receives control sequences, which `out` may not. Null: no screen.
  std::ostream* screen = nullptr;
};

/// Clears the screen, if any.
void clear_screen(Context& context);

/// Writes `submix: message` to `err` and returns kFailed: `return failed(context, error.message);`
int failed(Context& context, std::string_view message);

/// Writes `submix: warning: message`. The command goes on.
void warn(Context& context, std::string_view message);

/// The author of a write to the cluster, for people: "submix apply on rack2".
[[nodiscard]] std::string author(std::string_view command);

}  // namespace submix::cli
