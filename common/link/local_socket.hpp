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

/// What Unix sockets can and others cannot: know the process at the other end, and carry descriptors.
namespace submix::link {

/// What is the same for two processes that can meet at an abstract Unix socket: this machine, since it was
/// booted, and the network namespace. Empty: the system does not tell.
[[nodiscard]] std::string machine_id();

/// Of a socket that is in no folder.
[[nodiscard]] boost::asio::local::stream_protocol::endpoint abstract_endpoint(
    const std::string& name);

/// A name that nobody guesses, for an abstract socket.
[[nodiscard]] std::string random_socket_name();

/// The process that connected to, or listens at, the other end.
struct PeerProcess {
  pid_t process = 0;
  uid_t user = 0;
};
/// Fails, naming it, where it belongs to neither this process's user nor root.
[[nodiscard]] Result<PeerProcess> check_peer_process(int socket);

/// Descriptors on their way through one send() or receive().
inline constexpr std::size_t kDescriptorsMax = 4;

/// As ::send() and ::recv() without waiting, with descriptors. Those sent go with the first byte.
[[nodiscard]] ssize_t send_with(int socket, std::span<const std::uint8_t> bytes,
                                std::span<const Descriptor> descriptors);
/// More than kDescriptorsMax at once are closed, and errno is E2BIG.
[[nodiscard]] ssize_t receive_with(int socket, std::span<std::uint8_t> room,
                                   std::vector<Descriptor>& descriptors);

}  // namespace submix::link
