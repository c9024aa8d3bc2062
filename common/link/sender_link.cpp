// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/sender_link.hpp"

#include "common/link/timing.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace submix::link {
namespace {

constexpr std::size_t kInBytes = 4 * wire::kControlBytesMax;

}  // namespace

SenderLink::SenderLink(NetContext& context, OutgoingLinkSetup setup, std::size_t out_bytes)
    : Channel(Connection(StreamSocket(context.io), kInBytes, out_bytes), std::move(setup.stats),
              context.clock()),
      context_(context),
      owner_(std::move(setup.owner)),
      index_(setup.index),
      path_(std::move(setup.path)),
      receiver_(std::move(setup.receiver)) {}

void SenderLink::greet() {
  state_ = State::greeting;
  ticks_in_state_ = 0;
  put_hello();
  start();
}

void SenderLink::put_hello() {
  auto hello = owner_->hello(index_);
  hello.protection = protection();
  hello.public_key = ephemeral_key_.emplace().public_key();
  const auto room = connection_.room();
  const auto message = room.first(wire::encode(hello, room));
  show_key_ = context_.keys.used();
  key_ = context_.keys.key_with(receiver_, show_key_);
  wire::sign(key_, wire::kRoleHello, {}, message);
  hello_.assign(message.begin(), message.end());
  connection_.commit(message.size());
}

Result<void> SenderLink::handle_input() {
  has_heard_ = true;
  while (!is_closed()) {
    const auto message = next_message();
    if (!message && state_ == State::greeting)
      return fail("what answers there is no data port of Submix ({})", message.error().message);
    SUBMIX_TRY(message);
    if (message->empty()) return {};
    auto handled = state_ == State::greeting ? handle_answer(*message) : handle_message(*message);
    if (!handled) return handled;
    if (!is_closed()) connection_.consume(message->size());
  }
  return {};
}

Result<void> SenderLink::handle_answer(std::span<const std::uint8_t> message) {
  const auto type = wire::decode_envelope(message)->type;
  if (type == wire::MessageType::refusal) {
    const auto refusal = wire::decode_refusal(message);
    SUBMIX_TRY(refusal);
    loss_.refusal = refusal->code;
    return fail("refused: {}", refusal->text);
  }
  if (type != wire::MessageType::welcome)
    return fail("message type {} in place of a welcome", static_cast<int>(type));
  if (!wire::is_signed(key_, wire::kRoleWelcome, hello_, message))
    return fail("the receiver has another key");
  const auto welcome = wire::decode_welcome(message);
  SUBMIX_TRY(welcome);
  const auto session = ephemeral_key_->session_key(key_, welcome->public_key);
  SUBMIX_TRY(session);
  ephemeral_key_.reset();
  stats_->protection.store(protection(), std::memory_order_relaxed);
  if (auto begun = begin_session(*session); !begun) return begun;
  if (auto taken = owner_->welcomed(index_, *welcome); !taken) return taken;
  put(wire::Proof{wire::prove(key_, wire::kRoleProof, hello_, message)});
  outgoing_ = wire::Seal(*session, wire::Seal::Direction::sender_to_receiver, hello_, message);
  incoming_ = wire::Seal(*session, wire::Seal::Direction::receiver_to_sender, hello_, message);
  state_ = State::open;
  owner_->opened(index_);
  wake();
  return {};
}

Result<void> SenderLink::handle_message(std::span<const std::uint8_t> message) {
  if (auto checked = incoming_.check(message); !checked) return checked;
  switch (wire::decode_envelope(message)->type) {
    case wire::MessageType::ack: {
      const auto ack = wire::decode_ack(message);
      SUBMIX_TRY(ack);
      return owner_->acknowledged(*ack);
    }
    case wire::MessageType::ping: {
      const auto ping = wire::decode_ping(message);
      SUBMIX_TRY(ping);
      pong_due_ = ping->token;
      wake();
      return {};
    }
    case wire::MessageType::pong:
      return handle_pong(message);
    case wire::MessageType::goodbye: {
      const auto goodbye = wire::decode_goodbye(message);
      SUBMIX_TRY(goodbye);
      loss_.is_damaged = goodbye->reason == wire::GoodbyeReason::damaged;
      return fail("{}", goodbye->text);
    }
    default:
      return fail("message type {} is not for a sender", static_cast<int>(message[0]));
  }
}

Result<void> SenderLink::handle_pong(std::span<const std::uint8_t> message) {
  const auto pong = wire::decode_pong(message);
  SUBMIX_TRY(pong);
  is_ping_out_ = false;
  const std::chrono::nanoseconds sent(static_cast<std::int64_t>(pong->token));
  owner_->answered(LocalTime(std::chrono::duration_cast<LocalTime::duration>(sent)), pong->clock);
  return {};
}

void SenderLink::fill_output() {
  if (state_ != State::open) return;
  if (pong_due_ != 0) put_sealed(wire::Pong{std::exchange(pong_due_, 0), own_clock()});
  if (std::exchange(is_ping_due_, false))
    put_sealed(wire::Ping{static_cast<std::uint64_t>(own_clock().count())});
  if (auto put = put_frames(); !put) lose(put.error().message);
}

void SenderLink::tick() {
  ++ticks_in_state_;
  if (state_ == State::connecting && ticks_in_state_ > kConnectTimeout / kTick)
    return lose(no_answer());
  if (state_ == State::greeting && ticks_in_state_ > kHandshakeTimeout / kTick) {
    return lose(fmt::format("connected, but no welcome within {} ms", kHandshakeTimeout.count()));
  }
  if (state_ != State::open) return;

  const bool has_heard = std::exchange(has_heard_, false);
  const bool has_progress = measure();
  silent_ticks_ = has_heard || has_progress ? 0 : silent_ticks_ + 1;
  ping();
}

void SenderLink::ping() {
  if (is_ping_out_) return;
  is_ping_out_ = is_ping_due_ = true;
  wake();
}

void SenderLink::give_up_silent() {
  lose(fmt::format("no sign of life for {} ms", silent_ticks_ * kTick.count()));
}

void SenderLink::leave(wire::GoodbyeReason reason, const std::string& text) {
  if (is_open()) {
    connection_.keep_tail();
    put_sealed(wire::Goodbye{reason, text.substr(0, 200)});
    static_cast<void>(connection_.send());
  }
  close();
  forget_round_trip();
}

void SenderLink::abandon() {
  Channel::abandon();
  forget_round_trip();
}

// The next connection may use another path.
void SenderLink::forget_round_trip() {
  stats_->round_trip_us.store(0, std::memory_order_relaxed);
}

void SenderLink::on_lost(const std::string& reason) {
  forget_round_trip();
  loss_.reason = reason;
  owner_->lost(index_, loss_);
}

}  // namespace submix::link
