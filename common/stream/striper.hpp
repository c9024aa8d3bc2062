// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/wire/message.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace submix::stream {

/// A piece of a frame for one link to carry.
struct Stripe {
  media::Frame frame;         ///< keeps the pixels
  wire::StripeHeader header;  ///< which of them
};

struct StriperOptions {
  Size size;
  std::uint64_t epoch = 0;
  std::size_t frames_max = 4;  ///< retained until acknowledged
  std::size_t links_max = wire::kLinksMax;
  std::uint32_t stripe_pixels = 0;  ///< a multiple of wire::kCellPixels, at most wire::kStripePixelsMax
};

/// The sender's core: numbers the frames, cuts them, remembers which link has which stripe, and keeps
/// all of it until the receiver has released the frame.
///
/// Shape    Memory is fixed by the options: a byte for each stripe of each retained frame.
/// Threads  Compatible. No socket, no clock.
/// Cost     pull(), offer(): O(1) but for a search in one frame's stripes after a link was lost.
/// Errors   Words of the receiver that cannot be true fail and change nothing.
class Striper {
 public:
  explicit Striper(StriperOptions options);

  // -- the patch's side
  [[nodiscard]] bool has_credit() const;
  /// Takes the next frame. Only with credit.
  void offer(const media::Frame& frame);

  // -- the links' side; `link` is less than links_max
  /// The oldest piece that no link has. Empty: nothing to do now.
  [[nodiscard]] std::optional<Stripe> pull(std::size_t link);
  /// What `link` had is for the other links now, oldest first.
  void lose_link(std::size_t link);

  // -- the receiver's words
  /// What a Welcome says. Another instance than before has nothing: all retained frames are sent again,
  /// and the links to the former one must be closed before they pull.
  [[nodiscard]] Result<void> welcome(const wire::Welcome& welcome);
  [[nodiscard]] Result<void> acknowledge(const wire::Ack& ack);

  [[nodiscard]] std::uint64_t epoch() const { return options_.epoch; }
  [[nodiscard]] FrameIndex first_retained() const { return first_; }
  [[nodiscard]] FrameIndex next_frame() const { return next_; }
  [[nodiscard]] std::uint64_t credits() const;  ///< frames that may still be offered
  [[nodiscard]] std::optional<std::uint64_t> instance() const { return instance_; }

 private:
  static constexpr std::uint8_t kQueued = 0xff;  // no link has it

  struct Entry {
    media::Frame frame;
    std::vector<std::uint8_t> carriers;  // for each stripe the link that has it, or kQueued
    std::size_t first_queued = 0;        // none before it is queued
  };

  [[nodiscard]] Entry& entry(FrameIndex index) { return entries_[index.value % entries_.size()]; }
  [[nodiscard]] Result<void> check_progress(FrameIndex released, FrameIndex limit) const;
  [[nodiscard]] Stripe stripe(FrameIndex index, std::size_t position);
  void release_before(FrameIndex released);
  void queue_all_of(std::optional<std::uint8_t> carrier);

  StriperOptions options_;
  std::size_t stripes_per_frame_;
  std::vector<Entry> entries_;  // a ring; the frames first_ to next_
  FrameIndex first_;
  FrameIndex next_;
  FrameIndex first_with_queued_;  // none before it has a queued stripe
  FrameIndex limit_;
  std::optional<std::uint64_t> instance_;
};

}  // namespace submix::stream
