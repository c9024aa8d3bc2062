// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/striper.hpp"

#include "common/base/assert.hpp"

#include <algorithm>

namespace submix::stream {

Striper::Striper(StriperOptions options) : options_(options) {
  const auto stripe_pixels = options.stripe_pixels;
  SUBMIX_ASSERT(is_allowed(options.size) && options.frames_max > 0);
  SUBMIX_ASSERT(options.links_max > 0 && options.links_max <= wire::kLinksMax);
  SUBMIX_ASSERT(stripe_pixels > 0 && stripe_pixels % wire::kCellPixels == 0);
  SUBMIX_ASSERT(stripe_pixels <= wire::kStripePixelsMax);
  stripes_per_frame_ = (options.size.pixels() + stripe_pixels - 1) / stripe_pixels;
  entries_.resize(options.frames_max);
  for (auto& entry : entries_)
    entry.carriers.resize(stripes_per_frame_, kQueued);
}

std::uint64_t Striper::credits() const {
  const auto room = first_.value + entries_.size();
  return std::max(std::min(limit_.value, room), next_.value) - next_.value;
}

bool Striper::has_credit() const {
  return credits() > 0;
}

void Striper::offer(const media::Frame& frame) {
  SUBMIX_ASSERT(has_credit() && frame && frame.size() == options_.size);
  auto& fresh = entry(next_);
  fresh.frame = frame;
  std::fill(fresh.carriers.begin(), fresh.carriers.end(), kQueued);
  fresh.first_queued = 0;
  next_ = next_.next();
}

std::optional<Stripe> Striper::pull(std::size_t link) {
  SUBMIX_ASSERT(link < options_.links_max);
  // A new receiver may grant less than the former one did: what is beyond stays here.
  const auto end = std::min(next_, limit_);
  for (; first_with_queued_ < end; first_with_queued_ = first_with_queued_.next()) {
    auto& candidate = entry(first_with_queued_);
    const auto begin = candidate.carriers.begin();
    const auto found = std::find(begin + static_cast<std::ptrdiff_t>(candidate.first_queued),
                                 candidate.carriers.end(), kQueued);
    const auto position = static_cast<std::size_t>(found - begin);
    candidate.first_queued = std::min(position + 1, stripes_per_frame_);
    if (found == candidate.carriers.end()) continue;
    *found = static_cast<std::uint8_t>(link);
    return stripe(first_with_queued_, position);
  }
  return std::nullopt;
}

Stripe Striper::stripe(FrameIndex index, std::size_t position) {
  const auto& frame = entry(index).frame;
  const auto offset = position * options_.stripe_pixels;
  const auto pixels = std::min<std::size_t>(options_.stripe_pixels, options_.size.pixels() - offset);
  return {frame,
          {options_.epoch, index, frame.stamp().pts, static_cast<std::uint32_t>(offset),
           static_cast<std::uint32_t>(pixels)}};
}

void Striper::queue_all_of(std::optional<std::uint8_t> carrier) {
  for (auto index = first_; index < next_; index = index.next()) {
    auto& candidate = entry(index);
    for (auto& each : candidate.carriers) {
      if (!carrier || each == *carrier) each = kQueued;
    }
    candidate.first_queued = 0;
  }
  first_with_queued_ = first_;
}

void Striper::lose_link(std::size_t link) {
  SUBMIX_ASSERT(link < options_.links_max);
  queue_all_of(static_cast<std::uint8_t>(link));
}

Result<void> Striper::check_progress(FrameIndex released, FrameIndex limit) const {
  if (released > next_) {
    return fail("frame {} is called released, but {} is the next to be made", released.value, next_.value);
  }
  if (limit < released) {
    return fail("credit limit {} lies before the released frame {}", limit.value, released.value);
  }
  return {};
}

Result<void> Striper::welcome(const wire::Welcome& welcome) {
  if (auto checked = check_progress(welcome.next_frame, welcome.credit_limit); !checked) return checked;
  const bool is_new = instance_ != welcome.instance;
  if (is_new && welcome.next_frame < first_) {
    return fail("frame {} is wanted, but {} is the first retained", welcome.next_frame.value, first_.value);
  }
  release_before(welcome.next_frame);
  limit_ = is_new ? welcome.credit_limit : std::max(limit_, welcome.credit_limit);
  if (is_new) queue_all_of(std::nullopt);
  instance_ = welcome.instance;
  return {};
}

Result<void> Striper::acknowledge(const wire::Ack& ack) {
  if (ack.epoch != options_.epoch)
    return fail("epoch {} acknowledged, this is {}", ack.epoch, options_.epoch);
  if (auto checked = check_progress(ack.released, ack.credit_limit); !checked) return checked;
  release_before(ack.released);
  limit_ = std::max(limit_, ack.credit_limit);
  return {};
}

void Striper::release_before(FrameIndex released) {
  for (; first_ < released; first_ = first_.next())
    entry(first_).frame = {};
  first_with_queued_ = std::max(first_with_queued_, first_);
}

}  // namespace submix::stream
