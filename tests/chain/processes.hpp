// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

/// What the kernel tells of this process and its children.
namespace submix::chain {

/// CPU time of all threads; 0: it is gone. `pid` 0: this process.
[[nodiscard]] std::chrono::duration<double> cpu_of(pid_t pid);
[[nodiscard]] std::vector<pid_t> children_of_this();
/// What it has written to that nobody shares with it; 0: it is gone.
[[nodiscard]] std::size_t private_bytes_of(pid_t pid);
/// What its command line says that it is for: "left.glow".
[[nodiscard]] std::string slot_of_host(pid_t pid);
/// Of this process and of its children that live.
[[nodiscard]] std::chrono::duration<double> cpu_of_all();
/// The same where its children are known.
[[nodiscard]] std::chrono::duration<double> cpu_of_this_and(const std::vector<pid_t>& children);

}  // namespace submix::chain
