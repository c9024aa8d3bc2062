// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/tcp_sender_link.hpp"

#include "common/link/cards/card_checks.hpp"
#include "common/link/timing.hpp"
#include "common/media/pixels.hpp"
#include "common/wire/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <utility>

namespace submix::link {
namespace {

constexpr std::size_t kOutBytes =
    wire::kStripeHeaderBytes +
    std::size_t{kStripeCellsMax} * wire::kCellPixels * media::kBytesPerRgbaPixel +
    2 * wire::kControlBytesMax;

Result<tcp::endpoint> endpoint_of(const std::string& address, std::uint16_t port) {
  boost::system::error_code error;
  const auto parsed = asio::ip::make_address(address, error);
  if (error) return fail("\"{}\" is not an IP address", address);
  return tcp::endpoint(parsed, port);
}

Protection protection_of(const SenderOptions& options) {
  if (options.is_encrypted) return wire::fastest_cipher();
  return options.checksum == Checksum::xxh3 ? Protection::xxh3 : Protection::none;
}

}  // namespace

TcpSenderLink::TcpSenderLink(NetContext& context, OutgoingLinkSetup setup)
    : SenderLink(context, std::move(setup), kOutBytes),
      protection_(protection_of(owner_->options())) {}

Result<void> TcpSenderLink::open_socket() {
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

void TcpSenderLink::connect() {
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

std::string TcpSenderLink::explain_silence() const {
  return link::explain_silence(path_, context_.cards, look_up_route(path_.from, path_.to.address));
}

std::string TcpSenderLink::describe(const boost::system::error_code& error) const {
  namespace errc = boost::system::errc;
  const bool is_about_routing = error == errc::host_unreachable ||
                                error == errc::network_unreachable || error == errc::timed_out;
  return is_about_routing ? fmt::format("{}: {}", error.message(), explain_silence())
                          : error.message();
}

std::string TcpSenderLink::no_answer() const {
  return fmt::format("no answer from {} within {} ms: {}", path_.to.address,
                     kConnectTimeout.count(), explain_silence());
}

void TcpSenderLink::on_connected() {
  boost::system::error_code ignored;
  stats_->set_ends(to_text(connection_.socket().local_endpoint(ignored)),
                   to_text(connection_.socket().remote_endpoint(ignored)));
  greet();
}

Result<void> TcpSenderLink::begin_session(const wire::Key& session) {
  if (!is_cipher(protection_)) return {};
  auto opened = wire::PixelCipher::open(protection_, wire::PixelCipher::Use::encrypt, session);
  SUBMIX_TRY(opened);
  cipher_ = std::move(*opened);
  return {};
}

Result<void> TcpSenderLink::put_frames() {
  frame_being_sent_ = {};  // nothing is unsent
  auto stripe = owner_->pull(index_, backlog());
  if (!stripe) return {};
  auto& header = stripe->header;
  auto pixels = wire_pixels(*stripe);
  if (cipher_) pixels = encrypt(header, pixels);
  if (protection_ == Protection::xxh3) header.checksum = wire::checksum_of(pixels);
  put_sealed(header);
  if (frame_being_sent_) {
    connection_.attach(pixels);
  } else {
    connection_.commit(pixels.size());
  }
  stats_->stripes.fetch_add(1, std::memory_order_relaxed);
  stats_->bytes.fetch_add(wire::kStripeHeaderBytes + pixels.size(), std::memory_order_relaxed);
  return {};
}

// Pixels of the stream's format stay where they are. Others are converted behind the header's
// place, because the header needs the checksum or the tag first.
std::span<const std::uint8_t> TcpSenderLink::wire_pixels(const stream::Stripe& stripe) {
  const auto& header = stripe.header;
  const auto pixel_bytes = bytes_per_pixel(stripe.frame.format());
  const auto pixels = stripe.frame.pixels().subspan(header.offset_pixels * pixel_bytes,
                                                    header.pixels * pixel_bytes);
  if (stripe.frame.format() == header.format) {
    frame_being_sent_ = stripe.frame;
    return pixels;
  }
  const auto converted = connection_.room().subspan(wire::kStripeHeaderBytes, header.pixel_bytes());
  media::convert(pixels, converted, header.format);
  return converted;
}

// The frame stays as it is, because another link may send the same pixels.
std::span<const std::uint8_t> TcpSenderLink::encrypt(wire::StripeHeader& header,
                                                     std::span<const std::uint8_t> pixels) {
  const auto encrypted = connection_.room().subspan(wire::kStripeHeaderBytes, pixels.size());
  cipher_->encrypt(header, pixels, encrypted);
  frame_being_sent_ = {};
  return encrypted;
}

stream::LinkBacklog TcpSenderLink::backlog() {
  const auto output = connection_.output_bytes();
  return {connection_.queued_bytes() + output, connection_.unsent_bytes() + output, tcp_.round_trip,
          tcp_.segment_bytes};
}

bool TcpSenderLink::measure() {
  const auto queued = connection_.queued_bytes();
  const auto acknowledged = connection_.bytes_sent() - queued;
  stats_->queue_bytes.store(queued, std::memory_order_relaxed);
  const bool has_progress = acknowledged > acknowledged_bytes_;
  acknowledged_bytes_ = acknowledged;
  follow_rate();
  follow_tcp();
  return has_progress;
}

void TcpSenderLink::follow_tcp() {
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

void TcpSenderLink::follow_rate() {
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

}  // namespace submix::link
