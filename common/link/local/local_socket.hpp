// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/network.hpp"
#include "common/base/result.hpp"

#include <sys/types.h>
#include <boost/asio/local/stream_protocol.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Features of Unix sockets only: the identity of the peer process, and descriptors as part of a
/// message.
namespace submix::link {

/// The endpoint of an abstract socket, which has no file.
[[nodiscard]] boost::asio::local::stream_protocol::endpoint abstract_endpoint(
    const std::string& name);

/// A random name for an abstract socket, which nobody can guess.
[[nodiscard]] std::string random_socket_name();

/// The process that connected to this socket, or that listens at its far end.
struct PeerProcess {
  pid_t process = 0;
  uid_t user = 0;
};
/// The peer process of a connected socket.
///
/// Errors   The process belongs to neither this process's user nor root. The text names it.
[[nodiscard]] Result<PeerProcess> check_peer_process(int socket);

/// Limit of descriptors in one send_with() or receive_with().
inline constexpr std::size_t kDescriptorsMax = 4;

/// As ::send() and ::recv() with MSG_DONTWAIT, with descriptors. Sent descriptors go with the first
/// byte.
[[nodiscard]] ssize_t send_with(int socket, std::span<const std::uint8_t> bytes,
                                std::span<const Descriptor> descriptors);
/// More than kDescriptorsMax descriptors at once are closed, and errno is E2BIG.
[[nodiscard]] ssize_t receive_with(int socket, std::span<std::uint8_t> room,
                                   std::vector<Descriptor>& descriptors);

}  // namespace submix::link
