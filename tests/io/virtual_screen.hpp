// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace submix::testing {

/// Starts an X server, such as "Xvfb :7", and names it to the programs and libraries of this
/// process. Empty: it cannot be started here.
inline std::optional<ChildProcess> start_x_server(const std::string& command,
                                                  const TemporaryFolder& folder) {
  const auto file = folder / "display";
  std::filesystem::remove(file);  // of a server before
  auto started = ChildProcess::start(
      {"sh", "-c", fmt::format("exec {} -displayfd 3 3>'{}'", command, file.string())},
      folder / "log");
  if (!started) return std::nullopt;
  std::optional<ChildProcess> server(std::move(*started));
  std::string number;
  const bool is_over = eventually([&] {
    number = read_text_file(file).value_or("");
    return number.ends_with('\n') || server->exit_status();
  });
  if (!is_over || server->exit_status()) return std::nullopt;
  number.pop_back();
  ::setenv("DISPLAY", (":" + number).c_str(), 1);
  ::setenv("SDL_VIDEODRIVER", "x11", 1);
  return server;
}

/// Starts an X server of 640x480 pixels. The screen is a file in `folder`. `display` is such as
/// ":7"; empty: a free one.
inline std::optional<ChildProcess> start_virtual_screen(const TemporaryFolder& folder,
                                                        const std::string& display = {}) {
  return start_x_server(
      fmt::format("Xvfb {} -screen 0 640x480x24 -fbdir '{}' -nolisten tcp -noreset", display,
                  folder.path().string()),
      folder);
}

/// A name that no other test's server gets, for a server that ends and begins again.
inline std::string own_display() {
  return fmt::format(":{}", 1000 + ::getpid() % 50'000);
}

}  // namespace submix::testing
