// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/frame_ports.hpp"
#include "tests/throughput/socket_address.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace submix::throughput {
namespace {

constexpr timeval kSocketPatience{10, 0};  // of a blocking call
using Token = std::array<std::uint8_t, 16>;

tl::unexpected<Error> failed(std::string_view what, const std::string& address) {
  return fail("{} {}: {}", what, address, std::strerror(errno));
}

template <typename Value>
void set_option(int socket, int level, int name, const Value& value) {
  ::setsockopt(socket, level, name, &value, sizeof value);
}

/// A socket bound to the job's address, as in any plain program, except for cubic, without which it
/// would be slower.
Result<Descriptor> open_socket(const Job& job) {
  const auto& address = job.addresses.at(0);
  const bool is_mptcp = job.transport == Transport::mptcp;
  // MPTCP's further paths arrive at other addresses on the same port. It runs only in its own
  // network.
  const bool is_listening = job.side == Side::receive;
  const auto place = socket_address(is_mptcp && is_listening ? "0.0.0.0" : address, 0);
  SUBMIX_TRY(place);
  auto socket = open_bound_socket(*place, is_mptcp ? IPPROTO_MPTCP : IPPROTO_TCP);
  if (!socket) return fail("{}: {}", address, socket.error().message);
  if (!job.congestion.empty()) {
    ::setsockopt(socket->get(), IPPROTO_TCP, TCP_CONGESTION, job.congestion.data(),
                 static_cast<socklen_t>(job.congestion.size()));
  }
  if (job.send_buffer_bytes > 0)
    set_option(socket->get(), SOL_SOCKET, SO_SNDBUF, job.send_buffer_bytes);
  set_option(socket->get(), IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket->get(), SOL_SOCKET, SO_SNDTIMEO, kSocketPatience);
  set_option(socket->get(), SOL_SOCKET, SO_RCVTIMEO, kSocketPatience);
  return socket;
}

Result<void> send_all(int socket, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return failed("cannot send to", "the receiver");
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return {};
}

/// False: the sender closed the connection before the end.
Result<bool> receive_all(int socket, std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const auto received = ::recv(socket, bytes.data(), bytes.size(), 0);
    if (received == 0) return false;
    if (received < 0) return failed("cannot receive from", "the sender");
    bytes = bytes.subspan(static_cast<std::size_t>(received));
  }
  return true;
}

class SocketOutput final : public FrameOutput {
 public:
  SocketOutput(Descriptor socket, Size size)
      : socket_(std::move(socket)), pixels_(wire_bytes(size)) {}

  Result<PixelRange<std::uint8_t>> begin_frame(std::stop_token /*stop*/) override {
    return PixelRange<std::uint8_t>{pixels_, 3};
  }
  bool waits_for_credit() const override { return false; }
  Result<void> send_frame(std::stop_token /*stop*/) override {
    bytes_ += pixels_.size();
    return send_all(socket_.get(), pixels_);
  }
  std::vector<LinkTotal> links() const override { return {{bytes_, 0}}; }

 private:
  Descriptor socket_;
  std::vector<std::uint8_t> pixels_;
  std::uint64_t bytes_ = 0;
};

class SocketInput final : public FrameInput {
 public:
  SocketInput(Descriptor listener, const Job& job)
      : listener_(std::move(listener)), token_(job.token), pixels_(wire_bytes(job.size)) {}

  Result<std::optional<PixelRange<const std::uint8_t>>> receive_for(
      std::chrono::milliseconds patience, std::stop_token /*stop*/) override {
    const std::optional<PixelRange<const std::uint8_t>> nothing;
    if (is_at_end_) {  // the sender has left; the end of the test is announced in another way
      ::poll(nullptr, 0, static_cast<int>(patience.count()));
      return nothing;
    }
    const bool has_socket = socket_.get() >= 0;
    pollfd waiting{has_socket ? socket_.get() : listener_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return nothing;
    if (!has_socket) {
      accept_sender();
      return nothing;
    }
    const auto is_whole = receive_all(socket_.get(), pixels_);
    SUBMIX_TRY(is_whole);
    is_at_end_ = !*is_whole;
    if (is_at_end_) return nothing;
    return std::optional(PixelRange<const std::uint8_t>{pixels_, 3});
  }
  std::size_t waiting_bytes() const override {
    int bytes = 0;
    return ::ioctl(socket_.get(), FIONREAD, &bytes) == 0 && bytes > 0
               ? static_cast<std::size_t>(bytes)
               : 0;
  }

 private:
  // Rejects a caller that does not send the token within a second.
  void accept_sender() {
    Descriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    set_option(socket.get(), SOL_SOCKET, SO_RCVTIMEO, timeval{1, 0});
    Token shown{};
    const auto is_whole = receive_all(socket.get(), shown);
    if (!is_whole || !*is_whole || shown != token_) return;
    set_option(socket.get(), SOL_SOCKET, SO_RCVTIMEO, kSocketPatience);
    socket_ = std::move(socket);
  }

  Descriptor listener_;
  Descriptor socket_;
  Token token_;
  std::vector<std::uint8_t> pixels_;
  bool is_at_end_ = false;
};

Result<Descriptor> connect_to(const Job& job, const DataEndpoint& endpoint) {
  auto socket = open_socket(job);
  if (!socket) return socket;
  const auto place = socket_address(endpoint.address, endpoint.port);
  SUBMIX_TRY(place);
  if (::connect(socket->get(), place->get(), place->bytes) != 0)
    return failed("cannot connect to", endpoint.address);
  SUBMIX_TRY(send_all(socket->get(), job.token));
  return socket;
}

}  // namespace

Result<Outputs> open_socket_outputs(const Job& job) {
  Outputs outputs;
  for (const auto& endpoint : job.endpoints) {
    auto socket = connect_to(job, endpoint);
    SUBMIX_TRY(socket);
    outputs.push_back(std::make_unique<SocketOutput>(std::move(*socket), job.size));
  }
  return outputs;
}

Result<Inputs> open_socket_inputs(const Job& job) {
  Inputs inputs;
  for (std::size_t i = 0; i < job.streams; ++i) {
    auto socket = open_socket(job);
    SUBMIX_TRY(socket);
    const auto port = listen_on(socket->get(), 1);
    SUBMIX_TRY(port);
    DataEndpoint endpoint;
    endpoint.address = job.addresses.at(0);
    endpoint.port = *port;
    inputs.endpoints.push_back(std::move(endpoint));
    inputs.streams.push_back(std::make_unique<SocketInput>(std::move(*socket), job));
  }
  return inputs;
}

}  // namespace submix::throughput
