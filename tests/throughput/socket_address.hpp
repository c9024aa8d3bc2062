// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "tests/throughput/channel.hpp"

#include <sys/socket.h>

#include <cstdint>
#include <string>

/// Plain sockets as in any program, IPv4 and IPv6.
namespace submix::throughput {

struct SocketAddress {
  sockaddr_storage place{};
  socklen_t bytes = 0;

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&place); }
};

/// A numeric address. Fails on any other text.
[[nodiscard]] Result<SocketAddress> socket_address(const std::string& address, std::uint16_t port);
/// A name or an address.
[[nodiscard]] Result<SocketAddress> look_up(const std::string& host, std::uint16_t port);

/// The numeric address of a connected socket's other end; "an unknown address" if there is none.
[[nodiscard]] std::string other_end(int socket);

/// A stream socket bound to `address`. `protocol` may be IPPROTO_MPTCP.
[[nodiscard]] Result<Descriptor> open_bound_socket(const SocketAddress& address, int protocol);
/// Lets the socket listen. Returns its port.
[[nodiscard]] Result<std::uint16_t> listen_on(int socket, int backlog);

}  // namespace submix::throughput
