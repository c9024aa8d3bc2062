// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/receiver_link.hpp"
#include "common/media/pixels.hpp"
#include "common/stream/checked_stripe.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace submix::link {

/// An IncomingLink over TCP: receives stripes and puts their pixels into the frame.
///
/// Threads  Confined (net).
class TcpReceiverLink final : public ReceiverLink {
 public:
  TcpReceiverLink(std::shared_ptr<ReceiverCore> core, const Clock& clock, AdmittedPeer peer,
                  std::shared_ptr<LinkStats> stats);

  void begin() override;

 protected:
  Connection::Io read_input() override;
  [[nodiscard]] Result<PixelStep> take_pixels() override;
  [[nodiscard]] Result<void> handle_frame_message(wire::MessageType type,
                                                  std::span<const std::uint8_t> message) override;

 private:
  [[nodiscard]] Result<void> begin_stripe(std::span<const std::uint8_t> message);
  [[nodiscard]] bool convert_pixels();
  [[nodiscard]] bool copy_pixels();
  [[nodiscard]] std::span<std::uint8_t> place();
  void count_placed(std::size_t bytes);
  [[nodiscard]] Result<void> put_checked();
  [[nodiscard]] Result<void> refuse_damaged(std::optional<std::uint64_t> found);

  const std::unique_ptr<stream::CheckedStripe> checked_;  // null: stripes are not protected
  const PixelFormat frame_format_;
  const bool is_same_format_;  // the stripes' and the frames'
  const media::Stores stores_;
  std::size_t odd_bytes_ = 0;  // without conversion: received bytes of an incomplete pixel
};

}  // namespace submix::link
