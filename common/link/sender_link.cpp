// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/sender_link.hpp"

#include "common/link/card_checks.hpp"
#include "common/link/local_socket.hpp"
#include "common/link/timing.hpp"
#include "common/media/pixels.hpp"
#include "common/wire/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace submix::link {
namespace {

constexpr std::size_t kInBytes = 4 * wire::kControlBytesMax;
constexpr std::size_t kOutBytes =
    wire::kStripeHeaderBytes +
    std::size_t{kStripeCellsMax} * wire::kCellPixels * media::kBytesPerRgb24Pixel +
    2 * wire::kControlBytesMax;

Result<tcp::endpoint> endpoint_of(const std::string& address, std::uint16_t port) {
  boost::system::error_code error;
  const auto parsed = asio::ip::make_address(address, error);
  if (error) return fail("\"{}\" is not an IP address", address);
  return tcp::endpoint(parsed, port);
}

// A loan has 72 bytes, so the buffer holds one for each possible credit.
constexpr std::size_t kLocalOutBytes = 16 * wire::kControlBytesMax;

}  // namespace

SenderLink::SenderLink(NetContext& context, std::shared_ptr<LinkOwner> owner, std::size_t index,
                       LinkPath path, std::shared_ptr<LinkStats> stats)
    : Channel(Connection(StreamSocket(context.io), kInBytes,
                         path.is_local() ? kLocalOutBytes : kOutBytes),
              std::move(stats), context.clock()),
      context_(context),
      owner_(std::move(owner)),
      index_(index),
      path_(std::move(path)) {}

Result<void> SenderLink::open_socket() {
  auto from = endpoint_of(path_.from, 0);
  SUBMIX_TRY(from);
  auto& socket = connection_.socket();
  boost::system::error_code error;
  socket.open(from->protocol(), error);
  if (error) return fail("cannot open a socket: {}", error.message());
  set_stream_options(socket.native_handle());
  owner_->prepare_socket(socket.native_handle(), path_);
  socket.non_blocking(true, error);
  if (!error) socket.bind(*from, error);
  if (error) return fail("cannot send from {}: {}", path_.from, error.message());
  return {};
}

// A Unix socket connects at once or not at all.
Result<void> SenderLink::open_local() {
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
  auto lender = Lender::open(options.size, options.frames_max + options.frames_lent + 2);
  SUBMIX_TRY(lender);
  lender_ = std::move(*lender);
  connection_.set_local();
  stats_->set_ends(std::string(kSharedMemory),
                   fmt::format("process {} of this machine", peer->process));
  return {};
}

void SenderLink::connect_locally() {
  if (auto opened = open_local(); !opened) return lose(opened.error().message);
  owner_->keep_lent(lender_->lent());
  on_connected();
}

void SenderLink::connect() {
  if (path_.is_local()) return connect_locally();
  const auto to = endpoint_of(path_.to.address, path_.to.port);
  if (!to) return lose(to.error().message);
  if (auto opened = open_socket(); !opened) return lose(opened.error().message);
  stats_->set_ends(path_.from, to_text(*to));
  auto on_event = [this, self = shared_from_this()](const boost::system::error_code& error) {
    if (is_closed()) return;
    if (error) return lose(fmt::format("cannot connect from {}: {}", path_.from, describe(error)));
    on_connected();
  };
  connection_.socket().async_connect(*to, with_memory(connect_memory_, std::move(on_event)));
}

std::string SenderLink::explain_silence() const {
  return link::explain_silence(path_, context_.cards, look_up_route(path_.from, path_.to.address));
}

std::string SenderLink::describe(const boost::system::error_code& error) const {
  namespace errc = boost::system::errc;
  const bool is_about_routing = error == errc::host_unreachable ||
                                error == errc::network_unreachable || error == errc::timed_out;
  return is_about_routing ? fmt::format("{}: {}", error.message(), explain_silence())
                          : error.message();
}

void SenderLink::on_connected() {
  if (!path_.is_local()) {
    boost::system::error_code ignored;
    stats_->set_ends(to_text(connection_.socket().local_endpoint(ignored)),
                     to_text(connection_.socket().remote_endpoint(ignored)));
  }
  state_ = State::greeting;
  ticks_in_state_ = 0;
  greet();
  start();
}

void SenderLink::greet() {
  auto hello = owner_->hello(index_);
  if (!path_.is_local()) hello.checksum = owner_->options().checksum;
  const auto room = connection_.room();
  const auto message = room.first(wire::encode(hello, room));
  wire::sign(context_.key, wire::kRoleHello, {}, message);
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
  const auto& key = context_.key;
  if (!wire::is_signed(key, wire::kRoleWelcome, hello_, message))
    return fail("the receiver has another key");
  const auto welcome = wire::decode_welcome(message);
  SUBMIX_TRY(welcome);
  if (auto taken = owner_->welcomed(index_, *welcome); !taken) return taken;
  put(wire::Proof{wire::prove(key, wire::kRoleProof, hello_, message)});
  outgoing_ = wire::Seal(key, wire::Seal::Direction::sender_to_receiver, hello_, message);
  incoming_ = wire::Seal(key, wire::Seal::Direction::receiver_to_sender, hello_, message);
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
  if (!lender_) return put_stripe();
  if (auto put = put_loans(); !put) lose(put.error().message);
}

// Returned frames are collected here, because they limit further loans; otherwise once in kTick.
Result<void> SenderLink::put_loans() {
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

Result<void> SenderLink::put_loan(const wire::StripeHeader& header, const Lender::LentFrame& lent) {
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

void SenderLink::put_stripe() {
  frame_being_sent_ = {};  // nothing is unsent
  auto stripe = owner_->pull(index_, backlog());
  if (!stripe) return;
  auto& header = stripe->header;
  const auto pixels = packed_pixels(*stripe);
  if (owner_->options().checksum == Checksum::xxh3) header.checksum = wire::checksum_of(pixels);
  put_sealed(header);
  if (frame_being_sent_) {
    connection_.attach(pixels);
  } else {
    connection_.commit(pixels.size());
  }
  stats_->stripes.fetch_add(1, std::memory_order_relaxed);
  stats_->bytes.fetch_add(wire::kStripeHeaderBytes + header.pixels * media::kBytesPerRgb24Pixel,
                          std::memory_order_relaxed);
}

// RGBA is packed behind the header's place, because the header may need the checksum first. RGB24
// stays where it is.
std::span<const std::uint8_t> SenderLink::packed_pixels(const stream::Stripe& stripe) {
  const auto& header = stripe.header;
  const auto pixel_bytes = media::bytes_per_pixel(stripe.frame.format());
  const auto pixels = stripe.frame.pixels().subspan(header.offset_pixels * pixel_bytes,
                                                    header.pixels * pixel_bytes);
  if (stripe.frame.format() == media::PixelFormat::rgb24) {
    frame_being_sent_ = stripe.frame;
    return pixels;
  }
  const auto packed = connection_.room().subspan(wire::kStripeHeaderBytes,
                                                 header.pixels * media::kBytesPerRgb24Pixel);
  media::pack_rgb24(pixels, packed);
  return packed;
}

stream::LinkBacklog SenderLink::backlog() {
  const auto output = connection_.output_bytes();
  return {connection_.queued_bytes() + output, connection_.unsent_bytes() + output, tcp_.round_trip,
          tcp_.segment_bytes};
}

void SenderLink::tick() {
  ++ticks_in_state_;
  if (state_ == State::connecting && ticks_in_state_ > kConnectTimeout / kTick) {
    return lose(fmt::format("no answer from {} within {} ms: {}", path_.to.address,
                            kConnectTimeout.count(), explain_silence()));
  }
  if (state_ == State::greeting && ticks_in_state_ > kHandshakeTimeout / kTick) {
    return lose(fmt::format("connected, but no welcome within {} ms", kHandshakeTimeout.count()));
  }
  if (state_ != State::open) return;
  if (lender_) return tick_local();
  const auto queued = connection_.queued_bytes();
  const auto acknowledged = connection_.bytes_sent() - queued;
  stats_->queue_bytes.store(queued, std::memory_order_relaxed);
  const bool is_alive = std::exchange(has_heard_, false) || acknowledged > acknowledged_bytes_;
  acknowledged_bytes_ = acknowledged;
  silent_ticks_ = is_alive ? 0 : silent_ticks_ + 1;
  follow_rate();
  follow_tcp();
  ping();
}

// Frames in shared memory show no progress on the socket. Only messages prove that the receiver
// lives.
void SenderLink::tick_local() {
  silent_ticks_ = std::exchange(has_heard_, false) ? 0 : silent_ticks_ + 1;
  ping();
}

void SenderLink::follow_tcp() {
  const auto now = read_tcp_info(connection_.socket().native_handle());
  if (!now) return;  // keep the last known totals, because the next ones are compared with them
  const auto before = std::exchange(tcp_, *now);
  stats_->round_trip_us.store(static_cast<std::uint64_t>(tcp_.smoothed_round_trip.count()),
                              std::memory_order_relaxed);
  const auto add = [](std::atomic<std::uint64_t>& total, std::uint64_t from, std::uint64_t to) {
    if (to > from) total.fetch_add(to - from, std::memory_order_relaxed);
  };
  add(stats_->segments_retransmitted, before.segments_retransmitted, tcp_.segments_retransmitted);
  add(stats_->bytes_retransmitted, before.bytes_retransmitted, tcp_.bytes_retransmitted);
}

void SenderLink::ping() {
  if (is_ping_out_) return;
  is_ping_out_ = is_ping_due_ = true;
  wake();
}

void SenderLink::follow_rate() {
  const auto pace = owner_->pace(index_);
  stats_->queue_limit_bytes.store(pace.queue_limit_bytes, std::memory_order_relaxed);
  stats_->bytes_per_second.store(pace.bytes_per_second, std::memory_order_relaxed);
  stats_->full_bytes.store(pace.full.bytes, std::memory_order_relaxed);
  stats_->full_ns.store(static_cast<std::uint64_t>(pace.full.time.count()),
                        std::memory_order_relaxed);
  if (pace.bytes_per_second == 0) return;
  const auto wanted = static_cast<double>(pace.bytes_per_second) *
                      std::chrono::duration<double>(kNotSentTime).count();
  const auto bytes =
      static_cast<int>(std::clamp<double>(wanted, kNotSentBytesMin, kNotSentBytesMax));
  if (std::abs(bytes - not_sent_low_water_) < not_sent_low_water_ / 4) return;
  not_sent_low_water_ = bytes;
  set_not_sent_low_water(connection_.socket().native_handle(), bytes);
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
