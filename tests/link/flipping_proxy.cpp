// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/link/flipping_proxy.hpp"

#include "common/base/assert.hpp"
#include "common/wire/message.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

namespace submix::testing {
namespace {

sockaddr_in place(const std::string& address, std::uint16_t port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = ::inet_addr(address.c_str());
  return to;
}

Descriptor open_socket() {
  return Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

bool receive_all(const Descriptor& from, std::span<std::uint8_t> bytes) {
  return bytes.empty() || ::recv(from.get(), bytes.data(), bytes.size(), MSG_WAITALL) ==
                              static_cast<ssize_t>(bytes.size());
}

bool send_all(const Descriptor& to, std::span<const std::uint8_t> bytes) {
  return bytes.empty() || ::send(to.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
                              static_cast<ssize_t>(bytes.size());
}

}  // namespace

FlippingProxy::FlippingProxy(std::string address, std::uint16_t port)
    : address_(std::move(address)), to_port_(port), listener_(open_socket()) {
  auto at = place(address_, 0);
  socklen_t size = sizeof at;
  SUBMIX_ASSERT(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
  SUBMIX_ASSERT(::listen(listener_.get(), 8) == 0);
  SUBMIX_ASSERT(::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&at), &size) == 0);
  port_ = ntohs(at.sin_port);
  accepting_ = std::jthread([this](const std::stop_token& stop) { accept_all(stop); });
}

FlippingProxy::~FlippingProxy() {
  accepting_.request_stop();
  ::shutdown(listener_.get(), SHUT_RDWR);
  accepting_.join();
  for (const auto& pipe : pipes_)
    pipe->end();
}

void FlippingProxy::Pipe::end() const {
  ::shutdown(sender.get(), SHUT_RDWR);
  ::shutdown(receiver.get(), SHUT_RDWR);
}

void FlippingProxy::accept_all(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    auto pipe = std::make_unique<Pipe>();
    pipe->sender = Descriptor(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!pipe->sender) continue;
    pipe->receiver = open_socket();
    const auto from = place(address_, 0);
    const auto to = place(address_, to_port_);
    ::bind(pipe->receiver.get(), reinterpret_cast<const sockaddr*>(&from), sizeof from);
    if (::connect(pipe->receiver.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
      continue;
    const int on = 1;
    for (const auto* socket : {&pipe->sender, &pipe->receiver})
      ::setsockopt(socket->get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto& started = *pipes_.emplace_back(std::move(pipe));
    started.there = std::jthread([this, &started] { pass_there(started); });
    started.back = std::jthread([this, &started] { pass_back(started); });
  }
}

void FlippingProxy::pass_there(const Pipe& pipe) {
  while (pass_message(pipe))
    continue;
  ::shutdown(pipe.receiver.get(), SHUT_WR);
}

bool FlippingProxy::pass_message(const Pipe& pipe) {
  constexpr auto kStripe = static_cast<std::uint8_t>(wire::MessageType::stripe);
  std::vector<std::uint8_t> message(wire::kEnvelopeBytes);
  if (!receive_all(pipe.sender, message)) return false;
  std::uint32_t body_bytes = 0;  // little-endian, as this machine
  std::memcpy(&body_bytes, message.data() + 4, sizeof body_bytes);
  message.resize(wire::kEnvelopeBytes + body_bytes);
  if (!receive_all(pipe.sender, std::span(message).subspan(wire::kEnvelopeBytes))) return false;
  record(&Recording::from_sender, message);
  if (message[0] == kStripe && (is_due_.exchange(false) || is_always_)) {
    message[wire::kStripeHeaderBytes + (message.size() - wire::kStripeHeaderBytes) / 2] ^= 0x10;
    ++flips_;
  }
  return send_all(pipe.receiver, message);
}

// A receiver sends its reason before it closes. The reason arrives first, then the end.
void FlippingProxy::pass_back(const Pipe& pipe) {
  std::array<std::uint8_t, 4096> buffer{};
  for (;;) {
    const auto count = ::recv(pipe.receiver.get(), buffer.data(), buffer.size(), 0);
    if (count <= 0) break;
    const auto bytes = std::span(buffer).first(static_cast<std::size_t>(count));
    record(&Recording::from_receiver, bytes);
    if (!send_all(pipe.sender, bytes)) break;
  }
  ::shutdown(pipe.sender.get(), SHUT_RDWR);
}

void FlippingProxy::record(std::vector<std::uint8_t> Recording::* direction,
                           std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kBytesMax = 4 << 20;  // enough for a listener, little for a long test
  MutexLock lock(mutex_);
  auto& recorded = recording_.*direction;
  if (recorded.size() + bytes.size() <= kBytesMax)
    recorded.insert(recorded.end(), bytes.begin(), bytes.end());
}

}  // namespace submix::testing
