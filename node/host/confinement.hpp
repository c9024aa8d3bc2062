// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace submix::host {

/// What this process may still do once confine() has returned.
struct Allowance {
  std::vector<std::filesystem::path>
      readable;                      ///< files and folders, beside the system's libraries and data
  std::size_t memory_bytes_max = 0;  ///< of address space; not held under a sanitizer
};

/// Takes from this process, for good and for all its threads to come: new privileges, files to write, files
/// to read but the system's libraries and `readable`, sockets, other programs, other processes and signals to
/// them, capabilities, and memory beyond the limit. The kernel ends this process before the node when memory
/// runs out. What is forbidden fails with EPERM or EACCES, so that a plugin that only tries goes on.
///
/// Shape    seccomp, Landlock where the kernel has it, limits of resources.
/// Threads  Before any other thread is started.
/// Errors   The kernel refuses seccomp: then nothing must be loaded.
[[nodiscard]] Result<void> confine(const Allowance& allowance);

}  // namespace submix::host
