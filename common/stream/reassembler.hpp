// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/frame_pool.hpp"
#include "common/wire/message.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace submix::stream {

/// How far a receiver has come in one epoch.
struct EpochProgress {
  std::uint64_t epoch = 0;
  FrameIndex first;               ///< where it began
  FrameIndex next;                ///< to be released
  std::uint64_t frames_lost = 0;  ///< of those between: the sender had them no more
};

struct ReassemblerOptions {
  Size size;
  std::size_t credits = 4;      ///< frames in flight or waiting to be taken
  std::size_t frames_held = 8;  ///< frames that those who take them may hold besides
  media::PixelFormat format = media::PixelFormat::rgba;  ///< of the frames
};

/// The receiver's core: puts stripes from any links into frames and releases whole frames in order.
///
/// Shape    Its pool has credits + frames_held frames. Credit is granted only with a free frame in hand, so
///          that a granted frame can always be received.
/// Threads  Compatible; but the bytes of room() may be written without the lock, by the thread that alone
/// calls
///          begin_epoch(), begin_stripe(), advance() and lose_link(): nothing else ends a claim.
/// Cost     No allocation after the constructor.
/// Errors   A stripe that cannot be right fails, naming value and limit, and changes nothing.
class Reassembler {
 public:
  explicit Reassembler(ReassemblerOptions options);

  // -- the links' side; `link` is less than wire::kLinksMax
  /// Where a sender of this epoch must go on; empty when a newer one is known already.
  [[nodiscard]] std::optional<wire::Ack> position_for(std::uint64_t epoch,
                                                      FrameIndex first_retained) const;
  /// A sender has proven itself. A newer epoch ends the former: what is whole of that stays to be taken.
  /// Frames that the sender has no more are skipped and counted as lost.
  /// Answers how far the former came, where one ends.
  std::optional<EpochProgress> begin_epoch(std::uint64_t epoch, FrameIndex first_retained);
  /// The next sender of another epoch takes over, also where its epoch is less.
  void give_up_epoch() { is_given_up_ = true; }
  /// `link` will bring this stripe. Several links may bring the same cells: the first that is done counts.
  [[nodiscard]] Result<void> begin_stripe(std::size_t link, const wire::StripeHeader& stripe);
  /// Where the link's next pixels go, in the frames' format; empty: they are not needed, skip them.
  [[nodiscard]] std::span<std::uint8_t> room(std::size_t link);
  [[nodiscard]] std::uint32_t pixels_due(std::size_t link) const {
    return claims_[link].pixels_due;
  }
  /// `pixels` of the stripe have come. True when that has completed the frame which is next to be taken.
  bool advance(std::size_t link, std::uint32_t pixels, LocalTime now);
  /// Frame `index` has come as a whole, with its stamp, in somebody else's memory. True when it is next to be
  /// taken.
  [[nodiscard]] Result<bool> put_whole(std::uint64_t epoch, FrameIndex index, media::Frame frame);
  void lose_link(std::size_t link);

  // -- the patch's side
  /// The next frame, once it is whole. Of one that lies in somebody else's memory, `room` becomes the place
  /// where it can be copied to.
  [[nodiscard]] std::optional<media::Frame> take(
      std::optional<media::WritableFrame>* room = nullptr);
  /// Looks for free frames and grants credit for them. True when that changed the credit limit.
  bool grant_credit();

  [[nodiscard]] wire::Ack ack() const { return {epoch_, released_, granted_, {}}; }
  [[nodiscard]] bool is_short_of_frames() const {
    return granted_.value < released_.value + slots_.size();
  }
  [[nodiscard]] EpochProgress progress() const {
    return {epoch_, began_at_, released_, epoch_lost_};
  }
  [[nodiscard]] std::size_t frames_ready() const;
  /// Of these, released already: they were whole when an epoch ended, or before a gap.
  [[nodiscard]] std::size_t frames_left_over() const { return left_over_.size(); }
  /// Frames that wait to be taken, and of those to come, whose pixels are in somebody else's memory.
  [[nodiscard]] std::size_t foreign_frames() const;
  [[nodiscard]] std::uint64_t frames_lost() const { return frames_lost_; }
  /// Of its pool; those that frames are received into, or wait in to be taken, are not published yet.
  [[nodiscard]] std::vector<media::SeatNote> seats() const { return pool_.notes(); }
  [[nodiscard]] std::uint64_t stripes_duplicated() const { return stripes_duplicated_; }

 private:
  struct Slot {
    std::optional<media::WritableFrame> frame;  // there from its first stripe on
    media::Frame foreign;                       // instead, where it came as a whole
    std::vector<bool> has_cell;
    std::size_t cells_missing = 0;
  };
  struct Claim {
    wire::StripeHeader stripe;
    std::uint32_t pixels_due = 0;
    bool is_wanted = false;
  };

  [[nodiscard]] Slot& slot(FrameIndex index) { return slots_[index.value % slots_.size()]; }
  [[nodiscard]] const Slot& slot(FrameIndex index) const {
    return slots_[index.value % slots_.size()];
  }
  [[nodiscard]] Result<void> check_range(const wire::StripeHeader& stripe) const;
  [[nodiscard]] bool is_missing(const wire::StripeHeader& stripe) const;
  [[nodiscard]] bool is_whole(FrameIndex index) const;
  [[nodiscard]] static media::Frame take_from(Slot& slot);
  void seat(Slot& slot);
  void skip_to(FrameIndex first_retained);
  void keep_whole_frames();
  void restart_slots(FrameIndex first);

  ReassemblerOptions options_;
  std::size_t cells_per_frame_;
  media::FramePool pool_;
  std::vector<Slot> slots_;  // a ring; the frames released_ to granted_ have one each
  // For those of them of which nothing has come yet, the hottest last: a receiver that keeps up fills the
  // seat again that was just given back, so that two or three seats stay in the cache, not all.
  std::vector<media::WritableFrame> in_hand_;
  std::array<Claim, wire::kLinksMax> claims_;
  std::vector<media::Frame> left_over_;  // whole frames of an epoch that has ended, last one first
  std::uint64_t epoch_ = 0;              // 0: no sender has come yet
  bool is_given_up_ = false;             // the epoch: see give_up_epoch()
  FrameIndex began_at_;                  // in this epoch
  FrameIndex released_;
  FrameIndex granted_;
  std::uint64_t epoch_lost_ = 0;  // of frames_lost_, in this epoch
  std::uint64_t frames_lost_ = 0;
  std::uint64_t stripes_duplicated_ = 0;
};

}  // namespace submix::stream
