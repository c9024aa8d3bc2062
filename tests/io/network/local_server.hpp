// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/silent_listener.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace submix::testing {

/// A far end on loopback that does with each connection, one after the other, what a test wants.
class LocalServer {
 public:
  /// A connection of somebody to the server.
  class Connection {
   public:
    Connection(int socket, std::stop_token stop) : socket_(socket), stop_(std::move(stop)) {}

    /// False: the other end is gone, or the server ends.
    bool send(std::string_view bytes) {
      while (!bytes.empty() && !stop_.stop_requested()) {
        pollfd ready{socket_, POLLOUT, 0};
        if (::poll(&ready, 1, 50) == 0) continue;
        const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      }
      return bytes.empty();
    }
    /// What comes up to an empty line: a request of HTTP.
    std::string read_request() {
      std::string request;
      while (!request.ends_with("\r\n\r\n") && !stop_.stop_requested()) {
        pollfd ready{socket_, POLLIN, 0};
        if (::poll(&ready, 1, 50) == 0) continue;
        std::array<char, 1> byte{};
        if (::recv(socket_, byte.data(), 1, 0) <= 0) break;
        request += byte[0];
      }
      return request;
    }
    [[nodiscard]] bool is_wanted() const { return !stop_.stop_requested(); }

   private:
    int socket_;
    std::stop_token stop_;
  };
  using Deed = std::function<void(Connection&)>;

  explicit LocalServer(Deed deed)
      : deed_(std::move(deed)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

  [[nodiscard]] int port() const { return listener_.port(); }

 private:
  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd knock{listener_.socket(), POLLIN, 0};
      if (::poll(&knock, 1, 50) <= 0) continue;
      const Descriptor socket(::accept4(listener_.socket(), nullptr, nullptr, SOCK_CLOEXEC));
      Connection connection(socket.get(), stop);
      deed_(connection);
    }
  }

  const Deed deed_;
  const SilentListener listener_;
  std::jthread thread_;
};

}  // namespace submix::testing
