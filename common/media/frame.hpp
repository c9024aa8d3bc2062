// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/units.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace submix::media {

class SharedMemory;

namespace detail {
struct PoolSeat;
}

class WritableFrame;

using submix::bytes_per_pixel;
using submix::PixelFormat;

inline constexpr std::size_t kBytesPerRgbaPixel = bytes_per_pixel(PixelFormat::rgba);
inline constexpr std::size_t kBytesPerRgb24Pixel = bytes_per_pixel(PixelFormat::rgb24);

/// Where a frame comes from and when it is due. Travels with the frame, also from node to node.
struct FrameStamp {
  std::uint64_t epoch = 0;          ///< life of the stream or source that made it
  FrameIndex index;                 ///< position in this epoch
  std::chrono::nanoseconds pts{0};  ///< time since the epoch's first frame, at the show's rate
  LocalTime made{};                 ///< when its source began it, on this machine's clock
};

/// Where another process finds a frame's pixels. Valid for as long as the frame is.
struct SharedPlace {
  const SharedMemory& memory;
  std::size_t offset_bytes;  ///< a multiple of 64
  /// Unused bytes before the pixels. A process that maps them together with the pixels, and nothing
  /// more, maps huge pages only. 0: no margin.
  std::size_t margin_bytes = 0;
};

/// A finished picture: a counted reference to a pool's seat. A copy shares the pixels.
///
/// Shape    RGBA, or RGB24 if its pool says so; 8 bits a channel, rows without padding, top row
///          first; the first byte is 64-byte aligned. Alpha is not premultiplied.
/// Threads  Immutable pixels. A Frame object is Compatible; copies may live on any threads.
/// Cost     Copy and destruction: an atomic operation each. No allocation.
class Frame {
 public:
  Frame() = default;  ///< empty: no picture
  Frame(const Frame& other);
  Frame(Frame&& other) noexcept;
  Frame& operator=(Frame other) noexcept;
  ~Frame();

  [[nodiscard]] explicit operator bool() const { return seat_ != nullptr; }
  [[nodiscard]] Size size() const;
  [[nodiscard]] PixelFormat format() const;
  [[nodiscard]] const FrameStamp& stamp() const;
  /// In its format.
  [[nodiscard]] std::span<const std::uint8_t> pixels() const;
  /// Only for an RGBA frame.
  [[nodiscard]] std::span<const std::uint8_t> rgba() const;
  /// Empty: the pixels are private to this process.
  [[nodiscard]] std::optional<SharedPlace> shared_place() const;
  /// True: the pixels lie in another process's memory (BorrowedFrames).
  [[nodiscard]] bool is_borrowed() const;
  /// The number of references at this moment, this object included. For instruments, as it may
  /// change at once.
  [[nodiscard]] std::uint32_t references() const;
  /// For instruments: the holders with these marks, a bit each, hold the frame from now on, or no
  /// longer.
  void add_holders(std::uint64_t marks) const;
  void remove_holders(std::uint64_t marks) const;
  /// Takes the frame for drawing if this is the only reference and the pixels may be written; this
  /// object is empty then. Otherwise returns empty and changes nothing.
  [[nodiscard]] std::optional<WritableFrame> take_for_writing();
  /// The seat as SeatNote names it, for comparing only. Null: no picture.
  [[nodiscard]] const void* seat() const { return seat_; }

 private:
  friend class AtomicFrame;
  friend class BorrowedFrames;
  friend class WritableFrame;
  explicit Frame(detail::PoolSeat* seat) : seat_(seat) {}
  detail::PoolSeat* seat_ = nullptr;
};

/// A picture being made: the only reference to its seat. Move-only; publish() makes it a Frame. Its
/// pixels are left over from the seat's last use.
class WritableFrame {
 public:
  WritableFrame(WritableFrame&& other) noexcept;
  WritableFrame& operator=(WritableFrame&& other) noexcept;
  WritableFrame(const WritableFrame&) = delete;
  ~WritableFrame();

  [[nodiscard]] Size size() const;
  [[nodiscard]] PixelFormat format() const;
  [[nodiscard]] FrameStamp& stamp();
  [[nodiscard]] std::span<std::uint8_t> pixels();
  [[nodiscard]] std::span<std::uint8_t> rgba();
  /// Empty: the pixels are private to this process.
  [[nodiscard]] std::optional<SharedPlace> shared_place() const;
  [[nodiscard]] Frame publish() &&;

 private:
  friend class Frame;
  friend class FramePool;
  explicit WritableFrame(detail::PoolSeat* seat) : seat_(seat) {}
  detail::PoolSeat* seat_ = nullptr;
};

}  // namespace submix::media
