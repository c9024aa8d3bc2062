// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "tests/throughput/channel.hpp"

#include <sys/socket.h>

#include <cstdint>
#include <string>

/// Plain sockets, as any program has them; IPv4 and IPv6.
namespace submix::throughput {

struct SocketAddress {
  sockaddr_storage place{};
  socklen_t bytes = 0;

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&place); }
};

/// A numeric address. Fails on anything else.
[[nodiscard]] Result<SocketAddress> socket_address(const std::string& address, std::uint16_t port);
/// A name or an address.
[[nodiscard]] Result<SocketAddress> look_up(const std::string& host, std::uint16_t port);

/// The numeric address of a connected socket's other end; "an unknown address" where it has none.
[[nodiscard]] std::string other_end(int socket);

/// A stream socket bound to `address`; `protocol` may be IPPROTO_MPTCP.
[[nodiscard]] Result<Descriptor> open_bound_socket(const SocketAddress& address, int protocol);
/// Lets it listen. Gives the port it has.
[[nodiscard]] Result<std::uint16_t> listen_on(int socket, int backlog);

}  // namespace submix::throughput
