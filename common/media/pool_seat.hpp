// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/media/frame.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

/// The target of a Frame; only for code that makes frames.
namespace submix::media::detail {

struct PoolSeat;

/// The owner to which a seat returns when the last reference to its frame is gone. Synchronized.
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

  /// True: the holder of the only reference may write the pixels.
  [[nodiscard]] virtual bool is_writable() const = 0;
};

/// The place of a frame. `references` is 0 while the seat is free.
struct PoolSeat {
  std::uint8_t* pixels = nullptr;
  const SharedMemory* memory = nullptr;  // where other processes can map the pixels; null: nowhere
  std::size_t margin_bytes = 0;          // as in SharedPlace
  std::atomic<std::uint32_t> references{0};
  std::atomic<bool> is_published{false};  // this and the next two members: for instruments, relaxed
  std::atomic<std::uint64_t> holders{0};  // marks of the present holders
  std::atomic<std::uint64_t> takers{0};   // marks of all holders since the seat was lent
  std::uint64_t loans = 0;                // guarded by the pool's lock
  FrameStamp stamp;
  SeatOwner* owner = nullptr;
  // set while lent out, so that frames outlive the pool or borrower object
  std::shared_ptr<SeatOwner> keeps_alive;
};

}  // namespace submix::media::detail
