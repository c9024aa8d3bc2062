// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/socket_address.hpp"

#include <netdb.h>
#include <netinet/in.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace submix::throughput {
namespace {

Result<SocketAddress> resolve(const std::string& host, std::uint16_t port, int flags) {
  addrinfo wish{};
  wish.ai_socktype = SOCK_STREAM;
  wish.ai_flags = flags;
  addrinfo* found = nullptr;
  const int status = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wish, &found);
  if (status != 0) return fail("{}: {}", host, ::gai_strerror(status));
  SocketAddress address;
  address.bytes = found->ai_addrlen;
  std::memcpy(&address.place, found->ai_addr, found->ai_addrlen);
  ::freeaddrinfo(found);
  return address;
}

}  // namespace

Result<SocketAddress> socket_address(const std::string& address, std::uint16_t port) {
  return resolve(address, port, AI_NUMERICHOST | AI_NUMERICSERV);
}

Result<SocketAddress> look_up(const std::string& host, std::uint16_t port) {
  return resolve(host, port, AI_NUMERICSERV);
}

std::string other_end(int socket) {
  SocketAddress other;
  other.bytes = sizeof other.place;
  std::array<char, NI_MAXHOST> name{};
  const bool is_known =
      ::getpeername(socket, reinterpret_cast<sockaddr*>(&other.place), &other.bytes) == 0 &&
      ::getnameinfo(other.get(), other.bytes, name.data(), name.size(), nullptr, 0,
                    NI_NUMERICHOST) == 0;
  return is_known ? name.data() : "an unknown address";
}

Result<Descriptor> open_bound_socket(const SocketAddress& address, int protocol) {
  Descriptor socket(::socket(address.place.ss_family, SOCK_STREAM | SOCK_CLOEXEC, protocol));
  if (socket.get() < 0)
    return fail("no socket{}: {}", protocol == IPPROTO_MPTCP ? " for MPTCP" : "",
                std::strerror(errno));
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(socket.get(), address.get(), address.bytes) != 0)
    return fail("cannot bind: {}", std::strerror(errno));
  return socket;
}

Result<std::uint16_t> listen_on(int socket, int backlog) {
  SocketAddress own;
  own.bytes = sizeof own.place;
  if (::listen(socket, backlog) != 0) return fail("cannot listen: {}", std::strerror(errno));
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&own.place), &own.bytes) != 0)
    return fail("no port: {}", std::strerror(errno));
  // Both address families have the port at the same position.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&own.place)->sin_port);
}

}  // namespace submix::throughput
