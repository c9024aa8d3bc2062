// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/channel.hpp"
#include "tests/throughput/frame_ports.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace submix::throughput {
namespace {

constexpr timeval kPatience{10, 0};  // of a blocking call

Result<sockaddr_in> socket_address(const std::string& address, std::uint16_t port) {
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(port);
  if (::inet_pton(AF_INET, address.c_str(), &place.sin_addr) != 1)
    return fail("{} is not an IPv4 address", address);
  return place;
}

tl::unexpected<Error> failed(std::string_view what, const std::string& address) {
  return fail("{} {}: {}", what, address, std::strerror(errno));
}

template <typename Value>
void set_option(int socket, int level, int name, const Value& value) {
  ::setsockopt(socket, level, name, &value, sizeof value);
}

/// A socket bound to an address, as any plain program has it; but for cubic, without which it would be
/// slower.
Result<Descriptor> open_socket(const Job& job) {
  const auto& address = job.addresses.at(0);
  const bool is_mptcp = job.transport == Transport::mptcp;
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, is_mptcp ? IPPROTO_MPTCP : IPPROTO_TCP));
  if (socket.get() < 0) return failed(is_mptcp ? "no MPTCP socket for" : "no socket for", address);
  const auto& congestion = job.congestion;
  if (!congestion.empty())
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_CONGESTION, congestion.data(),
                 static_cast<socklen_t>(congestion.size()));
  if (job.send_buffer_bytes > 0) set_option(socket.get(), SOL_SOCKET, SO_SNDBUF, job.send_buffer_bytes);
  set_option(socket.get(), IPPROTO_TCP, TCP_NODELAY, int{1});
  set_option(socket.get(), SOL_SOCKET, SO_SNDTIMEO, kPatience);
  set_option(socket.get(), SOL_SOCKET, SO_RCVTIMEO, kPatience);
  // Further paths of MPTCP come to other addresses at the same port; it runs in a network of its own only.
  const bool is_listening = job.side == Side::receive;
  const auto place = socket_address(is_mptcp && is_listening ? "0.0.0.0" : address, 0);
  if (!place) return tl::unexpected(place.error());
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&*place), sizeof *place) != 0)
    return failed("cannot bind to", address);
  return socket;
}

class SocketOutput final : public FrameOutput {
 public:
  SocketOutput(Descriptor socket, Size size) : socket_(std::move(socket)), pixels_(wire_bytes(size)) {}

  Result<PixelRange<std::uint8_t>> begin_frame(std::stop_token /*stop*/) override {
    return PixelRange<std::uint8_t>{pixels_, 3};
  }
  bool waits_for_credit() const override { return false; }
  Result<void> send_frame(std::stop_token /*stop*/) override {
    for (std::size_t done = 0; done < pixels_.size();) {
      const auto sent = ::send(socket_.get(), pixels_.data() + done, pixels_.size() - done, MSG_NOSIGNAL);
      if (sent <= 0) return failed("cannot send to", "the receiver");
      done += static_cast<std::size_t>(sent);
    }
    bytes_ += pixels_.size();
    return {};
  }
  std::vector<LinkTotal> links() const override { return {{bytes_, 0}}; }

 private:
  Descriptor socket_;
  std::vector<std::uint8_t> pixels_;
  std::uint64_t bytes_ = 0;
};

class SocketInput final : public FrameInput {
 public:
  SocketInput(Descriptor listener, Size size) : listener_(std::move(listener)), pixels_(wire_bytes(size)) {}

  Result<std::optional<PixelRange<const std::uint8_t>>> receive_for(std::chrono::milliseconds patience,
                                                                    std::stop_token /*stop*/) override {
    const std::optional<PixelRange<const std::uint8_t>> nothing;
    if (is_at_end_) return wait_in_vain(patience);
    const bool has_socket = socket_.get() >= 0;
    pollfd waiting{has_socket ? socket_.get() : listener_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return nothing;
    if (!has_socket) {
      socket_ = Descriptor(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      set_option(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, kPatience);
      return nothing;
    }
    for (std::size_t done = 0; done < pixels_.size();) {
      const auto received = ::recv(socket_.get(), pixels_.data() + done, pixels_.size() - done, 0);
      is_at_end_ = received == 0;
      if (is_at_end_) return nothing;
      if (received < 0) return failed("cannot receive from", "the sender");
      done += static_cast<std::size_t>(received);
    }
    return std::optional(PixelRange<const std::uint8_t>{pixels_, 3});
  }

 private:
  // The sender has gone; that all is over comes by another way.
  static std::optional<PixelRange<const std::uint8_t>> wait_in_vain(std::chrono::milliseconds patience) {
    ::poll(nullptr, 0, static_cast<int>(patience.count()));
    return std::nullopt;
  }

  Descriptor listener_;
  Descriptor socket_;
  std::vector<std::uint8_t> pixels_;
  bool is_at_end_ = false;
};

Result<DataEndpoint> listen_on(int socket, const std::string& address) {
  sockaddr_in place{};
  socklen_t bytes = sizeof place;
  if (::listen(socket, 1) != 0) return failed("cannot listen on", address);
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&place), &bytes) != 0)
    return failed("no port of", address);
  return DataEndpoint{address, 0, ntohs(place.sin_port)};
}

Result<void> connect_to(int socket, const DataEndpoint& endpoint) {
  const auto place = socket_address(endpoint.address, endpoint.port);
  if (!place) return tl::unexpected(place.error());
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&*place), sizeof *place) != 0)
    return failed("cannot connect to", endpoint.address);
  return {};
}

}  // namespace

Result<Outputs> open_socket_outputs(const Job& job) {
  Outputs outputs;
  for (const auto& endpoint : job.endpoints) {
    auto socket = open_socket(job);
    if (!socket) return tl::unexpected(socket.error());
    if (auto connected = connect_to(socket->get(), endpoint); !connected)
      return tl::unexpected(connected.error());
    outputs.push_back(std::make_unique<SocketOutput>(std::move(*socket), job.size));
  }
  return outputs;
}

Result<Inputs> open_socket_inputs(const Job& job) {
  Inputs inputs;
  for (std::size_t i = 0; i < job.streams; ++i) {
    auto socket = open_socket(job);
    if (!socket) return tl::unexpected(socket.error());
    auto endpoint = listen_on(socket->get(), job.addresses.at(0));
    if (!endpoint) return tl::unexpected(endpoint.error());
    inputs.endpoints.push_back(std::move(*endpoint));
    inputs.streams.push_back(std::make_unique<SocketInput>(std::move(*socket), job.size));
  }
  return inputs;
}

}  // namespace submix::throughput
