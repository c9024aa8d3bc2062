// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// Addresses of network cards, as nodes and links tell them. Pure functions.
namespace submix::model {

/// Whether both are of one kind and begin with the same `prefix_length` bits.
[[nodiscard]] bool is_same_subnet(const std::string& a, const std::string& b, int prefix_length);

/// Whether both are IPv4, or both are IPv6.
[[nodiscard]] bool is_same_family(const std::string& a, const std::string& b);

/// Of "198.18.0.1:7400" or "[fd00::1]:7400", as links tell their ends. Empty: it is no address, but shared
/// memory.
[[nodiscard]] std::string without_port(const std::string& end);

/// Whether other computers can reach it: neither loopback nor an address for one cable only.
[[nodiscard]] bool is_reachable_address(const std::string& address);

}  // namespace submix::model
