// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/borrower.hpp"
#include "common/link/channel.hpp"
#include "common/link/link.hpp"
#include "common/link/pairing.hpp"
#include "common/media/pixels.hpp"
#include "common/stream/checked_stripe.hpp"
#include "common/wire/message.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace submix::link {

class ReceiverCore;

/// The result of a successful handshake at the receiver: an authenticated connection.
struct AdmittedPeer {
  Connection connection;
  wire::Hello hello;
  wire::Seal outgoing;
  wire::Seal incoming;
  std::string name;  ///< "198.18.0.14:40000", "process 4711 of this machine"
};

/// An IncomingLink over TCP, or over a Unix socket with the frames in shared memory.
///
/// Threads  Confined (net).
class ReceiverLink final : public Channel, public IncomingLink {
 public:
  ReceiverLink(std::shared_ptr<ReceiverCore> core, const Clock& clock, AdmittedPeer peer,
               std::shared_ptr<LinkStats> stats);

  void begin() override;
  void wake() override { Channel::wake(); }
  void leave(wire::GoodbyeReason reason, const std::string& text) override;
  void abandon() override { Channel::abandon(); }
  void tick() override;
  [[nodiscard]] const std::string& peer() const override { return peer_; }
  [[nodiscard]] const LinkPath& path() const override { return path_; }

 protected:
  Connection::Io read_input() override;
  Result<void> handle_input() override;
  void fill_output() override;
  void on_lost(const std::string& reason) override;

 private:
  [[nodiscard]] bool is_local() const { return borrower_ != nullptr; }
  [[nodiscard]] Result<void> handle_message(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> begin_stripe(std::span<const std::uint8_t> message);
  [[nodiscard]] bool take_pixels();
  [[nodiscard]] bool unpack_pixels();
  [[nodiscard]] bool copy_pixels();
  [[nodiscard]] std::span<std::uint8_t> place();
  void count_placed(std::size_t bytes);
  [[nodiscard]] Result<void> put_checked();
  [[nodiscard]] Result<void> refuse_damaged(std::uint64_t found);
  [[nodiscard]] Result<void> handle_local(wire::MessageType type,
                                          std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> take_loan(std::span<const std::uint8_t> message);

  const std::shared_ptr<ReceiverCore> core_;
  const std::size_t index_;
  const std::unique_ptr<Borrower> borrower_;              // null: not a local link
  const std::unique_ptr<stream::CheckedStripe> checked_;  // null: stripes have no checksums
  const bool is_rgb24_;
  const media::Stores stores_;
  std::string peer_;
  LinkPath path_;
  wire::Ack last_ack_;
  std::size_t odd_bytes_ = 0;   // RGB24 only: received bytes of an incomplete pixel
  std::uint64_t pong_due_ = 0;  // token of a pong to send; 0: none
  int silent_ticks_ = 0;
};

}  // namespace submix::link
