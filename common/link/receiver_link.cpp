// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/receiver_link.hpp"

#include "common/link/receiver_core.hpp"
#include "common/link/timing.hpp"
#include "common/media/pixels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::link {

ReceiverLink::ReceiverLink(std::shared_ptr<ReceiverCore> core, Guest guest, std::shared_ptr<LinkStats> stats)
    : Channel(std::move(guest.connection), std::move(stats)),
      core_(std::move(core)),
      index_(guest.hello.link_index),
      stores_(media::stores_for(core_->options().size.pixels() * media::kBytesPerRgbaPixel)) {
  connection_.enlarge(kReceiveBytes, 4 * wire::kControlBytesMax);
  outgoing_ = guest.outgoing;
  incoming_ = guest.incoming;
  boost::system::error_code ignored;
  const auto local = to_text(connection_.socket().local_endpoint(ignored));
  const auto remote = to_text(connection_.socket().remote_endpoint(ignored));
  stats_->set_ends(local, remote);
  path_.from = connection_.socket().local_endpoint(ignored).address().to_string();
  path_.to.address = connection_.socket().remote_endpoint(ignored).address().to_string();
  peer_ = fmt::format("{} (node {})", remote, guest.hello.node);
}

Result<void> ReceiverLink::handle_input() {
  silent_ticks_ = 0;
  while (!is_closed()) {
    if (core_->pixels_due(index_) > 0) {
      if (!take_pixels()) return {};
      continue;
    }
    const auto message = next_message();
    if (!message) return tl::unexpected(message.error());
    if (message->empty()) return {};
    stats_->bytes.fetch_add(message->size(), std::memory_order_relaxed);
    if (auto handled = handle_message(*message); !handled) return handled;
    if (!is_closed()) connection_.consume(message->size());
  }
  return {};
}

bool ReceiverLink::take_pixels() {
  const auto input = connection_.input();
  const auto there = input.size() / media::kBytesPerRgb24Pixel;
  const auto pixels = static_cast<std::uint32_t>(std::min<std::size_t>(there, core_->pixels_due(index_)));
  if (pixels == 0) return false;
  const auto bytes = pixels * media::kBytesPerRgb24Pixel;
  const auto room = core_->room(index_);
  if (!room.empty())
    media::unpack_rgb24(input.first(bytes), room.first(pixels * media::kBytesPerRgbaPixel), stores_);
  connection_.consume(bytes);
  stats_->bytes.fetch_add(bytes, std::memory_order_relaxed);
  core_->advance(index_, pixels);
  return true;
}

Result<void> ReceiverLink::handle_message(std::span<const std::uint8_t> message) {
  if (auto checked = incoming_.check(message); !checked) return checked;
  switch (wire::decode_envelope(message)->type) {
    case wire::MessageType::stripe:
      return begin_stripe(message);
    case wire::MessageType::ping: {
      const auto ping = wire::decode_ping(message);
      if (!ping) return tl::unexpected(ping.error());
      pong_due_ = ping->token;
      wake();
      return {};
    }
    case wire::MessageType::pong:
      return {};
    case wire::MessageType::goodbye: {
      const auto goodbye = wire::decode_goodbye(message);
      if (!goodbye) return tl::unexpected(goodbye.error());
      close();
      core_->said_goodbye(index_, goodbye->text);
      return {};
    }
    default:
      return fail("message type {} is not for a receiver", static_cast<int>(message[0]));
  }
}

Result<void> ReceiverLink::begin_stripe(std::span<const std::uint8_t> message) {
  const auto stripe = wire::decode_stripe(message);
  if (!stripe) return tl::unexpected(stripe.error());
  stats_->stripes.fetch_add(1, std::memory_order_relaxed);
  return core_->begin_stripe(index_, *stripe);
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
