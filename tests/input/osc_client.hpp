// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <arpa/inet.h>
#include <lo/lo.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace submix::testing {

inline constexpr lo_timetag kAtOnce{0, 1};  // liblo's own constant is not C++

/// A program that uses liblo only. It sends from the port that it listens at.
class OscClient {
 public:
  explicit OscClient(const std::string& address)
      : server_(lo_server_new(nullptr, nullptr)), to_(address_of(address)) {
    lo_server_add_method(server_, nullptr, nullptr, &OscClient::on_message, this);
  }
  ~OscClient() {
    lo_address_free(to_);
    lo_server_free(server_);
  }
  OscClient(const OscClient&) = delete;
  OscClient& operator=(const OscClient&) = delete;

  template <typename... Values>
  void send(const char* path, const char* types, Values... values) {
    lo_send_from(to_, server_, kAtOnce, path, types, values...);
  }
  void send_bytes(std::string bytes) {
    // Sends through liblo's address, without its codec.
    const int fd = lo_server_get_socket_fd(server_);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(lo_address_get_port(to_))));
    static_cast<void>(
        ::sendto(fd, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&to), sizeof(to)));
  }
  /// The first argument of the next message to `path`, as text. Empty after `patience`.
  [[nodiscard]] std::string wait_for(
      const std::string& path, std::chrono::milliseconds patience = std::chrono::seconds(30)) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < deadline) {
      for (std::size_t i = 0; i < received_.size(); ++i) {
        if (received_[i].first != path) continue;
        auto text = received_[i].second;
        received_.erase(received_.begin(), received_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        return text;
      }
      lo_server_recv_noblock(server_, 100);
    }
    return {};
  }

 private:
  static lo_address address_of(const std::string& address) {
    const auto colon = address.rfind(':');
    return lo_address_new(address.substr(0, colon).c_str(), address.substr(colon + 1).c_str());
  }
  static int on_message(const char* path, const char* types, lo_arg** arguments, int count,
                        lo_message, void* self) {
    std::string text;
    if (count > 0 && types[0] == 's') text = &arguments[0]->s;
    if (count > 0 && types[0] == 'f') text = std::to_string(arguments[0]->f);
    if (count > 0 && types[0] == 'i') text = std::to_string(arguments[0]->i);
    static_cast<OscClient*>(self)->received_.emplace_back(path, text);
    return 0;
  }

  lo_server server_;
  lo_address to_;
  std::vector<std::pair<std::string, std::string>> received_;
};

}  // namespace submix::testing
