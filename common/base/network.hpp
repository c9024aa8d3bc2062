// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace submix {

/// One address of one network card of this machine.
struct NetworkInterface {
  std::string name;     ///< "enp1s0"
  std::string address;  ///< IPv4 or IPv6, without the prefix
  int prefix_length = 0;
  int mtu_bytes = 0;
  int speed_mbit = 0;      ///< as negotiated; 0: the card does not say
  bool is_up = false;      ///< switched on, and it has a carrier
  int speed_max_mbit = 0;  ///< that the card can do; 0: it does not say

  friend bool operator==(const NetworkInterface&, const NetworkInterface&) = default;
};

/// Where a node takes data connections.
struct DataEndpoint {
  std::string address;
  int prefix_length = 0;
  std::uint16_t port = 0;
  int mtu_bytes = 0;       ///< of its card; 0: not known
  bool is_up = true;       ///< its card is switched on and has a carrier
  int speed_mbit = 0;      ///< as its card negotiated; 0: not known
  int speed_max_mbit = 0;  ///< that its card can do; 0: not known

  friend bool operator==(const DataEndpoint&, const DataEndpoint&) = default;
};

/// Where a node takes data from the other nodes of its machine.
struct LocalEndpoint {
  std::string machine;  ///< the same wherever the socket can be reached; empty: there is no door
  std::string socket;   ///< an abstract Unix socket's name, without the zero before it

  friend bool operator==(const LocalEndpoint&, const LocalEndpoint&) = default;
};

/// Two addresses between which a stream has a link.
struct LinkRoute {
  std::string from;  ///< of a card of the sending node
  std::string to;    ///< of a card of the receiving node

  friend bool operator==(const LinkRoute&, const LinkRoute&) = default;
};

/// The checksum that travels with each stripe of a stream. The values are those on the wire.
enum class Checksum : std::uint8_t {
  none = 0,
  xxh3 = 1,  ///< of the packed pixels: common/wire/checksum.hpp
};

}  // namespace submix
