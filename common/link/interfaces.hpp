// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace submix::link {

/// All IPv4 and IPv6 addresses of this machine's cards, in the kernel's order; link-local ones are left out.
/// MTU and speed come from `sysfs`, 0 where it does not say (loopback, most virtual cards).
[[nodiscard]] std::vector<NetworkInterface> list_interfaces(
    const std::filesystem::path& sysfs = "/sys/class/net");

/// The prefix of an own address: that of the card that has it, or, on loopback, of the card whose subnet
/// holds it (127.0.0.2 is usable where only 127.0.0.1/8 is listed). 0: no card knows it.
[[nodiscard]] int prefix_length_of(const std::string& address, std::span<const NetworkInterface> interfaces);

}  // namespace submix::link
