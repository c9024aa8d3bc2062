// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace submix::host {

/// The rights that this process keeps when confine() has returned.
struct Allowance {
  /// Files and folders, besides the system's libraries and data.
  std::vector<std::filesystem::path> readable;
  int readable_folder = -1;          ///< an open folder, with all that it holds; below 0: none
  std::size_t memory_bytes_max = 0;  ///< limit of the address space; not enforced under a sanitizer
  bool uses_devices = false;         ///< may go on using devices that it has opened, such as a GPU
  /// May use TCP and UDP, as a client and as a listener, and read how names are resolved.
  bool uses_network = false;
};

/// Takes rights from this process and from all its future threads, for good. The process can no
/// longer:
///
/// - gain privileges or keep capabilities;
/// - write files, or read files except the system's libraries and `readable`;
/// - open sockets, except those of `uses_network`;
/// - start programs, or reach other processes, signals included;
/// - use memory beyond the limit. When memory runs out, the kernel ends this process before the
///   node.
///
/// A forbidden call fails with EPERM or EACCES, so a plugin that merely tries goes on.
///
/// Shape    seccomp, Landlock where the kernel has it, resource limits.
/// Threads  Call before any other thread starts.
/// Errors   The kernel refuses seccomp. The caller must then load nothing.
[[nodiscard]] Result<void> confine(const Allowance& allowance);

}  // namespace submix::host
