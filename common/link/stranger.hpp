// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/channel.hpp"
#include "common/link/net_context.hpp"

#include <sys/types.h>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::link {

/// A connection that has yet to prove itself: a Hello, our Welcome or Refusal, a Proof, all within
/// kHandshakeTimeout and a few KiB. Then its connection becomes a link of the stream that it named.
///
/// Threads  Confined (net).
/// Errors   Whatever is wrong: one event, limited in rate, and closed; nothing else notices.
class Stranger final : public Channel {
 public:
  Stranger(std::shared_ptr<NetContext> context, tcp::socket socket);
  /// From a process of this machine.
  Stranger(std::shared_ptr<NetContext> context, asio::local::stream_protocol::socket socket,
           pid_t process);

  void begin();
  /// Whether it has sent a Hello that was welcomed: signed with the show's key, where there is one.
  [[nodiscard]] bool has_greeted() const { return hello_.has_value(); }
  /// Without a word: the data plane ends.
  void send_away();

 protected:
  Result<void> handle_input() override;
  void on_lost(const std::string& reason) override;

 private:
  [[nodiscard]] Result<void> handle_hello(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> handle_proof(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> refuse(wire::RefusalCode code, const std::string& text);
  [[nodiscard]] std::optional<wire::Refusal> objection(std::span<const std::uint8_t> message) const;

  const std::shared_ptr<NetContext> context_;
  asio::steady_timer timer_;
  std::string peer_;
  bool is_expected_ =
      false;  // refused for what is no fault: a stream, or its format, is not there yet
  std::optional<wire::Hello> hello_;
  std::vector<std::uint8_t> hello_bytes_;  // as received, and as sent: proofs and keys cover them
  std::vector<std::uint8_t> welcome_bytes_;
};

}  // namespace submix::link
