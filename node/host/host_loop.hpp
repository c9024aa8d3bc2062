// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <sys/types.h>

#include <filesystem>
#include <span>
#include <string>

namespace submix::host {

/// The task of a host process.
struct HostTask {
  std::string slot;            ///< "left.glow"
  std::filesystem::path file;  ///< the plugin's library
  Size size;
  pid_t node = 0;
  /// Part of the command line. The host wipes it out once the spare has its slot.
  std::span<char> spare_mark = {};
};

/// Runs a plugin host: confines the process before anything is loaded, then does job after job
/// (job_loop.hpp).
[[noreturn]] void run(const HostTask& task);

/// Tries whether the plugin of `file` keeps anything of its frames. Also confined. Returns the exit
/// status (probe_status.hpp).
[[nodiscard]] int probe(const std::filesystem::path& file);

}  // namespace submix::host
