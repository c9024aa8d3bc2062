// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace submix {

/// Identifies this machine, its boot and the network namespace. Two processes with the same id can
/// meet at an abstract Unix socket, and have the same network cards. Empty: the system does not
/// tell.
///
/// Source   /proc/sys/kernel/random/boot_id and the inode of /proc/self/ns/net
[[nodiscard]] std::string machine_id();

/// Whether two ids are of one machine, perhaps of different network namespaces. False if either is
/// empty. Unlike its name, a machine's id is never that of another one made from the same image.
[[nodiscard]] bool is_one_machine(std::string_view id, std::string_view other);

}  // namespace submix
