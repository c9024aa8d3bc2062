// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/reassembler.hpp"

#include "common/base/assert.hpp"

#include <algorithm>
#include <utility>

namespace submix::stream {
namespace {

struct Cells {
  std::size_t begin;
  std::size_t end;
};

Cells cells_of(const wire::StripeHeader& stripe) {
  const auto end_pixel = std::size_t{stripe.offset_pixels} + stripe.pixels;
  return {stripe.offset_pixels / wire::kCellPixels,
          (end_pixel + wire::kCellPixels - 1) / wire::kCellPixels};
}

// Frames with memory from the beginning: one is received, one is shown, one is in a tap.
constexpr std::size_t kFramesAtOnce = 3;

}  // namespace

Reassembler::Reassembler(ReassemblerOptions options)
    : options_(options),
      cells_per_frame_((options.size.pixels() + wire::kCellPixels - 1) / wire::kCellPixels),
      pool_(options.size, options.credits + options.frames_held, kFramesAtOnce,
            std::make_shared<media::PixelStore>(
                options.size.pixels() * media::bytes_per_pixel(options.format), options.backing),
            options.format),
      slots_(options.credits),
      tail_(pool_.capacity()),
      window_(options.credits) {
  SUBMIX_ASSERT(options.credits > 0);
  for (auto& each : slots_)
    each.has_cell.resize(cells_per_frame_);
  in_hand_.reserve(options.credits);
  grant_credit();
}

std::optional<wire::Ack> Reassembler::position_for(std::uint64_t epoch,
                                                   FrameIndex first_retained) const {
  if (epoch < epoch_ && !is_given_up_) return std::nullopt;
  // No frame of a new epoch is granted before the sender has proven its identity.
  if (epoch != epoch_) return wire::Ack{epoch, first_retained, first_retained, {}};
  const auto next = std::max(released_, first_retained);
  return wire::Ack{epoch, next, std::max(granted_, next), {}};
}

std::optional<EpochProgress> Reassembler::begin_epoch(std::uint64_t epoch,
                                                      FrameIndex first_retained) {
  SUBMIX_ASSERT(epoch >= epoch_ || is_given_up_);
  if (epoch == epoch_) {
    skip_to(first_retained);
    return std::nullopt;
  }

  keep_whole_frames();
  const auto ended = progress();
  epoch_ = epoch;
  is_given_up_ = false;
  began_at_ = first_retained;
  epoch_lost_ = 0;
  restart_slots(first_retained);
  return ended.epoch == 0 ? std::nullopt : std::optional(ended);
}

void Reassembler::skip_to(FrameIndex first_retained) {
  if (first_retained <= released_) return;
  keep_whole_frames();
  if (first_retained <= released_) return;
  frames_lost_ += first_retained.value - released_.value;
  epoch_lost_ += first_retained.value - released_.value;
  restart_slots(first_retained);
}

void Reassembler::keep_whole_frames() {
  for (; is_whole(released_); released_ = released_.next()) {
    tail_.add(take_from(slot(released_)));
    slot(released_).frame.reset();
  }
}

media::Frame Reassembler::take_from(Slot& slot) {
  if (slot.foreign) return std::exchange(slot.foreign, {});
  auto frame = std::move(*slot.frame).publish();
  slot.frame.reset();
  return frame;
}

void Reassembler::restart_slots(FrameIndex first) {
  for (auto& claim : claims_)
    claim.is_wanted = false;
  for (auto& each : slots_) {
    each.frame.reset();
    each.foreign = {};
  }
  in_hand_.clear();
  released_ = first;
  granted_ = first;
  grant_credit();
}

bool Reassembler::grant_credit() {
  const auto before = granted_;
  while (is_short_of_frames()) {
    auto frame = pool_.try_acquire();
    if (!frame) break;
    auto& fresh = slot(granted_);
    in_hand_.push_back(std::move(*frame));
    std::fill(fresh.has_cell.begin(), fresh.has_cell.end(), false);
    fresh.cells_missing = cells_per_frame_;
    granted_ = granted_.next();
  }
  return granted_ != before;
}

Result<void> Reassembler::check_range(const wire::StripeHeader& stripe) const {
  const auto frame_pixels = options_.size.pixels();
  const auto end = std::size_t{stripe.offset_pixels} + stripe.pixels;
  if (stripe.epoch != epoch_) return fail("stripe of epoch {} in epoch {}", stripe.epoch, epoch_);
  if (stripe.pixels == 0 || stripe.pixels > wire::kStripePixelsMax) {
    return fail("stripe of {} pixels is not within 1 to {}", stripe.pixels, wire::kStripePixelsMax);
  }
  if (end > frame_pixels) {
    return fail("stripe from pixel {} to {} in a frame of {}", stripe.offset_pixels, end,
                frame_pixels);
  }
  if (stripe.offset_pixels % wire::kCellPixels != 0 ||
      (end % wire::kCellPixels != 0 && end != frame_pixels)) {
    return fail("stripe from pixel {} to {} does not start and end at multiples of {}",
                stripe.offset_pixels, end, wire::kCellPixels);
  }
  if (stripe.frame >= granted_) {
    return fail("stripe of frame {}, credit ends before {}", stripe.frame.value, granted_.value);
  }
  return {};
}

Result<void> Reassembler::begin_stripe(std::size_t link, const wire::StripeHeader& stripe) {
  auto& claim = claims_[link];
  SUBMIX_ASSERT(claim.pixels_due == 0);
  if (auto checked = check_range(stripe); !checked) return checked;
  const bool is_wanted = is_missing(stripe);
  if (is_wanted) seat(slot(stripe.frame));
  claim = {stripe, stripe.pixels, is_wanted};
  return {};
}

void Reassembler::seat(Slot& slot) {
  if (slot.frame) return;
  SUBMIX_ASSERT(!in_hand_.empty());
  slot.frame.emplace(std::move(in_hand_.back()));
  in_hand_.pop_back();
}

std::span<std::uint8_t> Reassembler::room(std::size_t link) {
  const auto& claim = claims_[link];
  if (!claim.is_wanted) return {};
  const std::size_t done = claim.stripe.pixels - claim.pixels_due;
  const auto pixel_bytes = media::bytes_per_pixel(options_.format);
  return slot(claim.stripe.frame)
      .frame->pixels()
      .subspan((claim.stripe.offset_pixels + done) * pixel_bytes, claim.pixels_due * pixel_bytes);
}

bool Reassembler::is_missing(const wire::StripeHeader& stripe) const {
  if (stripe.frame < released_) return false;
  const auto& has_cell = slot(stripe.frame).has_cell;
  const auto cells = cells_of(stripe);
  const auto begin = has_cell.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(cells.end);
  return std::find(begin + static_cast<std::ptrdiff_t>(cells.begin), end, false) != end;
}

bool Reassembler::advance(std::size_t link, std::uint32_t pixels, LocalTime now) {
  auto& claim = claims_[link];
  SUBMIX_ASSERT(pixels <= claim.pixels_due);
  claim.pixels_due -= pixels;
  if (claim.pixels_due > 0 || !std::exchange(claim.is_wanted, false)) return false;

  auto& target = slot(claim.stripe.frame);
  const auto cells = cells_of(claim.stripe);
  for (auto cell = cells.begin; cell < cells.end; ++cell) {
    if (!target.has_cell[cell]) --target.cells_missing;
    target.has_cell[cell] = true;
  }
  if (target.cells_missing > 0) return false;

  // Other links that still bring parts of this frame are too late and must not write into it any
  // more.
  for (auto& each : claims_) {
    if (each.stripe.frame == claim.stripe.frame) each.is_wanted = false;
  }

  target.frame->stamp() = {epoch_, claim.stripe.frame, claim.stripe.pts, now};
  target.completed = now;
  return claim.stripe.frame == released_;
}

Result<bool> Reassembler::put_whole(std::uint64_t epoch, FrameIndex index, media::Frame frame,
                                    LocalTime now) {
  if (epoch != epoch_) return fail("frame of epoch {} in epoch {}", epoch, epoch_);
  if (index >= granted_)
    return fail("frame {}, credit ends before {}", index.value, granted_.value);
  if (index < released_ || is_whole(index)) return false;

  auto& target = slot(index);
  seat(target);  // the pool's frame, in case the pixels must be copied
  target.foreign = std::move(frame);
  target.cells_missing = 0;
  target.completed = now;
  std::fill(target.has_cell.begin(), target.has_cell.end(), true);
  for (auto& each : claims_) {
    if (each.stripe.frame == index) each.is_wanted = false;
  }
  return index == released_;
}

void Reassembler::lose_link(std::size_t link) {
  claims_[link] = {};
}

bool Reassembler::is_whole(FrameIndex index) const {
  return index < granted_ && slot(index).frame.has_value() && slot(index).cells_missing == 0;
}

std::size_t Reassembler::frames_ready() const {
  auto ready = tail_.size();
  for (auto index = released_; is_whole(index); index = index.next())
    ++ready;
  return ready;
}

std::size_t Reassembler::foreign_frames() const {
  const auto in_slots = std::ranges::count_if(
      slots_, [](const Slot& each) { return static_cast<bool>(each.foreign); });
  return tail_.foreign_frames() + static_cast<std::size_t>(in_slots);
}

Reassembler::Taken Reassembler::take_with_room() {
  Taken taken;
  if (!tail_.is_empty()) {
    taken.frame = tail_.take_oldest();
    if (taken.frame->is_borrowed()) taken.room = pool_.try_acquire();
    return taken;
  }
  if (!is_whole(released_)) return taken;

  auto& next = slot(released_);
  taken.frame = take_from(next);
  taken.completed = next.completed;
  // Only a foreign frame leaves the slot's own frame unused.
  if (next.frame) taken.room = std::move(next.frame);
  next.frame.reset();

  released_ = released_.next();
  grant_credit();
  return taken;
}

}  // namespace submix::stream
