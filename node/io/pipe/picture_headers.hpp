// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The bytes between uncompressed pictures in a pipe. FFmpeg is not used: its Matroska does not
/// state the order of RGB24's colours.
namespace submix::io {

/// All bytes before the first picture, for an endless stream of RGB24 pictures.
[[nodiscard]] std::vector<std::uint8_t> matroska_header(Size size, FrameRate rate);
/// All bytes before a picture: the beginning of a cluster that contains it.
[[nodiscard]] std::vector<std::uint8_t> matroska_cluster(std::size_t picture_bytes,
                                                         std::chrono::milliseconds time);

/// The line before the first picture of Y4M ("YUV4MPEG2"), for planes of 4:4:4. Ends with a line
/// break.
[[nodiscard]] std::string y4m_header(Size size, FrameRate rate);
/// The line before each picture.
inline constexpr std::string_view kY4mFrame = "FRAME\n";

}  // namespace submix::io
