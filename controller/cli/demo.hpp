// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/cli/context.hpp"

#include <filesystem>
#include <optional>

namespace submix::cli {

/// `submix demo`: a whole show on this machine, from nothing.
struct DemoOptions {
  std::filesystem::path clip;         ///< the user's own; empty: one is made
  std::filesystem::path show;         ///< empty: configs/shows/duo.toml
  std::filesystem::path out = "out";  ///< for mix.png, mix.mkv, the clip and the logs
  std::optional<int> seconds{};       ///< empty: until a signal, or the controller is closed
  bool is_headless = false;           ///< a table in the terminal, even where there is a display
};

/// Starts nats-server and a submix-node for each node of the show, applies the show, shows it (the controller
/// where there is a display, else a live table), and at the end writes the mixed picture. All children end
/// with it, however it ends. Call it on the main thread.
int run_demo(Context& context, const DemoOptions& options);

}  // namespace submix::cli
