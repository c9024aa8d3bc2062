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

/// Frames lent to another process, which reads them in shared memory. Each frame is kept until the
/// other process returns it or exits. They outlive the link that lent them, because the process may
/// read on after the link has closed.
///
/// Threads  Confined (net).
/// Cost     No allocation after the constructor.
class LentFrames {
 public:
  /// `returns`: the socket on which the other process sends the numbers of returned frames.
  LentFrames(Descriptor returns, std::size_t capacity);

  [[nodiscard]] bool has_room() const { return frames_.size() < capacity_; }
  void add(FrameIndex index, const media::Frame& frame);
  /// Releases the frames that were returned since the last call.
  void collect();
  /// True when no lent frame is left.
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
  std::array<std::uint8_t, 8> partial_{};  // bytes of a number that has not arrived completely
  std::size_t partial_bytes_ = 0;
};

/// The sending side of a local link's memory: knows which memory the receiver has mapped and which
/// frames it holds.
///
/// Threads  Confined (net).
/// Cost     No allocation for a frame. A frame outside shared memory is copied once, into a pool
///          that the first copy creates; so is a frame with alpha, if the stream has none. For
///          such a stream the alpha of each frame is read.
class Lender {
 public:
  /// Makes the pair of sockets for returned frames; take_far_returns() gives the receiver's end.
  /// `format` is the stream's: with rgb24 all lent pixels are opaque.
  ///
  /// Errors   No file descriptor is free.
  [[nodiscard]] static Result<std::unique_ptr<Lender>> open(Size size, PixelFormat format,
                                                            std::size_t capacity);

  [[nodiscard]] Descriptor take_far_returns() { return std::move(far_returns_); }
  [[nodiscard]] const std::shared_ptr<LentFrames>& lent() const { return lent_; }

  /// The id of one memory whose frames are all gone, so that the receiver can unmap it. Empty:
  /// none.
  [[nodiscard]] std::optional<std::uint64_t> next_forgotten();

  struct LentFrame {
    media::Frame frame;                 ///< the given frame, or its copy
    const media::SharedMemory* memory;  ///< where the frame lies
    std::size_t offset_bytes;
    bool is_new;  ///< the receiver does not know this memory yet
    bool is_copy;
  };
  /// Lends the frame and returns where the receiver finds it.
  [[nodiscard]] Result<LentFrame> lend(FrameIndex index, const media::Frame& frame);

 private:
  struct KnownMemory {
    std::uint64_t id;
    std::weak_ptr<const media::SharedMemory> memory;
  };

  Lender(Size size, PixelFormat format, std::size_t capacity, Descriptor near_returns,
         Descriptor far_returns);
  [[nodiscard]] bool can_show(const media::Frame& frame) const;
  [[nodiscard]] Result<media::Frame> copy(const media::Frame& frame);
  [[nodiscard]] bool is_known(const media::SharedMemory& memory) const;

  const Size size_;
  const PixelFormat format_;
  const std::size_t capacity_;
  Descriptor far_returns_;
  const std::shared_ptr<LentFrames> lent_;
  std::vector<KnownMemory> known_;
  std::optional<media::FramePool> copies_;
};

}  // namespace submix::link
