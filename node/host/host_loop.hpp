// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <sys/types.h>

#include <filesystem>
#include <span>
#include <string>

namespace submix::host {

/// What a host is for.
struct HostTask {
  std::string slot;            ///< "left.glow"
  std::filesystem::path file;  ///< the plugin's library
  Size size;
  pid_t node = 0;
  std::span<char> spare_mark =
      {};  ///< of its command line; it is wiped out once there is a slot for it
};

/// The life of a plugin host: confined before anything is loaded, then job after job (job_loop.hpp).
[[noreturn]] void run(const HostTask& task);

/// Instead: whether the plugin of `file` keeps something of its frames; confined, too.
///
/// Errors   Returns the exit status (probe_status.hpp).
[[nodiscard]] int probe(const std::filesystem::path& file);

}  // namespace submix::host
