// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

/// What a sender writes into the pixels of each frame and a receiver reads there: which frame it is, and a
/// hash by which each mark proves that it belongs there. A frame has a cell for each 1024 pixels; in frame n
/// the cells n mod 4, n mod 4 + 4, … carry a mark of six pixels at a place in the cell that moves on with n,
/// and the first cell carries one always. So a stripe of four cells or more cannot be missing, stale,
/// misplaced or of another frame unseen, and within some frames no pixel can.
///
/// Cost     XGA: 193 marks, a few microseconds.
namespace submix::throughput {

struct FrameMark {
  std::uint32_t stream = 0;
  std::uint64_t index = 0;

  friend bool operator==(const FrameMark&, const FrameMark&) = default;
};

/// Pixels of 3 (RGB) or 4 bytes (RGBA; the alpha is neither written nor read).
template <typename Byte>
struct PixelRange {
  std::span<Byte> bytes;
  std::size_t bytes_per_pixel = 4;
};

struct MarkReading {
  std::optional<FrameMark> mark;  ///< empty: the first cell's cannot be read
  std::size_t cells_wrong = 0;    ///< whose mark is not that frame's

  [[nodiscard]] bool is_whole() const { return mark && cells_wrong == 0; }
};

/// A frame has at least 16x16 pixels, so that there is a cell.
void write_marks(PixelRange<std::uint8_t> pixels, const FrameMark& mark);
[[nodiscard]] MarkReading read_marks(PixelRange<const std::uint8_t> pixels);

}  // namespace submix::throughput
