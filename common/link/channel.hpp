// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/link/connection.hpp"
#include "common/link/link_stats.hpp"
#include "common/link/operation_memory.hpp"
#include "common/wire/codec.hpp"
#include "common/wire/seal.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace submix::link {

/// A connection that reads and writes messages when the socket allows it. The two ends of a link
/// and a pending connection have this in common.
///
/// Threads  Confined (net).
/// Owner    Pending operations keep it alive; close() ends them.
/// Cost     No allocation for a message.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  Channel(Connection connection, std::shared_ptr<LinkStats> stats, const Clock& clock);
  virtual ~Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Tries to write, because new output may be due.
  void wake();
  /// The virtual functions below are not called any more.
  void close();
  /// As close(); and the kernel drops its unsent bytes.
  void abandon();
  [[nodiscard]] bool is_closed() const { return is_closed_; }

 protected:
  /// Reads once.
  [[nodiscard]] virtual Connection::Io read_input() { return connection_.receive(); }
  /// Consumes the complete messages of the connection's input. An error ends the channel.
  [[nodiscard]] virtual Result<void> handle_input() = 0;
  /// Encodes the messages that are due. Called only when nothing is unsent.
  virtual void fill_output() {}
  /// The channel has failed and is closed. `reason` is for people.
  virtual void on_lost(const std::string& reason) = 0;

  /// Begins to read and write on a connected socket.
  void start();
  void lose(const std::string& reason);
  /// Hands the connection over to the caller, with no operation pending. Only within
  /// handle_input().
  [[nodiscard]] Connection release();

  /// This machine's monotonic clock, as sent in pings and acknowledgements; never 0.
  [[nodiscard]] std::chrono::nanoseconds own_clock() const {
    return clock_.now().time_since_epoch();
  }

  /// The first message of the input, or a stripe's header without its pixels. Empty while it is
  /// incomplete.
  [[nodiscard]] Result<std::span<const std::uint8_t>> next_message() const;
  /// Appends a message to the unsent bytes. After the handshake messages are sealed: put_sealed().
  template <typename Message>
  std::span<const std::uint8_t> put(const Message& message) {
    const auto room = connection_.room();
    const auto written = room.first(wire::encode(message, room));
    connection_.commit(written.size());
    return written;
  }
  template <typename Message>
  void put_sealed(const Message& message) {
    const auto room = connection_.room();
    const auto written = room.first(wire::encode(message, room));
    outgoing_.seal(written);
    connection_.commit(written.size());
  }

  Connection connection_;
  const std::shared_ptr<LinkStats> stats_;
  const Clock& clock_;
  wire::Seal outgoing_;
  wire::Seal incoming_;

 private:
  [[nodiscard]] Result<void> handle();
  void pump();
  void read_last_messages();
  void on_readable();
  void wait_readable();
  void wait_writable();
  void post_turn();
  void set_activity(LinkActivity activity);

  bool is_closed_ = false;
  bool is_waiting_to_write_ = false;  // for the socket, or for its next turn
  bool is_handling_ = false;
  std::string write_error_;  // empty: no error
  OperationMemory read_memory_;
  OperationMemory write_memory_;
};

}  // namespace submix::link
