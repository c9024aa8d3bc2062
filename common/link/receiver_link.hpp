// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/cards/pairing.hpp"
#include "common/link/channel.hpp"
#include "common/link/link.hpp"
#include "common/wire/message.hpp"
#include "common/wire/pixel_cipher.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace submix::link {

class ReceiverCore;

/// The result of a successful handshake at the receiver: an authenticated connection.
struct AdmittedPeer {
  Connection connection;
  wire::Hello hello;
  wire::Key show_key;
  wire::Seal outgoing;
  wire::Seal incoming;
  std::optional<wire::PixelCipher> cipher;  ///< empty: its stripes are not encrypted
  std::string name;                         ///< "198.18.0.14:40000", "process 4711 of this machine"
};

/// The part of an IncomingLink that does not depend on its transport: pings, acknowledgements and
/// the end. TcpReceiverLink receives stripes, LocalReceiverLink borrows frames.
///
/// Threads  Confined (net).
class ReceiverLink : public Channel, public IncomingLink {
 public:
  void wake() override { Channel::wake(); }
  void leave(wire::GoodbyeReason reason, const std::string& text) override;
  void abandon() override { Channel::abandon(); }
  void tick() override;
  [[nodiscard]] const std::string& peer() const override { return peer_; }
  [[nodiscard]] const LinkPath& path() const override { return path_; }
  [[nodiscard]] const wire::Key& show_key() const override { return show_key_; }

 protected:
  /// Progress of the pixels behind a stripe's header.
  enum class PixelStep { none_due, taken, incomplete };

  ReceiverLink(std::shared_ptr<ReceiverCore> core, const Clock& clock, AdmittedPeer peer,
               std::shared_ptr<LinkStats> stats);

  Result<void> handle_input() override;
  void fill_output() override;
  void on_lost(const std::string& reason) override;

  /// Consumes pixels that are due before the next message.
  [[nodiscard]] virtual Result<PixelStep> take_pixels() { return PixelStep::none_due; }
  /// Handles a message that depends on the transport.
  [[nodiscard]] virtual Result<void> handle_frame_message(
      wire::MessageType type, std::span<const std::uint8_t> message) = 0;

  const std::shared_ptr<ReceiverCore> core_;
  const std::size_t index_;
  const Protection protection_;              // of each stripe, as the Hello announced
  const PixelFormat format_;                 // of each stripe, as the Hello announced
  std::optional<wire::PixelCipher> cipher_;  // empty: stripes are not encrypted
  const std::string peer_name_;              // see AdmittedPeer::name
  LinkPath path_;

 private:
  [[nodiscard]] Result<void> handle_message(std::span<const std::uint8_t> message);

  const std::string peer_;
  const wire::Key show_key_;
  wire::Ack last_ack_;
  std::uint64_t pong_due_ = 0;  // token of a pong to send; 0: none
  int silent_ticks_ = 0;
};

}  // namespace submix::link
