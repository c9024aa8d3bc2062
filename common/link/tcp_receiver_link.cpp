// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/tcp_receiver_link.hpp"

#include "common/link/receiver_core.hpp"
#include "common/link/timing.hpp"
#include "common/wire/checksum.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

namespace submix::link {
namespace {

// A stripe's header and the control messages before it.
constexpr std::size_t kHeadBytesMax = 1024;

std::unique_ptr<stream::CheckedStripe> make_checked(Protection protection, Size size,
                                                    PixelFormat format) {
  if (protection == Protection::none) return nullptr;
  return std::make_unique<stream::CheckedStripe>(size, format);
}

}  // namespace

TcpReceiverLink::TcpReceiverLink(std::shared_ptr<ReceiverCore> core, const Clock& clock,
                                 AdmittedPeer peer, std::shared_ptr<LinkStats> stats)
    : ReceiverLink(std::move(core), clock, std::move(peer), std::move(stats)),
      checked_(make_checked(protection_, core_->options().size, format_)),
      frame_format_(core_->options().format),
      is_same_format_(format_ == frame_format_),
      stores_(media::stores_for(core_->options().size.pixels() * media::kBytesPerRgbaPixel)) {
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

void TcpReceiverLink::begin() {
  core_->bind_to_card(connection_.socket().native_handle(), path_);
  start();
}

// For stripes of the frames' format and checked stripes the kernel writes the pixels to their final
// memory. Together with the rest of a stripe only the next header is read, because the next pixels
// have their own place.
Connection::Io TcpReceiverLink::read_input() {
  const bool has_place = is_same_format_ || checked_;
  if (!has_place || !connection_.input().empty()) return connection_.receive();
  if (core_->pixels_due(index_) == 0) return connection_.receive_at({}, kHeadBytesMax);
  const auto free = place();
  if (free.empty()) return connection_.receive();
  const auto result = connection_.receive_at(free, wire::kStripeHeaderBytes);
  count_placed(connection_.placed_bytes());
  return result;
}

Result<ReceiverLink::PixelStep> TcpReceiverLink::take_pixels() {
  if (checked_ && checked_->is_whole()) {
    auto put = put_checked();
    SUBMIX_TRY(put);
    return PixelStep::taken;
  }
  if (core_->pixels_due(index_) == 0) return PixelStep::none_due;

  const bool is_taken = is_same_format_ || checked_ ? copy_pixels() : convert_pixels();
  return is_taken ? PixelStep::taken : PixelStep::incomplete;
}

bool TcpReceiverLink::convert_pixels() {
  const auto input = connection_.input();
  const auto there = input.size() / bytes_per_pixel(format_);
  const auto pixels =
      static_cast<std::uint32_t>(std::min<std::size_t>(there, core_->pixels_due(index_)));
  if (pixels == 0) return false;
  const auto bytes = pixels * bytes_per_pixel(format_);
  const auto room = core_->room(index_);
  if (!room.empty())
    media::convert(input.first(bytes), room.first(pixels * bytes_per_pixel(frame_format_)),
                   frame_format_, stores_);
  connection_.consume(bytes);
  stats_->bytes.fetch_add(bytes, std::memory_order_relaxed);
  core_->advance(index_, pixels);
  return true;
}

bool TcpReceiverLink::copy_pixels() {
  const auto due = checked_ ? checked_->room().size()
                            : core_->pixels_due(index_) * bytes_per_pixel(format_) - odd_bytes_;
  const auto input = connection_.input();
  const auto there = input.first(std::min(input.size(), due));
  if (there.empty()) return false;
  if (const auto free = place(); !free.empty()) std::copy(there.begin(), there.end(), free.begin());
  connection_.consume(there.size());
  count_placed(there.size());
  return true;
}

std::span<std::uint8_t> TcpReceiverLink::place() {
  if (checked_) return checked_->room();
  const auto room = core_->room(index_);
  return room.empty() ? room : room.subspan(odd_bytes_);
}

void TcpReceiverLink::count_placed(std::size_t bytes) {
  stats_->bytes.fetch_add(bytes, std::memory_order_relaxed);
  if (checked_) return checked_->advance(bytes);
  odd_bytes_ += bytes;
  const auto pixels = odd_bytes_ / bytes_per_pixel(format_);
  odd_bytes_ %= bytes_per_pixel(format_);
  if (pixels > 0) core_->advance(index_, static_cast<std::uint32_t>(pixels));
}

// Only a correct checksum or tag lets the pixels into the frame.
Result<void> TcpReceiverLink::put_checked() {
  const auto& header = checked_->header();
  const auto pixels = checked_->pixels();
  if (cipher_) {
    if (!cipher_->decrypt(header, pixels)) return refuse_damaged(std::nullopt);
  } else if (const auto found = wire::checksum_of(pixels); found != header.checksum) {
    return refuse_damaged(found);
  }
  if (const auto room = core_->room(index_); !room.empty() && is_same_format_) {
    std::copy(pixels.begin(), pixels.end(), room.begin());
  } else if (!room.empty()) {
    media::convert(pixels, room, frame_format_, stores_);
  }
  core_->advance(index_, header.pixels);
  checked_->end();
  return {};
}

Result<void> TcpReceiverLink::refuse_damaged(std::optional<std::uint64_t> found) {
  stats_->stripes_damaged.fetch_add(1, std::memory_order_relaxed);
  const auto text = core_->describe_damage(path_, checked_->header(), found);
  put_sealed(wire::Goodbye{wire::GoodbyeReason::damaged, text});
  static_cast<void>(connection_.send());
  return fail("{}", text);
}

Result<void> TcpReceiverLink::handle_frame_message(wire::MessageType type,
                                                   std::span<const std::uint8_t> message) {
  if (type == wire::MessageType::stripe) return begin_stripe(message);
  return fail("message type {} is not for a receiver at a TCP connection", static_cast<int>(type));
}

Result<void> TcpReceiverLink::begin_stripe(std::span<const std::uint8_t> message) {
  const auto stripe = wire::decode_stripe(message, format_);
  SUBMIX_TRY(stripe);
  if (protection_ != Protection::xxh3 && stripe->checksum != 0)
    return fail("a stripe with a checksum, where the hello said that there is none");
  if (!cipher_ && stripe->tag != wire::CipherTag{})
    return fail("a stripe with a cipher's tag, where the hello said that there is none");
  stats_->stripes.fetch_add(1, std::memory_order_relaxed);
  auto begun = core_->begin_stripe(index_, *stripe);
  if (begun && checked_) checked_->begin(*stripe);
  return begun;
}

}  // namespace submix::link
