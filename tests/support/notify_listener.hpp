// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace submix::testing {

/// A service manager's end of $NOTIFY_SOCKET: a real Unix datagram socket.
class NotifyListener {
 public:
  /// `address`: a path, or '@' and an abstract name.
  explicit NotifyListener(std::string address)
      : address_(std::move(address)), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::copy(address_.begin(), address_.end(), at.sun_path);
    if (address_.front() == '@') at.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
    if (::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&at), length) != 0)
      throw std::runtime_error("no socket at " + address_);
  }

  [[nodiscard]] const std::string& address() const { return address_; }

  /// The next message; empty if none comes within `patience`.
  [[nodiscard]] std::string next(std::chrono::seconds patience) const {
    const timeval limit{patience.count(), 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    const int flags = patience.count() == 0 ? MSG_DONTWAIT : 0;
    std::array<char, 256> text{};
    const auto bytes = ::recv(socket_.get(), text.data(), text.size(), flags);
    return bytes > 0 ? std::string(text.data(), static_cast<std::size_t>(bytes)) : std::string();
  }

 private:
  const std::string address_;
  const Descriptor socket_;
};

}  // namespace submix::testing
