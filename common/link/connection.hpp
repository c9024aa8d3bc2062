// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace submix::link {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using StreamSocket = asio::generic::stream_protocol::socket;

/// A connected, non-blocking TCP or Unix socket with a buffer of fixed size for each direction.
/// Large pieces may bypass the buffers on TCP.
///
/// Threads  Confined (net).
/// Cost     One system call for each send() and receive(); no allocation.
class Connection {
 public:
  enum class Io { done, would_block, closed };

  Connection(StreamSocket socket, std::size_t in_bytes, std::size_t out_bytes);

  /// Makes the buffers larger; their content stays.
  void enlarge(std::size_t in_bytes, std::size_t out_bytes);

  /// Free space behind the unsent bytes. After writing into it, commit() the number of bytes
  /// written.
  [[nodiscard]] std::span<std::uint8_t> room() { return std::span(out_).subspan(out_end_); }
  void commit(std::size_t bytes) { out_end_ += bytes; }
  /// Sends `tail` after the buffered bytes, without copying it. `tail` must stay valid until
  /// has_output() is false. Until then call keep_tail() before commit().
  void attach(std::span<const std::uint8_t> tail) { tail_ = tail; }
  /// Copies the unsent part of the tail into the buffer.
  void keep_tail();
  [[nodiscard]] bool has_output() const { return out_begin_ < out_end_ || !tail_.empty(); }
  /// Sends as much as the kernel takes. done: all bytes were taken.
  [[nodiscard]] Io send();

  [[nodiscard]] std::span<const std::uint8_t> input() const {
    return std::span(in_).subspan(in_begin_, in_end_ - in_begin_);
  }
  void consume(std::size_t bytes) { in_begin_ += bytes; }
  /// Reads the available bytes, as far as the buffer has space. is_drained() afterwards: there were
  /// no more.
  [[nodiscard]] Io receive() { return receive_at({}, in_.size()); }
  /// The same, but the first bytes go to `place`, and at most `bytes_max` bytes after them to the
  /// buffer. The buffer must be empty unless `place` is empty.
  [[nodiscard]] Io receive_at(std::span<std::uint8_t> place, std::size_t bytes_max);
  [[nodiscard]] std::size_t placed_bytes() const {
    return placed_bytes_;
  }  ///< by the last receive_at()
  [[nodiscard]] bool is_drained() const { return is_drained_; }

  /// Whether the socket is a Unix socket, which can also carry descriptors.
  [[nodiscard]] bool is_local() const { return is_local_; }
  void set_local() { is_local_ = true; }
  /// Sends the descriptor with the next byte. At most kDescriptorsMax may wait at a time.
  void pass(Descriptor descriptor) { outgoing_.push_back(std::move(descriptor)); }
  [[nodiscard]] std::size_t descriptors_waiting() const { return outgoing_.size(); }
  /// The oldest received descriptor not taken yet; invalid when none is left.
  [[nodiscard]] Descriptor take_descriptor();

  /// Closes in order. Unread bytes are read first, because the kernel would otherwise reset the
  /// connection.
  void close();
  /// Bytes in the kernel that the peer's TCP has not acknowledged.
  [[nodiscard]] std::size_t queued_bytes();
  /// The part of queued_bytes() that has not left this machine.
  [[nodiscard]] std::size_t unsent_bytes();
  /// Bytes not yet handed to the kernel.
  [[nodiscard]] std::size_t output_bytes() const { return out_end_ - out_begin_ + tail_.size(); }
  /// Total of bytes handed to the kernel.
  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }
  [[nodiscard]] std::uint64_t bytes_received() const { return bytes_received_; }
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] StreamSocket& socket() { return socket_; }

 private:
  [[nodiscard]] std::size_t ask(unsigned long request);
  [[nodiscard]] Io failed(const boost::system::error_code& error);
  using OutParts = std::array<asio::const_buffer, 2>;   // part of the buffer, part of the tail
  using InParts = std::array<asio::mutable_buffer, 2>;  // part of the place, part of the buffer

  [[nodiscard]] std::size_t write(const OutParts& parts, boost::system::error_code& error);
  [[nodiscard]] std::size_t read(const InParts& parts, boost::system::error_code& error);

  StreamSocket socket_;
  bool is_local_ = false;
  std::vector<Descriptor> outgoing_;
  std::vector<Descriptor> incoming_;
  std::vector<std::uint8_t> in_;
  std::vector<std::uint8_t> out_;
  std::size_t in_begin_ = 0;
  std::size_t in_end_ = 0;
  std::size_t out_begin_ = 0;
  std::size_t out_end_ = 0;
  std::span<const std::uint8_t> tail_;
  std::size_t placed_bytes_ = 0;
  bool is_drained_ = false;
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t bytes_received_ = 0;
  std::string error_;
};

/// Sets the number of unsent bytes below which the socket counts as writable.
void set_not_sent_low_water(int descriptor, int bytes);

/// Sets the options of a data socket. Call it before the socket connects or listens, because TCP
/// negotiates buffers then.
void set_stream_options(int descriptor);

/// "198.18.0.1:40000", "[fd00::1]:40000"
[[nodiscard]] std::string to_text(const tcp::endpoint& endpoint);

/// The TCP endpoint of a socket of any kind; empty when the socket is not a TCP socket.
[[nodiscard]] std::optional<tcp::endpoint> tcp_endpoint(
    const StreamSocket::endpoint_type& endpoint);
/// The same as text; "?" when the socket is not a TCP socket.
[[nodiscard]] std::string to_text(const StreamSocket::endpoint_type& endpoint);

}  // namespace submix::link
