// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/frame_pool.hpp"
#include "common/stream/epoch_tail.hpp"
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
  FrameIndex first;               ///< the first frame of this epoch here
  FrameIndex next;                ///< the next frame to release
  std::uint64_t frames_lost = 0;  ///< frames of this epoch that the sender no longer had
};

struct ReassemblerOptions {
  Size size;
  std::size_t credits = 4;      ///< most frames in flight or waiting to be taken
  std::size_t frames_held = 8;  ///< further frames that the callers of take() may hold
  media::PixelFormat format = media::PixelFormat::rgba;  ///< pixel format of the frames
  media::Backing backing = media::Backing::own;          ///< of the frames' memory
};

/// The receiver's core: puts the stripes of any links into frames and releases complete frames in
/// order.
///
/// Shape    The pool has credits + frames_held frames; memory comes with their first use. A credit
///          is granted with a free frame in hand only, so each granted frame has memory.
/// Threads  Compatible, with one exception: the bytes of room() may be written without the lock, by
///          the thread that calls begin_epoch(), begin_stripe(), advance() and lose_link(). Only
///          these calls end a claim, and only this thread may make them.
/// Cost     No allocation after the constructor.
/// Errors   An invalid stripe is rejected with its value and the limit. The state is unchanged.
class Reassembler {
 public:
  explicit Reassembler(ReassemblerOptions options);

  // Called by the links. `link` is less than wire::kLinksMax.
  /// Where a sender of this epoch must continue. Empty: a newer epoch is already known.
  [[nodiscard]] std::optional<wire::Ack> position_for(std::uint64_t epoch,
                                                      FrameIndex first_retained) const;
  /// Begins or continues an epoch for an authenticated sender. A newer epoch ends the previous
  /// epoch, whose complete frames can still be taken. Frames that the sender no longer has are
  /// skipped and counted as lost. Returns the progress of the epoch that ended, if any.
  std::optional<EpochProgress> begin_epoch(std::uint64_t epoch, FrameIndex first_retained);
  /// Lets the next sender of another epoch take over, even with a lower epoch.
  void give_up_epoch() { is_given_up_ = true; }
  /// `link` will bring this stripe. Several links may bring the same cells; the first complete one
  /// counts.
  [[nodiscard]] Result<void> begin_stripe(std::size_t link, const wire::StripeHeader& stripe);
  /// Where the link's next pixels go, in the frames' format. Empty: the pixels are not needed; skip
  /// them.
  [[nodiscard]] std::span<std::uint8_t> room(std::size_t link);
  [[nodiscard]] std::uint32_t pixels_due(std::size_t link) const {
    return claims_[link].pixels_due;
  }
  /// `pixels` of the stripe have arrived. Returns true if this completed the next frame to be
  /// taken.
  bool advance(std::size_t link, std::uint32_t pixels, LocalTime now);
  /// A complete frame has arrived in foreign memory, with its stamp. Returns true if it is the next
  /// to be taken.
  [[nodiscard]] Result<bool> put_whole(std::uint64_t epoch, FrameIndex index, media::Frame frame,
                                       LocalTime now);
  void lose_link(std::size_t link);

  // Called by the patch.
  /// The next complete frame. Empty: none is complete.
  [[nodiscard]] std::optional<media::Frame> take() { return take_with_room().frame; }
  /// A taken frame. If its pixels are in foreign memory, `room` is a frame of this pool into which
  /// they can be copied; empty if the pool has no free frame.
  struct Taken {
    std::optional<media::Frame> frame;
    std::optional<media::WritableFrame> room;
    LocalTime completed;  ///< when its last pixels came; 0: left over from an earlier epoch
  };
  [[nodiscard]] Taken take_with_room();
  /// Acquires free frames and grants credit for them. Returns true if the credit limit changed.
  bool grant_credit();
  /// Grants credit for `frames` frames, 1 to ReassemblerOptions::credits, from now on. Credit that
  /// the sender has stays valid.
  void set_window(std::size_t frames) { window_ = frames; }

  [[nodiscard]] wire::Ack ack() const { return {epoch_, released_, granted_, {}}; }
  [[nodiscard]] bool is_short_of_frames() const {
    return granted_.value < released_.value + window_;
  }
  [[nodiscard]] EpochProgress progress() const {
    return {epoch_, began_at_, released_, epoch_lost_};
  }
  [[nodiscard]] std::size_t frames_ready() const;
  /// Ready frames that were already released: complete when an epoch ended, or before a gap.
  [[nodiscard]] std::size_t frames_left_over() const { return tail_.size(); }
  /// Frames in foreign memory: waiting to be taken, or complete but not next.
  [[nodiscard]] std::size_t foreign_frames() const;
  [[nodiscard]] std::uint64_t frames_lost() const { return frames_lost_; }
  /// Notes on the pool's frames. A frame that is being received or waits to be taken is
  /// unpublished.
  [[nodiscard]] std::vector<media::SeatNote> seats() const { return pool_.notes(); }

 private:
  struct Slot {
    std::optional<media::WritableFrame> frame;  // present from its first stripe on
    media::Frame foreign;  // a complete frame in foreign memory, in place of `frame`
    std::vector<bool> has_cell;
    std::size_t cells_missing = 0;
    LocalTime completed;
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
  std::vector<Slot> slots_;  // a ring with one slot for each frame from released_ to granted_
  // Free frames for the slots that have received nothing yet, the most recently used last. A
  // receiver that keeps up reuses the frame that was just given back, so only two or three frames
  // occupy the cache.
  std::vector<media::WritableFrame> in_hand_;
  std::array<Claim, wire::kLinksMax> claims_;
  EpochTail tail_;
  std::size_t window_;        // see set_window()
  std::uint64_t epoch_ = 0;   // 0: no sender has come yet
  bool is_given_up_ = false;  // see give_up_epoch()
  FrameIndex began_at_;       // first frame of this epoch
  FrameIndex released_;
  FrameIndex granted_;
  std::uint64_t epoch_lost_ = 0;  // part of frames_lost_: in this epoch
  std::uint64_t frames_lost_ = 0;
};

}  // namespace submix::stream
