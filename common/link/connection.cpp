// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/connection.hpp"

#include "common/base/assert.hpp"
#include "common/base/host_port.hpp"
#include "common/link/local/local_socket.hpp"
#include "common/link/timing.hpp"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace submix::link {

Connection::Connection(StreamSocket socket, std::size_t in_bytes, std::size_t out_bytes)
    : socket_(std::move(socket)), in_(in_bytes), out_(out_bytes) {}

void Connection::enlarge(std::size_t in_bytes, std::size_t out_bytes) {
  in_.resize(std::max(in_.size(), in_bytes));
  out_.resize(std::max(out_.size(), out_bytes));
}

Connection::Io Connection::failed(const boost::system::error_code& error) {
  if (error == asio::error::would_block || error == asio::error::try_again) return Io::would_block;
  error_ = error == asio::error::eof ? "the peer closed the connection" : error.message();
  return Io::closed;
}

void Connection::keep_tail() {
  const auto tail = std::exchange(tail_, {});
  SUBMIX_ASSERT(tail.size() <= room().size());
  std::copy(tail.begin(), tail.end(), room().begin());
  commit(tail.size());
}

Connection::Io Connection::send() {
  while (has_output()) {
    const OutParts parts{asio::buffer(out_.data() + out_begin_, out_end_ - out_begin_),
                         asio::buffer(tail_.data(), tail_.size())};
    boost::system::error_code error;
    const auto sent = write(parts, error);
    if (error) return failed(error);
    const auto of_buffer = std::min(sent, out_end_ - out_begin_);
    out_begin_ += of_buffer;
    tail_ = tail_.subspan(sent - of_buffer);
    bytes_sent_ += sent;
  }
  out_begin_ = out_end_ = 0;
  return Io::done;
}

Connection::Io Connection::receive_at(std::span<std::uint8_t> place, std::size_t bytes_max) {
  // The rest is less than a message, because pixels are consumed as they come.
  std::copy(in_.begin() + static_cast<std::ptrdiff_t>(in_begin_),
            in_.begin() + static_cast<std::ptrdiff_t>(in_end_), in_.begin());
  in_end_ -= in_begin_;
  in_begin_ = 0;
  const auto room = std::min(in_.size() - in_end_, bytes_max);
  SUBMIX_ASSERT(room > 0 && (place.empty() || in_end_ == 0));
  const InParts parts{asio::buffer(place.data(), place.size()),
                      asio::buffer(in_.data() + in_end_, room)};
  boost::system::error_code error;
  const auto received = read(parts, error);
  placed_bytes_ = std::min(received, place.size());
  is_drained_ = error || received < place.size() + room;
  if (error) return failed(error);
  in_end_ += received - placed_bytes_;
  bytes_received_ += received;
  return Io::done;
}

// Descriptors go with control messages only, which have no tail.
std::size_t Connection::write(const OutParts& parts, boost::system::error_code& error) {
  if (outgoing_.empty()) return socket_.write_some(parts, error);
  const auto bytes = std::span(out_).subspan(out_begin_, out_end_ - out_begin_);
  const auto sent = send_with(socket_.native_handle(), bytes, outgoing_);
  if (sent < 0) {
    error.assign(errno, boost::system::system_category());
    return 0;
  }
  outgoing_.clear();
  return static_cast<std::size_t>(sent);
}

// Bytes from a Unix socket always go to the buffer.
std::size_t Connection::read(const InParts& parts, boost::system::error_code& error) {
  if (!is_local_) return socket_.read_some(parts, error);
  const std::span room(static_cast<std::uint8_t*>(parts[1].data()), parts[1].size());
  const auto received = receive_with(socket_.native_handle(), room, incoming_);
  if (received > 0 && incoming_.size() <= kDescriptorsMax)
    return static_cast<std::size_t>(received);
  if (received == 0) {
    error = asio::error::eof;
  } else {
    error.assign(received > 0 ? E2BIG : errno, boost::system::system_category());
  }
  return 0;
}

Descriptor Connection::take_descriptor() {
  if (incoming_.empty()) return Descriptor();
  auto oldest = std::move(incoming_.front());
  incoming_.erase(incoming_.begin());
  return oldest;
}

void Connection::close() {
  boost::system::error_code ignored;
  for (int i = 0; i < 16 && socket_.is_open(); ++i) {
    if (socket_.read_some(asio::buffer(in_), ignored) == 0) break;
  }
  socket_.close(ignored);
}

std::size_t Connection::ask(unsigned long request) {
  int bytes = 0;
  if (!socket_.is_open() || ::ioctl(socket_.native_handle(), request, &bytes) != 0) return 0;
  return static_cast<std::size_t>(std::max(bytes, 0));
}

std::size_t Connection::queued_bytes() {
  return ask(SIOCOUTQ);
}

std::size_t Connection::unsent_bytes() {
  return ask(SIOCOUTQNSD);
}

void set_not_sent_low_water(int descriptor, int bytes) {
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}

void set_stream_options(int descriptor) {
  // Acknowledgements are small and must not wait.
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  // SO_SNDBUF stays automatic, because fixed sizes cost up to a third on fast links. This limit
  // bounds the queue instead.
  set_not_sent_low_water(descriptor, kNotSentBytesFirst);
  // SO_RCVBUF also stays automatic: fixed sizes reach 0.67 to 1.03 of the automatic rate.
  // No MSG_ZEROCOPY: over loopback and veth the kernel copies anyway, at 0.55 of the rate. A real
  // card may gain; none was available to measure.
  // No TCP_USER_TIMEOUT: it ends the link of a receiver that merely pauses. Pings detect dead
  // links.
}

std::string to_text(const tcp::endpoint& endpoint) {
  return to_string(HostPort{endpoint.address().to_string(), endpoint.port()});
}

std::optional<tcp::endpoint> tcp_endpoint(const StreamSocket::endpoint_type& endpoint) {
  const auto family = endpoint.protocol().family();
  tcp::endpoint result;
  if ((family != AF_INET && family != AF_INET6) || endpoint.size() > result.capacity())
    return std::nullopt;
  std::memcpy(result.data(), endpoint.data(), endpoint.size());
  result.resize(endpoint.size());
  return result;
}

std::string to_text(const StreamSocket::endpoint_type& endpoint) {
  const auto known = tcp_endpoint(endpoint);
  return known ? to_text(*known) : "?";
}

}  // namespace submix::link
