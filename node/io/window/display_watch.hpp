// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/clock.hpp"
#include "common/base/descriptor.hpp"
#include "common/base/display.hpp"
#include "node/io/window/display_list_text.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace submix::io {

/// Whether the environment names a display server, as in a session at a screen. Without one a node
/// must not start SDL, which would take over the console.
[[nodiscard]] bool is_display_server_named();

/// Learns the machine's displays for a node without a window, from the program `submix-displays`,
/// which may end with its display server.
///
/// Threads  Confined (the window thread, which outlives the process).
/// Errors   Without the program or the server no display is known; both are tried again after
///          kRetryPause.
class DisplayWatch {
 public:
  static constexpr std::chrono::seconds kRetryPause{30};

  /// The program `submix-displays`.
  explicit DisplayWatch(std::filesystem::path program);

  /// The displays, if they have changed since the last call. Starts the program if it does not run.
  /// Does not wait.
  [[nodiscard]] std::optional<std::vector<Display>> news(LocalTime now);

 private:
  void start(LocalTime now);

  const std::filesystem::path program_;
  std::optional<LocalTime> started_;  // or when that was tried
  Descriptor output_;                 // the end that is read
  std::optional<ChildProcess> process_;
  DisplayListReader reader_;
};

}  // namespace submix::io
