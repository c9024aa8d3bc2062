// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/udp_socket.hpp"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

namespace submix::input {
namespace {

constexpr int kReceiveBytes = 1 << 20;  // for a surface that sends all of its state at once

using Resolved = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

// Numeric addresses only, so that nothing waits for a name server.
Resolved resolve(const OscPeer& peer) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const auto port = std::to_string(peer.port);
  if (::getaddrinfo(peer.host.c_str(), port.c_str(), &hints, &found) != 0) found = nullptr;
  return {found, &::freeaddrinfo};
}

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t bytes = sizeof(storage);

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  OscPeer peer() {
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> port{};
    OscPeer peer;
    if (::getnameinfo(get(), bytes, host.data(), host.size(), port.data(), port.size(),
                      NI_NUMERICHOST | NI_NUMERICSERV) != 0)
      return peer;
    peer.host = host.data();
    std::from_chars(port.data(), port.data() + std::strlen(port.data()), peer.port);
    return peer;
  }
};

}  // namespace

Result<UdpSocket> UdpSocket::bind(const OscPeer& at) {
  const auto resolved = resolve(at);
  if (resolved == nullptr)
    return fail(
        "\"{}\" is no numeric address of this machine; 127.0.0.1 is this machine alone, 0.0.0.0 "
        "all its networks",
        at.host);
  Descriptor descriptor(
      ::socket(resolved->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!descriptor || ::bind(descriptor.get(), resolved->ai_addr, resolved->ai_addrlen) != 0) {
    const int error = errno;
    return fail("UDP {} cannot be used: {}; {}", to_string(at), std::strerror(error),
                error == EADDRINUSE ? "another program has it, another controller perhaps: choose "
                                      "another port, or 0 for a free one"
                                    : "choose another port or address");
  }
  const int bytes = kReceiveBytes;
  ::setsockopt(descriptor.get(), SOL_SOCKET, SO_RCVBUF, &bytes,
               sizeof(bytes));  // the system may allow less
  SocketAddress bound;
  if (::getsockname(descriptor.get(), bound.get(), &bound.bytes) != 0)
    return fail("UDP {}: {}", to_string(at), std::strerror(errno));
  return UdpSocket(std::move(descriptor), bound.peer());
}

std::optional<UdpSocket::Datagram> UdpSocket::receive_for(
    std::chrono::milliseconds patience) const {
  pollfd wait{descriptor_.get(), POLLIN, 0};
  if (::poll(&wait, 1, static_cast<int>(patience.count())) <= 0) return std::nullopt;
  std::array<char, kOscBytesMax> buffer;
  SocketAddress from;
  const auto received =
      ::recvfrom(descriptor_.get(), buffer.data(), buffer.size(), 0, from.get(), &from.bytes);
  if (received < 0) return std::nullopt;  // such as an ICMP reply to a sent datagram
  return Datagram{std::string(buffer.data(), static_cast<std::size_t>(received)), from.peer()};
}

bool UdpSocket::send(const OscPeer& to, std::string_view bytes) const {
  const auto resolved = resolve(to);
  return resolved != nullptr &&
         ::sendto(descriptor_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT, resolved->ai_addr,
                  resolved->ai_addrlen) >= 0;
}

}  // namespace submix::input
