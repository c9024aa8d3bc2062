// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace submix::cli {

// What a command's exit status says.
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUse = 2;
inline constexpr int kNotFollowedYet =
    3;  ///< the show is written, but some nodes have not followed in time

/// What every command is given: where to write, and the options that all of them share.
struct Context {
  std::ostream& out;
  std::ostream& err;
  bool is_terminal = false;  ///< `out` is one: a live table may be redrawn in place
  std::string url{};         ///< of NATS
  std::string key_file{};    ///< empty: no key
  bool is_json = false;
  bool is_forced = false;  ///< also what the planner refuses
  std::ostream* screen =
      nullptr;  ///< takes control sequences, which `out` may not; null: there is no screen
};

/// Where there is a screen: goes to its beginning and clears it.
void clear_screen(Context& context);

/// Writes `submix: message` to `err`. Gives kFailed, so: `return failed(context, error.message);`
int failed(Context& context, std::string_view message);

/// The same with `submix: warning: message`, for what is done all the same.
void warn(Context& context, std::string_view message);

/// Who writes into the cluster, for people: "submix apply on rack2".
[[nodiscard]] std::string author(std::string_view command);

}  // namespace submix::cli
