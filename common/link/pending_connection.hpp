// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/channel.hpp"
#include "common/link/net_context.hpp"
#include "common/link/receiver_link.hpp"
#include "common/wire/ephemeral_key.hpp"

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

/// A connection during its handshake: a Hello, a Welcome or a Refusal in reply, and a Proof. All of
/// it must take no more than kHandshakeTimeout and a few KiB. A successful connection becomes a
/// link of the stream that the Hello names.
///
/// Threads  Confined (net).
/// Errors   Any error closes the connection and causes one event, limited in rate. Nothing else
///          notices.
class PendingConnection final : public Channel {
 public:
  PendingConnection(std::shared_ptr<NetContext> context, tcp::socket socket);
  /// From a process of this machine.
  PendingConnection(std::shared_ptr<NetContext> context,
                    asio::local::stream_protocol::socket socket, pid_t process);

  void begin();
  /// Whether its Hello was welcomed. With a key for the show, that Hello was signed.
  [[nodiscard]] bool has_greeted() const { return hello_.has_value(); }
  /// Closes without an event: the connection gives way, or the data plane ends.
  void close_quietly();

 protected:
  Result<void> handle_input() override;
  void on_lost(const std::string& reason) override;

 private:
  [[nodiscard]] Result<void> handle_hello(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> handle_proof(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<AdmittedPeer> begin_session();
  [[nodiscard]] Result<void> refuse(wire::RefusalCode code, const std::string& text);
  [[nodiscard]] std::optional<wire::Refusal> objection(std::span<const std::uint8_t> message) const;

  const std::shared_ptr<NetContext> context_;
  asio::steady_timer timer_;
  std::string peer_;
  // refused without fault: the stream, or its format, is not ready here yet
  bool is_expected_ = false;
  std::optional<wire::Hello> hello_;
  wire::Key show_key_{};  // by which the Hello is signed
  wire::Key key_{};       // the same, as the sender's node has it
  std::optional<wire::EphemeralKey> ephemeral_key_;
  std::vector<std::uint8_t> hello_bytes_;  // both messages as bytes: proofs and keys depend on them
  std::vector<std::uint8_t> welcome_bytes_;
};

}  // namespace submix::link
