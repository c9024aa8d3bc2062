// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "node/plugin/drawing_surface.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

/// The marks that `stamp` writes into a picture and `checker` reads. One place holds
///
/// - the strip: 24 x 8 blocks of 4 x 4 pixels, white for 1, black for 0, the highest bit first:
///   magic 0x5b0d (16 bits), source (16), epoch (64), index (64), CRC-32 of all before (32);
/// - the column: over the whole height, in each band of 4 rows, 16 blocks 2 pixels wide: a hash of
///   the mark and the band's number. The hash shows a band from another frame or from elsewhere in
///   this frame.
namespace submix::plugin {

inline constexpr int kStripPlaces = 4;  ///< places that fit side by side in one picture
inline constexpr int kStripBandRows = 4;

/// The epoch in the stamp of a stand-in picture. No stream has this epoch: epochs are times of day.
inline constexpr std::uint64_t kStandInEpoch = std::numeric_limits<std::uint64_t>::max();

/// Identifies a picture.
struct StripMark {
  std::uint16_t source = 0;
  std::uint64_t epoch = 0;
  std::uint64_t index = 0;

  friend bool operator==(const StripMark&, const StripMark&) = default;
};

/// Pixels to read.
struct Picture {
  std::span<const std::uint8_t> rgba;
  Size size;
};

/// The smallest picture that holds the strip of `place` (0 to 3).
[[nodiscard]] Size strip_size_min(int place);
[[nodiscard]] bool strip_fits(Size size, int place);

void draw_strip(DrawingSurface& surface, int place, const StripMark& mark);
/// Empty: no strip, or a damaged one.
[[nodiscard]] std::optional<StripMark> read_strip(const Picture& picture, int place);
/// How many rows of the column do not belong to `mark`.
[[nodiscard]] int count_torn_rows(const Picture& picture, int place, const StripMark& mark);

}  // namespace submix::plugin
