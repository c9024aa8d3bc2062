// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

/// A sender writes marks into the pixels of each frame, and a receiver checks them. A mark states
/// the frame's index and has a hash that proves its place.
///
/// A frame has a cell for each 1,024 pixels. In frame n the cells n mod 4, n mod 4 + 4, … carry a
/// mark of six pixels, at a position in the cell that moves with n. The first cell always carries a
/// mark. A missing, stale, misplaced or foreign stripe of four or more cells is therefore always
/// noticed. Within some frames, so is any single wrong pixel.
///
/// Cost     XGA: 193 marks, a few microseconds.
namespace submix::throughput {

struct FrameMark {
  std::uint32_t stream = 0;
  std::uint64_t index = 0;

  friend bool operator==(const FrameMark&, const FrameMark&) = default;
};

/// Pixels of 3 bytes (RGB) or 4 bytes (RGBA; alpha is neither written nor read).
template <typename Byte>
struct PixelRange {
  std::span<Byte> bytes;
  std::size_t bytes_per_pixel = 4;
};

struct MarkReading {
  std::optional<FrameMark> mark;  ///< empty: the first cell's mark is unreadable
  std::size_t cells_wrong = 0;    ///< cells without a valid mark of this frame

  [[nodiscard]] bool is_whole() const { return mark && cells_wrong == 0; }
};

/// A frame has at least 16x16 pixels, so it has a cell.
void write_marks(PixelRange<std::uint8_t> pixels, const FrameMark& mark);
[[nodiscard]] MarkReading read_marks(PixelRange<const std::uint8_t> pixels);

}  // namespace submix::throughput
