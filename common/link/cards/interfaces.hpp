// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/base/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace submix::link {

/// All IPv4 and IPv6 addresses of this machine's cards, in the kernel's order, without link-local
/// ones. Speeds are left out, because some cards take milliseconds to tell them; see add_speeds().
///
/// Cost     A few system calls for each address.
[[nodiscard]] std::vector<NetworkInterface> list_interfaces();

/// Negotiated and greatest speed of a card in Mbit/s; 0: unknown.
struct CardSpeed {
  int now_mbit = 0;
  int max_mbit = 0;

  friend bool operator==(const CardSpeed&, const CardSpeed&) = default;
};
[[nodiscard]] CardSpeed speed_of(const std::string& card);
void add_speeds(std::vector<NetworkInterface>& interfaces);
/// Fills in the speeds of each endpoint whose address belongs to a known card.
void add_speeds(std::vector<DataEndpoint>& endpoints, std::span<const NetworkInterface> interfaces);

/// The greatest speed among a card's link modes, in the format of ETHTOOL_GLINKSETTINGS.
[[nodiscard]] int greatest_speed(std::span<const std::uint32_t> supported_modes);

/// The entry with this address; null when no card has it.
[[nodiscard]] const NetworkInterface* find_address(const std::string& address,
                                                   std::span<const NetworkInterface> interfaces);

[[nodiscard]] bool is_loopback(const std::string& address);
[[nodiscard]] bool is_link_local(const std::string& address);  ///< IPv6 only
/// Whether two addresses have the same first `prefix_length` bits. False when `prefix_length` is 0.
[[nodiscard]] bool is_in_subnet(const std::string& address, const std::string& of,
                                int prefix_length);

/// Whether traffic to `address` stays on this machine.
[[nodiscard]] bool is_of_this_machine(const std::string& address,
                                      std::span<const NetworkInterface> interfaces);

/// The prefix length of an address of this machine. For loopback the card's subnet decides:
/// 127.0.0.2 is usable where only 127.0.0.1/8 is listed. 0: no card knows the address.
[[nodiscard]] int prefix_length_of(const std::string& address,
                                   std::span<const NetworkInterface> interfaces);

/// The addresses that a node offers when it was given none. With a key: all addresses except
/// loopback, of cards that are up or offered already. Without a key, or without any other address:
/// loopback.
[[nodiscard]] std::vector<std::string> offered_addresses(
    std::span<const NetworkInterface> interfaces, bool has_key,
    std::span<const std::string> offered = {});

/// Makes a socket send and receive by one card only (SO_BINDTODEVICE), whatever the routing table
/// says.
///
/// Errors   Kernels before 5.7 allow this to root only.
[[nodiscard]] Result<void> bind_to_card(int socket, const std::string& card);

}  // namespace submix::link
