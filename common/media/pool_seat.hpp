// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/media/frame.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

/// What a Frame refers to; for those who make frames only.
namespace submix::media::detail {

struct PoolSeat;

/// Where a seat's frame goes back to when its last reference is gone. Synchronized.
class SeatOwner {
 public:
  explicit SeatOwner(Size frame_size, PixelFormat pixel_format = PixelFormat::rgba)
      : size(frame_size), format(pixel_format) {}
  SeatOwner(const SeatOwner&) = delete;
  SeatOwner& operator=(const SeatOwner&) = delete;
  virtual ~SeatOwner() = default;
  virtual void take_back(PoolSeat& seat) = 0;

  const Size size;
  const PixelFormat format;

  /// Whether whoever has the only reference may write there.
  [[nodiscard]] virtual bool is_writable() const = 0;
};

/// One frame's place. `references` is 0 while the seat is free.
struct PoolSeat {
  std::uint8_t* pixels = nullptr;
  const SharedMemory* memory = nullptr;  // where others can map the pixels; null: nowhere
  std::size_t margin_bytes = 0;          // as SharedPlace has it
  std::atomic<std::uint32_t> references{0};
  std::atomic<bool> is_published{false};  // these three: for instruments, relaxed
  std::atomic<std::uint64_t> holders{0};  // marks of those who have it in their hands
  std::atomic<std::uint64_t> takers{0};   // and of all who had it since it was lent
  std::uint64_t loans = 0;                // the pool's lock guards it
  FrameStamp stamp;
  SeatOwner* owner = nullptr;
  std::shared_ptr<SeatOwner>
      keeps_alive;  // set while lent out, so that frames outlive their owner's owner
};

}  // namespace submix::media::detail
