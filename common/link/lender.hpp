// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/frame_pool.hpp"
#include "common/media/shared_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace submix::link {

/// Frames that another process reads where they are, until it says that it does so no more or is gone. They
/// outlive the link that lent them: its end does not tell that nobody reads them.
///
/// Threads  Confined (net).
/// Cost     No allocation after the constructor.
class LentFrames {
 public:
  /// `returns`: a socket from which the other process's returned frame numbers come.
  LentFrames(Descriptor returns, std::size_t capacity);

  [[nodiscard]] bool has_room() const { return frames_.size() < capacity_; }
  void add(FrameIndex index, const media::Frame& frame);
  /// Gives back what has been returned.
  void collect();
  /// Nobody reads any of them.
  [[nodiscard]] bool is_over() const { return frames_.empty(); }
  [[nodiscard]] std::size_t size() const { return frames_.size(); }

 private:
  struct Lent {
    std::uint64_t number;
    media::Frame frame;
  };

  void give_back(std::uint64_t number);

  const Descriptor returns_;
  const std::size_t capacity_;
  std::vector<Lent> frames_;
  std::array<std::uint8_t, 8> partial_{};  // of a number that has not come as a whole
  std::size_t partial_bytes_ = 0;
};

/// The sending side of one local link's memory: which memory the receiver has mapped, and which frames it
/// has.
///
/// Threads  Confined (net).
/// Cost     No allocation for a frame; a frame that lies in no shared memory is copied once, into a pool made
/// for
///          that at the first one.
class Lender {
 public:
  /// `far_returns` is for the receiver. Errors: no descriptor left.
  [[nodiscard]] static Result<std::unique_ptr<Lender>> open(Size size, std::size_t capacity);

  [[nodiscard]] Descriptor take_far_returns() { return std::move(far_returns_); }
  [[nodiscard]] const std::shared_ptr<LentFrames>& lent() const { return lent_; }

  /// Memory of frames that are all gone, so that the receiver can forget it.
  [[nodiscard]] std::optional<std::uint64_t> next_forgotten();

  struct Place {
    media::Frame frame;                 ///< the one asked for, or its copy
    const media::SharedMemory* memory;  ///< where it lies
    std::size_t offset_bytes;
    bool is_new;  ///< the receiver does not know the memory yet
    bool is_copy;
  };
  /// Where the receiver finds the frame, which is lent from now on.
  [[nodiscard]] Result<Place> lend(FrameIndex index, const media::Frame& frame);

 private:
  struct Known {
    std::uint64_t id;
    std::weak_ptr<const media::SharedMemory> memory;
  };

  Lender(Size size, std::size_t capacity, Descriptor near_returns, Descriptor far_returns);
  [[nodiscard]] bool can_show(const media::Frame& frame) const;
  [[nodiscard]] Result<media::Frame> copy(const media::Frame& frame);
  [[nodiscard]] bool is_known(const media::SharedMemory& memory) const;

  const Size size_;
  const std::size_t capacity_;
  Descriptor far_returns_;
  const std::shared_ptr<LentFrames> lent_;
  std::vector<Known> known_;
  std::optional<media::FramePool> copies_;
};

}  // namespace submix::link
