// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "node/plugin/instance.hpp"
#include "node/plugin/plugin.hpp"

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
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

/// The plugins that a program runs.
struct HostedPlugins {
  /// Makes an instance of a file, in the confined process. `setup` has a size and all parameters.
  std::function<Result<std::unique_ptr<plugin::Instance>>(const std::filesystem::path& file,
                                                          const plugin::Setup& setup)>
      make;
  /// Prepares what a confined process cannot. Knows nothing of the plugin's file yet.
  std::function<Result<void>()> prepare = {};
  bool uses_devices = false;  ///< a GPU, opened by `prepare`
  bool uses_network = false;  ///< sockets of IP
  /// Address space for libraries and what they keep, besides pictures.
  std::size_t other_bytes_max = std::size_t{1} << 30U;
};

/// Runs a plugin host: confines the process before anything of the plugin is loaded, then does job
/// after job (job_loop.hpp).
[[noreturn]] void run(const HostTask& task, const HostedPlugins& plugins);

/// Tries whether the plugin of `file` keeps anything of its frames. Also confined. Returns the exit
/// status (probe_status.hpp).
[[nodiscard]] int probe(const std::filesystem::path& file);

}  // namespace submix::host
