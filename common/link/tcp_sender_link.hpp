// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/operation_memory.hpp"
#include "common/link/sender_link.hpp"
#include "common/link/tcp_info.hpp"
#include "common/media/frame.hpp"
#include "common/stream/striper.hpp"
#include "common/wire/pixel_cipher.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace submix::link {

/// An OutgoingLink over TCP: pulls stripes and sends their pixels.
///
/// Threads  Confined (net).
class TcpSenderLink final : public SenderLink {
 public:
  TcpSenderLink(NetContext& context, OutgoingLinkSetup setup);

  void connect() override;
  [[nodiscard]] stream::LinkBacklog backlog() override;

 protected:
  [[nodiscard]] Protection protection() const override { return protection_; }
  [[nodiscard]] Result<void> begin_session(const wire::Key& session) override;
  [[nodiscard]] std::string no_answer() const override;
  [[nodiscard]] Result<void> put_frames() override;
  [[nodiscard]] bool measure() override;

 private:
  [[nodiscard]] Result<void> open_socket();
  [[nodiscard]] std::string explain_silence() const;
  [[nodiscard]] std::string describe(const boost::system::error_code& error) const;
  void on_connected();
  [[nodiscard]] std::span<const std::uint8_t> wire_pixels(const stream::Stripe& stripe);
  [[nodiscard]] std::span<const std::uint8_t> encrypt(wire::StripeHeader& header,
                                                      std::span<const std::uint8_t> pixels);
  void follow_rate();
  void follow_tcp();

  const Protection protection_;              // as the Hello announces it
  std::optional<wire::PixelCipher> cipher_;  // empty: stripes are not encrypted
  TcpInfo tcp_;
  std::uint64_t acknowledged_bytes_ = 0;  // acknowledged by TCP at the last tick
  int not_sent_low_water_ = 0;            // bytes; as set on the socket
  media::Frame frame_being_sent_;         // the frame that is being sent from its own memory
  OperationMemory connect_memory_;
};

}  // namespace submix::link
