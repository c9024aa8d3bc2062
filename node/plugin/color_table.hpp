// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/cube_file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace submix::plugin {

/// A .cube file's table for pictures of eight bits. All computers make the same picture.
///
/// Threads  Immutable.
/// Cost     8 bytes a point: 2.2 MB for 65 points an axis.
class ColorTable {
 public:
  static constexpr unsigned kWholeShare = 256;

  explicit ColorTable(const media::CubeFile& cube);

  /// Replaces each pixel's colours by `share` of the table's and the rest of its own. Alpha stays.
  ///
  /// Shape    `rgba` has four bytes a pixel. `share` is 0 to kWholeShare.
  void apply(std::span<std::uint8_t> rgba, unsigned share) const;

 private:
  static constexpr std::size_t kLevels = 256;

  /// Where a level of one channel lies on its axis.
  struct Place {
    std::uint32_t part_and_step = 0;  // the part of the cell, above the way to the next point
    std::uint32_t point = 0;          // before it, as an offset
  };
  using Axis = std::array<Place, kLevels>;
  using Curve = std::array<std::uint64_t, kLevels>;

  void fill_axes(const media::CubeFile& cube);
  void fill_curves(const media::CubeFile& cube);
  [[nodiscard]] std::uint64_t looked_up(const std::uint8_t* pixel) const;
  [[nodiscard]] std::uint64_t curved(const std::uint8_t* pixel) const;

  std::array<Axis, 3> axes_{};         // of a 3D table
  std::vector<std::uint64_t> points_;  // the same; empty: a 1D table
  std::array<Curve, 3> curves_{};      // of a 1D table: each channel in its lane
};

}  // namespace submix::plugin
