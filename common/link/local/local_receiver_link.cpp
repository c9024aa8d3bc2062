// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/local/local_receiver_link.hpp"

#include "common/link/receiver_core.hpp"
#include "common/media/pixels.hpp"

#include <atomic>
#include <string>
#include <utility>

namespace submix::link {
namespace {

constexpr std::size_t kLocalInBytes = 16 * wire::kControlBytesMax;

}  // namespace

LocalReceiverLink::LocalReceiverLink(std::shared_ptr<ReceiverCore> core, const Clock& clock,
                                     AdmittedPeer peer, std::shared_ptr<LinkStats> stats)
    : ReceiverLink(std::move(core), clock, std::move(peer), std::move(stats)),
      borrower_(core_->options().size) {
  connection_.enlarge(kLocalInBytes, 4 * wire::kControlBytesMax);
  stats_->set_ends(std::string(telemetry::kSharedMemory), peer_name_);
  path_.local_socket = peer_name_;
}

Result<void> LocalReceiverLink::handle_frame_message(wire::MessageType type,
                                                     std::span<const std::uint8_t> message) {
  switch (type) {
    case wire::MessageType::stripe:
      return fail("a stripe on a local link");
    case wire::MessageType::loan:
      return take_loan(message);
    case wire::MessageType::terms:
      return take_terms(message);
    case wire::MessageType::memory:
      return take_memory(message);
    case wire::MessageType::forget:
      return forget_memory(message);
    default:
      return fail("message type {} is not for a receiver", static_cast<int>(type));
  }
}

Result<void> LocalReceiverLink::take_terms(std::span<const std::uint8_t> message) {
  const auto terms = wire::decode_terms(message);
  if (terms) core_->set_frames_lent(terms->frames_lent);
  auto returns = connection_.take_descriptor();
  SUBMIX_TRY(terms);
  return borrower_.take(*terms, std::move(returns));
}

Result<void> LocalReceiverLink::take_memory(std::span<const std::uint8_t> message) {
  const auto memory = wire::decode_memory(message);
  auto descriptor = connection_.take_descriptor();
  SUBMIX_TRY(memory);
  return borrower_.take(*memory, std::move(descriptor));
}

Result<void> LocalReceiverLink::forget_memory(std::span<const std::uint8_t> message) {
  const auto forget = wire::decode_forget(message);
  SUBMIX_TRY(forget);
  return borrower_.take(*forget);
}

Result<void> LocalReceiverLink::take_loan(std::span<const std::uint8_t> message) {
  const auto decoded = wire::decode_loan(message);
  SUBMIX_TRY(decoded);
  auto loan = borrower_.loan_of(*decoded, clock_.now());
  SUBMIX_TRY(loan);
  stats_->stripes.fetch_add(1, std::memory_order_relaxed);
  stats_->bytes.fetch_add(core_->options().size.pixels() * media::kBytesPerRgbaPixel,
                          std::memory_order_relaxed);
  return core_->put_whole(std::move(*loan));
}

}  // namespace submix::link
