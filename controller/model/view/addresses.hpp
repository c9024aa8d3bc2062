// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// Addresses of network cards, in the text form that nodes and links report. Pure functions.
namespace submix::model {

/// Whether both addresses are of one family and share their first `prefix_length` bits.
[[nodiscard]] bool is_same_subnet(const std::string& a, const std::string& b, int prefix_length);

/// Whether both addresses are IPv4, or both are IPv6.
[[nodiscard]] bool is_same_family(const std::string& a, const std::string& b);

/// The address in "198.18.0.1:7400" or "[fd00::1]:7400". Empty for a link through shared memory.
[[nodiscard]] std::string address_of(const std::string& end);

/// Whether other computers can reach the address: neither loopback nor link-local.
[[nodiscard]] bool is_reachable_address(const std::string& address);

}  // namespace submix::model
