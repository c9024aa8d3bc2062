// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/base/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace submix::link {

/// All IPv4 and IPv6 addresses of this machine's cards, in the kernel's order; link-local ones are left out.
/// Without speeds, which some cards take milliseconds to tell; see add_speeds().
/// Cost     A few system calls for each address.
[[nodiscard]] std::vector<NetworkInterface> list_interfaces();

/// Negotiated and greatest speed of a card in Mbit/s; 0: it does not say.
struct CardSpeed {
  int now_mbit = 0;
  int max_mbit = 0;

  friend bool operator==(const CardSpeed&, const CardSpeed&) = default;
};
[[nodiscard]] CardSpeed speed_of(const std::string& card);
void add_speeds(std::vector<NetworkInterface>& interfaces);
/// Each endpoint gets the speeds of the card that has its address, where one has.
void add_speeds(std::vector<DataEndpoint>& endpoints, std::span<const NetworkInterface> interfaces);

/// The greatest speed among a card's link modes, as ETHTOOL_GLINKSETTINGS gives them.
[[nodiscard]] int greatest_speed(std::span<const std::uint32_t> supported_modes);

/// The entry with an address; null: no card has it.
[[nodiscard]] const NetworkInterface* find_address(const std::string& address,
                                                   std::span<const NetworkInterface> interfaces);

[[nodiscard]] bool is_loopback(const std::string& address);
[[nodiscard]] bool is_link_local(const std::string& address);  ///< IPv6
/// Whether two addresses have the same first `prefix_length` bits; 0 bits are no subnet.
[[nodiscard]] bool is_in_subnet(const std::string& address, const std::string& of,
                                int prefix_length);

/// Whether what is sent to `address` stays on this machine.
[[nodiscard]] bool is_of_this_machine(const std::string& address,
                                      std::span<const NetworkInterface> interfaces);

/// The prefix of an own address: that of the card that has it, or, on loopback, of the card whose subnet
/// holds it (127.0.0.2 is usable where only 127.0.0.1/8 is listed). 0: no card knows it.
[[nodiscard]] int prefix_length_of(const std::string& address,
                                   std::span<const NetworkInterface> interfaces);

/// What a node offers that is told no address: with a key all addresses but loopback, of cards that are up
/// or that it offers already; loopback without a key, or where there is no other.
[[nodiscard]] std::vector<std::string> offered_addresses(
    std::span<const NetworkInterface> interfaces, bool has_key,
    std::span<const std::string> offered = {});

/// Lets a socket send and receive by one card only, whatever the routing table says.
/// Errors   Kernels before 5.7 allow it to root only.
[[nodiscard]] Result<void> hold_on_card(int socket, const std::string& card);

}  // namespace submix::link
