// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/local/local_sender_link.hpp"

#include "common/link/local/local_socket.hpp"

#include <fmt/format.h>

#include <atomic>
#include <string>
#include <utility>

namespace submix::link {
namespace {

// A loan has 72 bytes, so the buffer holds one for each possible credit.
constexpr std::size_t kLocalOutBytes = 16 * wire::kControlBytesMax;

}  // namespace

LocalSenderLink::LocalSenderLink(NetContext& context, OutgoingLinkSetup setup)
    : SenderLink(context, std::move(setup), kLocalOutBytes) {}

// A Unix socket connects at once or not at all.
Result<void> LocalSenderLink::open_socket() {
  auto& socket = connection_.socket();
  boost::system::error_code error;
  socket.open(asio::local::stream_protocol(), error);
  if (!error) socket.non_blocking(true, error);
  if (!error) socket.connect(abstract_endpoint(path_.local_socket), error);
  if (error) return fail("cannot connect: {}", error.message());
  const auto peer = check_peer_process(socket.native_handle());
  SUBMIX_TRY(peer);
  const auto& options = owner_->options();
  // Two more: a frame just being copied there, and a frame whose return is under way.
  auto lender =
      Lender::open(options.size, options.format, options.frames_max + options.frames_lent + 2);
  SUBMIX_TRY(lender);
  lender_ = std::move(*lender);
  connection_.set_local();
  stats_->set_ends(std::string(telemetry::kSharedMemory),
                   fmt::format("process {} of this machine", peer->process));
  return {};
}

void LocalSenderLink::connect() {
  if (auto opened = open_socket(); !opened) return lose(opened.error().message);
  owner_->keep_lent(lender_->lent());
  greet();
}

// Returned frames are collected here, because they limit further loans; otherwise once in kTick.
Result<void> LocalSenderLink::put_frames() {
  if (auto returns = lender_->take_far_returns()) {
    put_sealed(wire::Terms{static_cast<std::uint32_t>(owner_->options().frames_lent)});
    connection_.pass(std::move(returns));
  }
  while (const auto forgotten = lender_->next_forgotten())
    put_sealed(wire::Forget{*forgotten});
  while (connection_.room().size() > wire::kControlBytesMax &&
         connection_.descriptors_waiting() < kDescriptorsMax) {
    if (!lender_->lent()->has_room()) lender_->lent()->collect();
    if (!lender_->lent()->has_room()) return {};
    const auto whole = owner_->pull_whole(index_);
    if (!whole) return {};
    const auto lent = lender_->lend(whole->header.frame, whole->frame);
    SUBMIX_TRY(lent);
    if (lent->is_copy) owner_->count_copied_frame();
    if (auto put = put_loan(whole->header, *lent); !put) return put;
  }
  return {};
}

Result<void> LocalSenderLink::put_loan(const wire::StripeHeader& header,
                                       const Lender::LentFrame& lent) {
  const auto& memory = *lent.memory;
  if (lent.is_new) {
    auto descriptor = memory.open_for_reading();
    SUBMIX_TRY(descriptor);
    connection_.pass(std::move(*descriptor));
    put_sealed(wire::Memory{memory.id(), memory.size_bytes()});
  }
  put_sealed(wire::Loan{header.epoch, header.frame, header.pts, memory.id(), lent.offset_bytes});
  stats_->stripes.fetch_add(1, std::memory_order_relaxed);
  stats_->bytes.fetch_add(lent.frame.rgba().size(), std::memory_order_relaxed);
  return {};
}

}  // namespace submix::link
