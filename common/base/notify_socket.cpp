// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/notify_socket.hpp"

#include "common/base/descriptor.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

// Written here and not taken from libsystemd: the protocol is one datagram, and nodes run on
// systems without systemd.

namespace submix {

NotifySocket NotifySocket::of_environment() {
  const char* address = std::getenv("NOTIFY_SOCKET");
  return NotifySocket(address == nullptr ? "" : address);
}

void NotifySocket::send(std::string_view state) const {
  sockaddr_un to{};
  if (address_.empty() || address_.size() > sizeof to.sun_path) return;

  to.sun_family = AF_UNIX;
  std::copy(address_.begin(), address_.end(), to.sun_path);
  if (address_.front() == '@') to.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());

  const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return;
  ::sendto(socket.get(), state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
           reinterpret_cast<const sockaddr*>(&to), length);
}

}  // namespace submix
