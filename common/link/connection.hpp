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

/// A connected, non-blocking TCP or Unix socket with a buffer of fixed size for each direction; large pieces
/// of TCP's may go past the buffers.
///
/// Threads  Confined (net).
/// Cost     One system call for each send() and receive(); no allocation.
class Connection {
 public:
  enum class Io { done, would_block, closed };

  Connection(StreamSocket socket, std::size_t in_bytes, std::size_t out_bytes);

  /// Larger buffers; what is in them stays.
  void enlarge(std::size_t in_bytes, std::size_t out_bytes);

  /// Free room behind what is to be sent; commit() says how much of it was filled.
  [[nodiscard]] std::span<std::uint8_t> room() { return std::span(out_).subspan(out_end_); }
  void commit(std::size_t bytes) { out_end_ += bytes; }
  /// Sends `tail` behind what is in the buffer, from where it lies; it must stay there until has_output() is
  /// false. Until then commit() only after keep_tail().
  void attach(std::span<const std::uint8_t> tail) { tail_ = tail; }
  /// Copies what is unsent of the tail into the buffer.
  void keep_tail();
  [[nodiscard]] bool has_output() const { return out_begin_ < out_end_ || !tail_.empty(); }
  /// Sends as much as the kernel takes; done: all of it.
  [[nodiscard]] Io send();

  [[nodiscard]] std::span<const std::uint8_t> input() const {
    return std::span(in_).subspan(in_begin_, in_end_ - in_begin_);
  }
  void consume(std::size_t bytes) { in_begin_ += bytes; }
  /// Reads what is there, as far as the buffer goes; `is_drained` afterwards: there was no more.
  [[nodiscard]] Io receive() { return receive_at({}, in_.size()); }
  /// The same, but the first bytes go to `place`, and at most `bytes_max` behind them into the buffer, which
  /// is empty where there is a place.
  [[nodiscard]] Io receive_at(std::span<std::uint8_t> place, std::size_t bytes_max);
  [[nodiscard]] std::size_t placed_bytes() const {
    return placed_bytes_;
  }  ///< by the last receive_at()
  [[nodiscard]] bool is_drained() const { return is_drained_; }

  /// Whether it is a Unix socket, which carries descriptors, too.
  [[nodiscard]] bool is_local() const { return is_local_; }
  void set_local() { is_local_ = true; }
  /// Goes with the next byte that is sent; at most kDescriptorsMax wait at a time.
  void pass(Descriptor descriptor) { outgoing_.push_back(std::move(descriptor)); }
  [[nodiscard]] std::size_t descriptors_waiting() const { return outgoing_.size(); }
  /// The oldest that has come and was not taken yet; none: an invalid one.
  [[nodiscard]] Descriptor take_descriptor();

  /// Closes in order: nothing unread is left, for the kernel would then tell the peer of a fault.
  void close();
  /// Bytes that TCP has not yet had acknowledged.
  [[nodiscard]] std::size_t queued_bytes();
  /// Bytes of these that have not even left.
  [[nodiscard]] std::size_t unsent_bytes();
  /// Bytes that are still to be handed to the kernel.
  [[nodiscard]] std::size_t output_bytes() const { return out_end_ - out_begin_ + tail_.size(); }
  /// Bytes handed to the kernel.
  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }
  [[nodiscard]] std::uint64_t bytes_received() const { return bytes_received_; }
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] StreamSocket& socket() { return socket_; }

 private:
  [[nodiscard]] std::size_t ask(unsigned long request);
  [[nodiscard]] Io failed(const boost::system::error_code& error);
  using OutParts = std::array<asio::const_buffer, 2>;   // of the buffer, of the tail
  using InParts = std::array<asio::mutable_buffer, 2>;  // the place, of the buffer

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

/// From how few unsent bytes on the socket counts as writable.
void set_not_sent_low_water(int descriptor, int bytes);

/// Options of a data socket, before it connects or listens: buffers are negotiated then.
void set_stream_options(int descriptor);

/// "198.18.0.1:40000", "[fd00::1]:40000"
[[nodiscard]] std::string to_text(const tcp::endpoint& endpoint);

/// Of a socket that may be of any kind; empty: it is none of TCP's.
[[nodiscard]] std::optional<tcp::endpoint> tcp_endpoint(
    const StreamSocket::endpoint_type& endpoint);
/// The same text; "?" where it is none of TCP's.
[[nodiscard]] std::string to_text(const StreamSocket::endpoint_type& endpoint);

}  // namespace submix::link
