// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/shared_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace submix::media {

namespace detail {
class Borrowings;
}

/// Whom borrowed frames go back to.
class FrameLender {
 public:
  FrameLender() = default;
  FrameLender(const FrameLender&) = delete;
  FrameLender& operator=(const FrameLender&) = delete;
  virtual ~FrameLender() = default;
  /// The frame that was borrowed as `number` is read no more. On the thread of its last reader, which must
  /// not be held up.
  virtual void take_back(std::uint64_t number) = 0;
};

/// A frame whose pixels lie in another process's memory.
struct Loan {
  std::shared_ptr<const SharedMemory> memory;  ///< stays mapped until the frame is gone
  std::size_t offset_bytes = 0;  ///< of its pixels, a multiple of 64; they end within the memory
  FrameStamp stamp;
  std::shared_ptr<FrameLender> lender;
  std::uint64_t number = 0;  ///< for the lender
};

/// Makes frames of pixels that are somebody else's, without copying or allocating.
///
/// Shape    At most `capacity` at a time.
/// Threads  Synchronized.
/// Owner    Frames outlive it, as those of a FramePool do.
class BorrowedFrames {
 public:
  BorrowedFrames(Size size, std::size_t capacity);

  /// Empty, and the lender is not told: `capacity` frames are out.
  [[nodiscard]] std::optional<Frame> borrow(Loan loan);
  [[nodiscard]] std::size_t frames_out() const;

 private:
  std::shared_ptr<detail::Borrowings> borrowings_;
};

}  // namespace submix::media
