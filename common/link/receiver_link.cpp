// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/receiver_link.hpp"

#include "common/link/receiver_core.hpp"
#include "common/link/timing.hpp"

#include <fmt/format.h>

#include <atomic>
#include <utility>

namespace submix::link {

ReceiverLink::ReceiverLink(std::shared_ptr<ReceiverCore> core, const Clock& clock,
                           AdmittedPeer peer, std::shared_ptr<LinkStats> stats)
    : Channel(std::move(peer.connection), std::move(stats), clock),
      core_(std::move(core)),
      index_(peer.hello.link_index),
      protection_(peer.hello.protection),
      format_(peer.hello.format),
      cipher_(std::move(peer.cipher)),
      peer_name_(peer.name),
      peer_(fmt::format("{} (node {})", peer.name, peer.hello.node)),
      show_key_(peer.show_key) {
  outgoing_ = peer.outgoing;
  incoming_ = peer.incoming;
  stats_->protection.store(protection_, std::memory_order_relaxed);
}

Result<void> ReceiverLink::handle_input() {
  silent_ticks_ = 0;
  while (!is_closed()) {
    const auto step = take_pixels();
    SUBMIX_TRY(step);
    if (*step == PixelStep::incomplete) return {};
    if (*step == PixelStep::taken) continue;

    const auto message = next_message();
    SUBMIX_TRY(message);
    if (message->empty()) return {};
    stats_->bytes.fetch_add(message->size(), std::memory_order_relaxed);
    if (auto handled = handle_message(*message); !handled) return handled;
    if (!is_closed()) connection_.consume(message->size());
  }
  return {};
}

Result<void> ReceiverLink::handle_message(std::span<const std::uint8_t> message) {
  if (auto checked = incoming_.check(message); !checked) return checked;
  const auto type = wire::decode_envelope(message)->type;
  switch (type) {
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
      return handle_frame_message(type, message);
  }
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
