// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/local/lender.hpp"

#include "common/base/assert.hpp"
#include "common/media/pixel_store.hpp"
#include "common/media/pixels.hpp"
#include "common/wire/byte_reader.hpp"
#include "common/wire/message.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace submix::link {

LentFrames::LentFrames(Descriptor returns, std::size_t capacity)
    : returns_(std::move(returns)), capacity_(capacity) {
  frames_.reserve(capacity);
}

void LentFrames::add(FrameIndex index, const media::Frame& frame) {
  SUBMIX_ASSERT(has_room());
  frames_.push_back({index.value, frame});
}

void LentFrames::collect() {
  std::array<std::uint8_t, 256>
      numbers;  // NOLINT(cppcoreguidelines-pro-type-member-init): written by recv()
  for (;;) {
    const auto received = ::recv(returns_.get(), numbers.data(), numbers.size(), MSG_DONTWAIT);
    if (received == 0)
      // The other end is closed once nobody reads a frame any more.
      frames_.clear();
    if (received <= 0) return;
    for (const auto byte : std::span(numbers).first(static_cast<std::size_t>(received))) {
      partial_[partial_bytes_++] = byte;
      if (partial_bytes_ < partial_.size()) continue;
      partial_bytes_ = 0;
      give_back(wire::ByteReader(partial_).u64());
    }
  }
}

// A number that was never lent is the receiver's error and harms nobody.
void LentFrames::give_back(std::uint64_t number) {
  const auto found = std::find_if(frames_.begin(), frames_.end(),
                                  [&](const Lent& lent) { return lent.number == number; });
  if (found == frames_.end()) return;
  std::swap(*found, frames_.back());
  frames_.pop_back();
}

Result<std::unique_ptr<Lender>> Lender::open(Size size, PixelFormat format, std::size_t capacity) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0)
    return fail("no socket for returned frames: {}", std::strerror(errno));
  return std::unique_ptr<Lender>(
      new Lender(size, format, capacity, Descriptor(ends[0]), Descriptor(ends[1])));
}

Lender::Lender(Size size, PixelFormat format, std::size_t capacity, Descriptor near_returns,
               Descriptor far_returns)
    : size_(size),
      format_(format),
      capacity_(capacity),
      far_returns_(std::move(far_returns)),
      lent_(std::make_shared<LentFrames>(std::move(near_returns), capacity)) {
  known_.reserve(wire::kMemoriesMax);
}

std::optional<std::uint64_t> Lender::next_forgotten() {
  const auto found = std::find_if(known_.begin(), known_.end(),
                                  [](const KnownMemory& known) { return known.memory.expired(); });
  if (found == known_.end()) return std::nullopt;
  const auto id = found->id;
  known_.erase(found);
  return id;
}

bool Lender::is_known(const media::SharedMemory& memory) const {
  return std::any_of(known_.begin(), known_.end(),
                     [&](const KnownMemory& known) { return known.id == memory.id(); });
}

// The last memory is reserved for copies.
bool Lender::can_show(const media::Frame& frame) const {
  const auto place = frame.shared_place();
  if (!place || frame.format() != PixelFormat::rgba) return false;
  if (!is_known(place->memory) && known_.size() >= wire::kMemoriesMax - 1) return false;
  return format_ == PixelFormat::rgba || media::is_opaque(frame.rgba());
}

Result<media::Frame> Lender::copy(const media::Frame& frame) {
  if (!copies_) {
    // This thread serves all links: it makes the memory of one copy at a time.
    auto store = std::make_shared<media::PixelStore>(size_.pixels() * media::kBytesPerRgbaPixel,
                                                     media::Backing::shared);
    copies_.emplace(size_, capacity_, 1, std::move(store));
  }
  auto copy = copies_->try_acquire();
  if (!copy) return fail("all {} frames of shared memory are out", capacity_);
  copy->stamp() = frame.stamp();
  if (frame.format() == media::PixelFormat::rgb24) {
    media::unpack_rgb24(frame.pixels(), copy->rgba());
  } else {
    std::copy(frame.rgba().begin(), frame.rgba().end(), copy->rgba().begin());
    if (format_ == PixelFormat::rgb24) media::make_opaque(copy->rgba());
  }
  auto copied = std::move(*copy).publish();
  if (!copied.shared_place()) return fail("the system gives no shared memory");
  return copied;
}

Result<Lender::LentFrame> Lender::lend(FrameIndex index, const media::Frame& frame) {
  const bool is_copy = !can_show(frame);
  auto shown = is_copy ? copy(frame) : Result<media::Frame>(frame);
  SUBMIX_TRY(shown);
  const auto place = *shown->shared_place();
  const bool is_new = !is_known(place.memory);
  if (is_new) known_.push_back({place.memory.id(), place.memory.weak_from_this()});
  lent_->add(index, *shown);
  return LentFrame{std::move(*shown), &place.memory, place.offset_bytes, is_new, is_copy};
}

}  // namespace submix::link
