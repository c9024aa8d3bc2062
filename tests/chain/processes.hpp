// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

/// The kernel's figures of this process and its children.
namespace submix::chain {

/// CPU time of all threads. 0: the process has ended. `pid` 0: this process.
[[nodiscard]] std::chrono::duration<double> cpu_of(pid_t pid);
[[nodiscard]] std::vector<pid_t> children_of_this();
/// Memory written by the process and shared with no other. 0: the process has ended.
[[nodiscard]] std::size_t private_bytes_of(pid_t pid);
/// The slot in its command line: "left.glow".
[[nodiscard]] std::string slot_of_host(pid_t pid);
/// Of this process and its living children.
[[nodiscard]] std::chrono::duration<double> cpu_of_all();
/// The same for known children.
[[nodiscard]] std::chrono::duration<double> cpu_of_this_and(const std::vector<pid_t>& children);

}  // namespace submix::chain
