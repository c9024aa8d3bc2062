// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/cards/pairing.hpp"
#include "common/link/channel.hpp"
#include "common/link/link.hpp"
#include "common/link/net_context.hpp"
#include "common/wire/ephemeral_key.hpp"
#include "common/wire/message.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace submix::link {

/// The part of an OutgoingLink that does not depend on its transport: the handshake, pings,
/// acknowledgements and the end. TcpSenderLink sends stripes, LocalSenderLink lends frames.
///
/// Threads  Confined (net).
/// Owner    Its LinkOwner, which makes a new link for each attempt to connect.
class SenderLink : public Channel, public OutgoingLink {
 public:
  void wake() override { Channel::wake(); }
  void leave(wire::GoodbyeReason reason, const std::string& text) override;
  void abandon() override;
  /// Checks the deadlines of connecting and greeting, measures and sends pings.
  void tick() override;
  [[nodiscard]] bool is_open() const override { return state_ == State::open && !is_closed(); }
  [[nodiscard]] const wire::Key& show_key() const override { return show_key_; }
  [[nodiscard]] int silent_ticks() const override { return silent_ticks_; }
  void give_up_silent() override;

 protected:
  /// `out_bytes`: size of the output buffer.
  SenderLink(NetContext& context, OutgoingLinkSetup setup, std::size_t out_bytes);

  Result<void> handle_input() override;
  void fill_output() override;
  void on_lost(const std::string& reason) override;

  /// Of each stripe, as the Hello announces it.
  [[nodiscard]] virtual Protection protection() const { return Protection::none; }
  /// The receiver has proved the show's key. An error loses the link.
  [[nodiscard]] virtual Result<void> begin_session(const wire::Key& /*session*/) { return {}; }
  /// Why there was no answer before the deadline, for people.
  [[nodiscard]] virtual std::string no_answer() const { return "no answer"; }
  /// Encodes the next stripe or frames behind the control messages. An error loses the link.
  [[nodiscard]] virtual Result<void> put_frames() = 0;
  /// Called once in kTick while the link is open. Returns whether sent bytes have made progress.
  [[nodiscard]] virtual bool measure() { return false; }

  /// Begins the handshake on a connected socket.
  void greet();

  NetContext& context_;
  const std::shared_ptr<LinkOwner> owner_;
  const std::size_t index_;
  const LinkPath path_;

 private:
  enum class State { connecting, greeting, open };

  void put_hello();
  [[nodiscard]] Result<void> handle_answer(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> handle_message(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> handle_pong(std::span<const std::uint8_t> message);
  void ping();
  void forget_round_trip();

  State state_ = State::connecting;
  int ticks_in_state_ = 0;
  const std::string receiver_;  // its node
  wire::Key show_key_{};        // of the Hello: the context's may change meanwhile
  wire::Key key_{};             // the same, as the receiver's node expects it
  std::optional<wire::EphemeralKey> ephemeral_key_;  // during the handshake
  std::vector<std::uint8_t> hello_;  // as sent, since proofs and keys depend on its bytes
  int silent_ticks_ = 0;
  bool has_heard_ = false;
  bool is_ping_due_ = false;
  bool is_ping_out_ = false;
  std::uint64_t pong_due_ = 0;  // token of a pong to send; 0: none
  LinkLoss loss_;               // the receiver's last words before the end
};

}  // namespace submix::link
