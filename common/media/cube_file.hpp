// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace submix::media {

/// The content of a .cube file: a colour table (LUT) as grading programs write it.
struct CubeFile {
  using Row = std::array<float, 3>;  ///< red, green, blue; 0 to 1 is black to full

  static constexpr std::size_t kBytesMax = std::size_t{16} << 20U;
  static constexpr std::size_t kSize1dMax = 65'536;
  static constexpr std::size_t kSize3dMax = 65;
  static constexpr std::size_t kSizeMin = 2;

  bool is_3d = false;
  std::size_t size = 0;  ///< points of each axis
  Row domain_min{0, 0, 0};
  Row domain_max{1, 1, 1};  ///< above domain_min in each channel
  std::vector<Row> rows;    ///< `size` of them, or its cube; red changes fastest; finite
};

/// Reads a .cube file's text, of either kind of line end. `name` is for errors.
///
/// Cost     About 60 ms for 65 points an axis.
/// Errors   The first wrong line, with its number.
/// Source   Adobe's "Cube LUT Specification 1.0", and the input ranges that Resolve writes.
[[nodiscard]] Result<CubeFile> parse_cube(std::string_view text, std::string_view name);

}  // namespace submix::media
