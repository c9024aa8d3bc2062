// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "tests/support/silent_listener.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

namespace submix::cluster {

/// Stands between one client and a server on loopback, passes everything on and writes it down.
/// Without a server (port 0) it greets the client with `greeting` itself, and only listens then.
class Wiretap {
 public:
  explicit Wiretap(std::uint16_t server_port, std::string_view greeting = {}) {
    thread_ = std::jthread([this, server_port, words = std::string(greeting)](
                               const std::stop_token& stop) { run(server_port, words, stop); });
  }

  [[nodiscard]] std::string url() const {
    return "nats://127.0.0.1:" + std::to_string(listener_.port());
  }
  /// All bytes of both directions. Ends the tap.
  [[nodiscard]] const std::string& end() {
    thread_ = {};
    return heard_;
  }

 private:
  [[nodiscard]] static bool has_bytes(int socket) {
    ::pollfd wanted{.fd = socket, .events = POLLIN, .revents = 0};
    return ::poll(&wanted, 1, 10) > 0;
  }

  void run(std::uint16_t server_port, const std::string& greeting, const std::stop_token& stop) {
    while (!has_bytes(listener_.socket())) {
      if (stop.stop_requested()) return;
    }
    const Descriptor client(::accept(listener_.socket(), nullptr, nullptr));
    const Descriptor server(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ::sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (server_port != 0)
      ::connect(server.get(), reinterpret_cast<const ::sockaddr*>(&address), sizeof(address));
    ::send(client.get(), greeting.data(), greeting.size(), MSG_NOSIGNAL);
    while (!stop.stop_requested()) {
      const bool is_up = pass(client.get(), server_port == 0 ? -1 : server.get());
      if (!is_up || (server_port != 0 && !pass(server.get(), client.get()))) return;
    }
  }
  /// False: an end has hung up.
  bool pass(int from, int to) {
    std::array<char, 4096> bytes{};
    if (!has_bytes(from)) return true;
    const auto count = ::recv(from, bytes.data(), bytes.size(), 0);
    if (count <= 0) return false;
    heard_.append(bytes.data(), static_cast<std::size_t>(count));
    if (to >= 0) ::send(to, bytes.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL);
    return true;
  }

  const testing::SilentListener listener_;
  std::string heard_;
  std::jthread thread_;
};

}  // namespace submix::cluster
