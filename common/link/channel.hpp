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

/// A connection that reads and writes messages as the socket allows: what the two ends of a link, and a
/// stranger at the door, have in common.
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

  /// There may be something to write.
  void wake();
  /// No more calls of the functions below.
  void close();
  /// close(), and the kernel forgets what it has not sent.
  void abandon();
  [[nodiscard]] bool is_closed() const { return is_closed_; }

 protected:
  /// Reads once.
  [[nodiscard]] virtual Connection::Io read_input() { return connection_.receive(); }
  /// Consumes what it can of the connection's input. A failure loses the channel.
  [[nodiscard]] virtual Result<void> handle_input() = 0;
  /// Puts what there is to send; called only with nothing unsent.
  virtual void fill_output() {}
  /// The channel was lost, and is closed, for a reason that people understand.
  virtual void on_lost(const std::string& reason) = 0;

  /// Begins to read and write on a connected socket.
  void start();
  void lose(const std::string& reason);
  /// Gives the connection away, without any pending operation, from within handle_input().
  [[nodiscard]] Connection release();

  /// This machine's monotonic clock, as pings and acknowledgements tell it; never 0.
  [[nodiscard]] std::chrono::nanoseconds own_clock() const {
    return clock_.now().time_since_epoch();
  }

  /// A whole message, or a stripe's whole header, at the start of the input; empty: more must come.
  [[nodiscard]] Result<std::span<const std::uint8_t>> next_message() const;
  /// Encodes behind what is unsent; later messages are sealed.
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
  void hear_last_words();
  void on_readable();
  void wait_readable();
  void wait_writable();
  void post_turn();
  void enter(LinkActivity activity);

  bool is_closed_ = false;
  bool is_waiting_to_write_ = false;  // for the socket, or for its turn
  bool is_handling_ = false;
  std::string write_error_;  // empty: none
  OperationMemory read_memory_;
  OperationMemory write_memory_;
};

}  // namespace submix::link
