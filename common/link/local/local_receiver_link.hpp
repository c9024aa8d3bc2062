// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/local/borrower.hpp"
#include "common/link/receiver_link.hpp"
#include "common/wire/message.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace submix::link {

/// An IncomingLink from a process of this machine, over a Unix socket. Frames are borrowed from the
/// sender's shared memory.
///
/// Threads  Confined (net).
class LocalReceiverLink final : public ReceiverLink {
 public:
  LocalReceiverLink(std::shared_ptr<ReceiverCore> core, const Clock& clock, AdmittedPeer peer,
                    std::shared_ptr<LinkStats> stats);

  void begin() override { start(); }

 protected:
  [[nodiscard]] Result<void> handle_frame_message(wire::MessageType type,
                                                  std::span<const std::uint8_t> message) override;

 private:
  [[nodiscard]] Result<void> take_terms(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> take_memory(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> forget_memory(std::span<const std::uint8_t> message);
  [[nodiscard]] Result<void> take_loan(std::span<const std::uint8_t> message);

  Borrower borrower_;
};

}  // namespace submix::link
