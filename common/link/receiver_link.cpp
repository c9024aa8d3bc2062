// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/receiver_link.hpp"

#include "common/link/receiver_core.hpp"
#include "common/link/timing.hpp"
#include "common/media/pixels.hpp"
#include "common/wire/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::link {
namespace {

constexpr std::size_t kLocalBytes = 16 * wire::kControlBytesMax;
// A stripe's header and the control messages before it.
constexpr std::size_t kHeadBytes = 1024;

}  // namespace

ReceiverLink::ReceiverLink(std::shared_ptr<ReceiverCore> core, const Clock& clock,
                           AdmittedPeer peer, std::shared_ptr<LinkStats> stats)
    : Channel(std::move(peer.connection), std::move(stats), clock),
      core_(std::move(core)),
      index_(peer.hello.link_index),
      borrower_(connection_.is_local() ? std::make_unique<Borrower>(core_->options().size)
                                       : nullptr),
      checked_(peer.hello.checksum == Checksum::none || connection_.is_local()
                   ? nullptr
                   : std::make_unique<stream::CheckedStripe>(core_->options().size)),
      is_rgb24_(core_->options().format == media::PixelFormat::rgb24),
      stores_(media::stores_for(core_->options().size.pixels() * media::kBytesPerRgbaPixel)) {
  outgoing_ = peer.outgoing;
  incoming_ = peer.incoming;
  peer_ = fmt::format("{} (node {})", peer.name, peer.hello.node);
  if (is_local()) {
    connection_.enlarge(kLocalBytes, 4 * wire::kControlBytesMax);
    stats_->set_ends(std::string(kSharedMemory), peer.name);
    path_.local_socket = peer.name;
    return;
  }
  connection_.enlarge(kReceiveBytes, 4 * wire::kControlBytesMax);
  boost::system::error_code ignored;
  const auto local =
      tcp_endpoint(connection_.socket().local_endpoint(ignored)).value_or(tcp::endpoint());
  const auto remote =
      tcp_endpoint(connection_.socket().remote_endpoint(ignored)).value_or(tcp::endpoint());
  stats_->set_ends(to_text(local), to_text(remote));
  path_.from = local.address().to_string();
  path_.to.address = remote.address().to_string();
}

void ReceiverLink::begin() {
  if (!is_local()) core_->hold_on_card(connection_.socket().native_handle(), path_);
  start();
}

// For RGB24 frames and checked stripes the kernel writes the pixels to their final memory. Together
// with the rest of a stripe only the next header is read, because the next pixels have their own
// place.
Connection::Io ReceiverLink::read_input() {
  const bool has_place = is_rgb24_ || checked_;
  if (!has_place || !connection_.input().empty()) return connection_.receive();
  if (core_->pixels_due(index_) == 0) return connection_.receive_at({}, kHeadBytes);
  const auto free = place();
  if (free.empty()) return connection_.receive();
  const auto result = connection_.receive_at(free, wire::kStripeHeaderBytes);
  count_placed(connection_.placed_bytes());
  return result;
}

Result<void> ReceiverLink::handle_input() {
  silent_ticks_ = 0;
  while (!is_closed()) {
    if (checked_ && checked_->is_whole()) {
      if (auto put = put_checked(); !put) return put;
      continue;
    }
    if (core_->pixels_due(index_) > 0) {
      if (!take_pixels()) return {};
      continue;
    }
    const auto message = next_message();
    SUBMIX_TRY(message);
    if (message->empty()) return {};
    stats_->bytes.fetch_add(message->size(), std::memory_order_relaxed);
    if (auto handled = handle_message(*message); !handled) return handled;
    if (!is_closed()) connection_.consume(message->size());
  }
  return {};
}

bool ReceiverLink::take_pixels() {
  return is_rgb24_ || checked_ ? copy_pixels() : unpack_pixels();
}

bool ReceiverLink::unpack_pixels() {
  const auto input = connection_.input();
  const auto there = input.size() / media::kBytesPerRgb24Pixel;
  const auto pixels =
      static_cast<std::uint32_t>(std::min<std::size_t>(there, core_->pixels_due(index_)));
  if (pixels == 0) return false;
  const auto bytes = pixels * media::kBytesPerRgb24Pixel;
  const auto room = core_->room(index_);
  if (!room.empty())
    media::unpack_rgb24(input.first(bytes), room.first(pixels * media::kBytesPerRgbaPixel),
                        stores_);
  connection_.consume(bytes);
  stats_->bytes.fetch_add(bytes, std::memory_order_relaxed);
  core_->advance(index_, pixels);
  return true;
}

bool ReceiverLink::copy_pixels() {
  const auto due = checked_ ? checked_->room().size()
                            : core_->pixels_due(index_) * media::kBytesPerRgb24Pixel - odd_bytes_;
  const auto input = connection_.input();
  const auto there = input.first(std::min(input.size(), due));
  if (there.empty()) return false;
  if (const auto free = place(); !free.empty()) std::copy(there.begin(), there.end(), free.begin());
  connection_.consume(there.size());
  count_placed(there.size());
  return true;
}

std::span<std::uint8_t> ReceiverLink::place() {
  if (checked_) return checked_->room();
  const auto room = core_->room(index_);
  return room.empty() ? room : room.subspan(odd_bytes_);
}

void ReceiverLink::count_placed(std::size_t bytes) {
  stats_->bytes.fetch_add(bytes, std::memory_order_relaxed);
  if (checked_) return checked_->advance(bytes);
  odd_bytes_ += bytes;
  const auto pixels = odd_bytes_ / media::kBytesPerRgb24Pixel;
  odd_bytes_ %= media::kBytesPerRgb24Pixel;
  if (pixels > 0) core_->advance(index_, static_cast<std::uint32_t>(pixels));
}

// Only a correct checksum lets the pixels into the frame.
Result<void> ReceiverLink::put_checked() {
  const auto& header = checked_->header();
  const auto pixels = checked_->pixels();
  if (const auto found = wire::checksum_of(pixels); found != header.checksum)
    return refuse_damaged(found);
  if (const auto room = core_->room(index_); !room.empty() && is_rgb24_) {
    std::copy(pixels.begin(), pixels.end(), room.begin());
  } else if (!room.empty()) {
    media::unpack_rgb24(pixels, room, stores_);
  }
  core_->advance(index_, header.pixels);
  checked_->end();
  return {};
}

Result<void> ReceiverLink::refuse_damaged(std::uint64_t found) {
  stats_->stripes_damaged.fetch_add(1, std::memory_order_relaxed);
  const auto text = core_->describe_damage(path_, checked_->header(), found);
  put_sealed(wire::Goodbye{wire::GoodbyeReason::damaged, text});
  static_cast<void>(connection_.send());
  return fail("{}", text);
}

Result<void> ReceiverLink::handle_message(std::span<const std::uint8_t> message) {
  if (auto checked = incoming_.check(message); !checked) return checked;
  switch (wire::decode_envelope(message)->type) {
    case wire::MessageType::stripe:
      if (is_local()) return fail("a stripe on a local link");
      return begin_stripe(message);
    case wire::MessageType::ping: {
      const auto ping = wire::decode_ping(message);
      SUBMIX_TRY(ping);
      pong_due_ = ping->token;
      wake();
      return {};
    }
    case wire::MessageType::pong:
      return {};
    case wire::MessageType::goodbye: {
      const auto goodbye = wire::decode_goodbye(message);
      SUBMIX_TRY(goodbye);
      close();
      core_->said_goodbye(index_, goodbye->text);
      return {};
    }
    default:
      return handle_local(wire::decode_envelope(message)->type, message);
  }
}

Result<void> ReceiverLink::handle_local(wire::MessageType type,
                                        std::span<const std::uint8_t> message) {
  const auto take = [&](const auto& decoded, auto... descriptor) -> Result<void> {
    SUBMIX_TRY(decoded);
    return borrower_->take(*decoded, std::move(descriptor)...);
  };
  if (is_local() && type == wire::MessageType::loan) return take_loan(message);
  if (is_local() && type == wire::MessageType::terms) {
    const auto terms = wire::decode_terms(message);
    if (terms) core_->set_frames_lent(terms->frames_lent);
    return take(terms, connection_.take_descriptor());
  }
  if (is_local() && type == wire::MessageType::memory)
    return take(wire::decode_memory(message), connection_.take_descriptor());
  if (is_local() && type == wire::MessageType::forget) return take(wire::decode_forget(message));
  return fail("message type {} is not for a receiver{}", static_cast<int>(type),
              is_local() ? "" : " at a TCP connection");
}

Result<void> ReceiverLink::take_loan(std::span<const std::uint8_t> message) {
  const auto decoded = wire::decode_loan(message);
  SUBMIX_TRY(decoded);
  auto loan = borrower_->loan_of(*decoded, clock_.now());
  SUBMIX_TRY(loan);
  stats_->stripes.fetch_add(1, std::memory_order_relaxed);
  stats_->bytes.fetch_add(core_->options().size.pixels() * media::kBytesPerRgbaPixel,
                          std::memory_order_relaxed);
  return core_->put_whole(std::move(*loan));
}

Result<void> ReceiverLink::begin_stripe(std::span<const std::uint8_t> message) {
  const auto stripe = wire::decode_stripe(message);
  SUBMIX_TRY(stripe);
  if (!checked_ && stripe->checksum != 0)
    return fail("a stripe with a checksum, where the hello said that there is none");
  stats_->stripes.fetch_add(1, std::memory_order_relaxed);
  auto begun = core_->begin_stripe(index_, *stripe);
  if (begun && checked_) checked_->begin(*stripe);
  return begun;
}

void ReceiverLink::fill_output() {
  if (pong_due_ != 0) put_sealed(wire::Pong{std::exchange(pong_due_, 0), own_clock()});
  const auto ack = core_->ack();
  if (ack == last_ack_) return;
  last_ack_ = ack;
  put_sealed(ack);
}

void ReceiverLink::tick() {
  // The sender pings in each tick of its own.
  if (++silent_ticks_ <= kSilentTicksAlone) return;
  lose(fmt::format("no sign of life for {} ms", silent_ticks_ * kTick.count()));
}

void ReceiverLink::leave(wire::GoodbyeReason reason, const std::string& text) {
  if (is_closed()) return;
  put_sealed(wire::Goodbye{reason, text.substr(0, 200)});
  static_cast<void>(connection_.send());
  close();
}

void ReceiverLink::on_lost(const std::string& reason) {
  core_->lost(index_, reason);
}

}  // namespace submix::link
