// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace submix::testing {

/// Starts an X server of 640x480 pixels for this test, and names it to the programs and libraries of
/// this process. The screen is a file in `folder`. `display` is such as ":7"; empty: a free one.
/// Empty without Xvfb.
inline std::optional<ChildProcess> start_virtual_screen(const TemporaryFolder& folder,
                                                        const std::string& display = {}) {
  const auto command = fmt::format(
      "exec Xvfb {} -displayfd 3 -screen 0 640x480x24 -fbdir '{}' -nolisten tcp -noreset 3>'{}'",
      display, folder.path().string(), (folder / "display").string());
  std::filesystem::remove(folder / "display");  // of a server before
  auto server = ChildProcess::start({"sh", "-c", command}, folder / "log");
  if (!server) return std::nullopt;
  std::optional<ChildProcess> started(std::move(*server));
  const bool is_up =
      eventually([&] { return read_text_file(folder / "display").value_or("").ends_with('\n'); });
  if (!is_up) return std::nullopt;
  auto number = *read_text_file(folder / "display");
  number.pop_back();
  ::setenv("DISPLAY", (":" + number).c_str(), 1);
  ::setenv("SDL_VIDEODRIVER", "x11", 1);
  return started;
}

}  // namespace submix::testing
