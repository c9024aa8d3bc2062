// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace submix::throughput {
namespace {

constexpr std::size_t kMessageBytesMax = std::size_t{64} * 1024;

}  // namespace

Result<Channel::Ends> Channel::open() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail("no pair of sockets for a measuring process: {}", std::strerror(errno));
  ::fcntl(ends[1], F_SETFD, 0);
  return Ends{Channel(Descriptor(ends[0])), Descriptor(ends[1])};
}

Result<void> Channel::send(const std::string& message) {
  const auto sent = ::send(descriptor_.get(), message.data(), message.size(), MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(message.size()))
    return fail("the other process cannot be told: {}", std::strerror(errno));
  return {};
}

Result<std::optional<std::string>> Channel::receive_for(std::chrono::milliseconds patience) {
  pollfd waiting{descriptor_.get(), POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0)
    return std::optional<std::string>();
  std::string message(kMessageBytesMax, '\0');
  const auto received = ::recv(descriptor_.get(), message.data(), message.size(), 0);
  if (received <= 0) return fail("the other process has ended");
  message.resize(static_cast<std::size_t>(received));
  return std::optional(std::move(message));
}

}  // namespace submix::throughput
