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
  int speed_mbit = 0;      ///< as negotiated; 0: unknown
  bool is_up = false;      ///< switched on and has a carrier
  int speed_max_mbit = 0;  ///< the card's maximum; 0: unknown

  friend bool operator==(const NetworkInterface&, const NetworkInterface&) = default;
};

/// An address at which a node accepts data connections.
struct DataEndpoint {
  std::string address;
  int prefix_length = 0;
  std::uint16_t port = 0;
  int mtu_bytes = 0;       ///< of the card; 0: unknown
  bool is_up = true;       ///< the card is switched on and has a carrier
  int speed_mbit = 0;      ///< as the card negotiated; 0: unknown
  int speed_max_mbit = 0;  ///< the card's maximum; 0: unknown

  friend bool operator==(const DataEndpoint&, const DataEndpoint&) = default;
};

/// The Unix socket at which a node accepts data from other nodes of its machine.
struct LocalEndpoint {
  std::string machine;  ///< equal on all nodes that can reach the socket; empty: no socket
  std::string socket;   ///< name of an abstract Unix socket, without the leading zero byte

  friend bool operator==(const LocalEndpoint&, const LocalEndpoint&) = default;
};

/// The two addresses between which a stream has a link.
struct LinkRoute {
  std::string from;  ///< address of the sending node's card
  std::string to;    ///< address of the receiving node's card

  friend bool operator==(const LinkRoute&, const LinkRoute&) = default;
};

/// The checksum that travels with each stripe of a stream.
enum class Checksum : std::uint8_t {
  none = 0,
  xxh3 = 1,  ///< of the pixels: common/wire/checksum.hpp
};

/// What guards the pixels of a link. The values are those on the wire.
enum class Protection : std::uint8_t {
  none = 0,
  xxh3 = 1,  ///< a checksum, against accidents
  // Encrypted, with a tag that nobody else can make.
  aes_256_gcm = 2,
  chacha20_poly1305 = 3,
};

[[nodiscard]] constexpr bool is_cipher(Protection protection) {
  return protection == Protection::aes_256_gcm || protection == Protection::chacha20_poly1305;
}

}  // namespace submix
