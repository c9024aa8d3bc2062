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

/// The owner to which borrowed frames go back.
class FrameLender {
 public:
  FrameLender() = default;
  FrameLender(const FrameLender&) = delete;
  FrameLender& operator=(const FrameLender&) = delete;
  virtual ~FrameLender() = default;
  /// Frame `number` is no longer read. Called on the thread of its last reader, which must not be
  /// held up.
  virtual void take_back(std::uint64_t number) = 0;
};

/// A frame whose pixels lie in another process's memory.
struct BorrowedPlace {
  std::shared_ptr<const SharedMemory> memory;  ///< stays mapped until the frame is gone
  /// of its pixels, a multiple of 64; the pixels end within the memory
  std::size_t offset_bytes = 0;
  FrameStamp stamp;
  std::shared_ptr<FrameLender> lender;
  std::uint64_t number = 0;  ///< for the lender
};

/// Makes frames from pixels of another owner, without copying or allocating.
///
/// Shape    At most `capacity` frames at a time.
/// Threads  Synchronized.
/// Owner    Frames outlive this object, as they outlive a FramePool.
class BorrowedFrames {
 public:
  BorrowedFrames(Size size, std::size_t capacity);

  /// Empty if `capacity` frames are out; the lender is not called then.
  [[nodiscard]] std::optional<Frame> borrow(BorrowedPlace loan);
  [[nodiscard]] std::size_t frames_out() const;

 private:
  std::shared_ptr<detail::Borrowings> borrowings_;
};

}  // namespace submix::media
