// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/cli/context.hpp"

#include <filesystem>
#include <optional>

namespace submix::cli {

/// `submix demo`: a whole show on this machine, from nothing.
struct DemoOptions {
  std::filesystem::path clip;         ///< the user's own; empty: the demo makes one
  std::filesystem::path show;         ///< empty: configs/shows/duo.toml
  std::filesystem::path out = "out";  ///< for mix.png, mix.mkv, the clip and the logs
  std::optional<int> seconds{};       ///< empty: until a signal, or until the controller is closed
  bool is_headless = false;           ///< a table in the terminal, even with a display
};

/// Starts nats-server and a submix-node for each node of the show, and applies the show. Opens the
/// controller where there is a display, else prints a live table. At the end, writes the mixed
/// picture. All child processes end with the demo, even after a crash. Call on the main thread.
int run_demo(Context& context, const DemoOptions& options);

}  // namespace submix::cli
