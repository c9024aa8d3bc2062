// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/channel.hpp"
#include "common/link/lender.hpp"
#include "common/link/link.hpp"
#include "common/link/net_context.hpp"
#include "common/link/pairing.hpp"
#include "common/link/tcp_info.hpp"
#include "common/media/frame.hpp"
#include "common/stream/striper.hpp"
#include "common/wire/message.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace submix::link {

/// An OutgoingLink over TCP, or over a Unix socket with the frames in shared memory.
///
/// Threads  Confined (net).
/// Owner    Its LinkOwner, which makes a new link for each attempt to connect.
class SenderLink final : public Channel, public OutgoingLink {
 public:
  SenderLink(NetContext& context, std::shared_ptr<LinkOwner> owner, std::size_t index,
             LinkPath path, std::shared_ptr<LinkStats> stats);

  void connect() override;
  void wake() override { Channel::wake(); }
  void leave(wire::GoodbyeReason reason, const std::string& text) override;
  void abandon() override;
  /// Checks the deadlines of connecting and greeting, sends pings and measures the queue.
  void tick() override;
  [[nodiscard]] bool is_open() const override { return state_ == State::open && !is_closed(); }
  [[nodiscard]] int silent_ticks() const override { return silent_ticks_; }
  void give_up_silent() override;
  [[nodiscard]] stream::LinkBacklog backlog() override;

 protected:
  Result<void> handle_input() override;
  void fill_output() override;
  void on_lost(const std::string& reason) override;

 private:
  enum class State { connecting, greeting, open };

  [[nodiscard]] Result<void> open_socket();
  [[nodiscard]] Result<void> open_local();
  void connect_locally();
  [[nodiscard]] std::string explain_silence() const;
  [[nodiscard]] std::string describe(const boost::system::error_code& error) const;
  void on_connected();
  void greet();
  [[nodiscard]] Result<void> handle_answer(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> handle_message(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> handle_pong(std::span<const std::uint8_t> message);
  void put_stripe();
  [[nodiscard]] std::span<const std::uint8_t> packed_pixels(const stream::Stripe& stripe);
  [[nodiscard]] Result<void> put_loans();
  [[nodiscard]] Result<void> put_loan(const wire::StripeHeader& header,
                                      const Lender::LentFrame& lent);
  void follow_rate();
  void tick_local();
  void follow_tcp();
  void forget_round_trip();
  void ping();

  NetContext& context_;
  const std::shared_ptr<LinkOwner> owner_;
  const std::size_t index_;
  const LinkPath path_;
  State state_ = State::connecting;
  std::vector<std::uint8_t> hello_;  // as sent, since proofs and keys depend on its bytes
  int ticks_in_state_ = 0;
  TcpInfo tcp_;
  int silent_ticks_ = 0;
  bool has_heard_ = false;
  std::uint64_t acknowledged_bytes_ = 0;  // acknowledged by TCP at the last tick
  int not_sent_low_water_ = 0;            // bytes; as set on the socket
  media::Frame frame_being_sent_;         // the RGB24 frame that is being sent from its own memory
  bool is_ping_due_ = false;
  bool is_ping_out_ = false;
  std::uint64_t pong_due_ = 0;  // token of a pong to send; 0: none
  OperationMemory connect_memory_;
  LinkLoss loss_;                   // what the receiver said before it closed
  std::unique_ptr<Lender> lender_;  // of a connected local link
};

}  // namespace submix::link
