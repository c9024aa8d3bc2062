// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The bytes that stand between uncompressed pictures in a pipe. Written here and not by FFmpeg,
/// whose Matroska has no word about the order of RGB24's colours.
namespace submix::io {

/// All bytes before the first picture, for pictures of RGB24 in a stream without an end.
[[nodiscard]] std::vector<std::uint8_t> matroska_header(Size size, FrameRate rate);
/// All bytes before a picture: the begin of a cluster that holds it.
[[nodiscard]] std::vector<std::uint8_t> matroska_cluster(std::size_t picture_bytes,
                                                         std::chrono::milliseconds time);

/// The line before the first picture of Y4M ("YUV4MPEG2"), for planes of 4:4:4, with its line end.
[[nodiscard]] std::string y4m_header(Size size, FrameRate rate);
/// The line before each picture.
inline constexpr std::string_view kY4mFrame = "FRAME\n";

}  // namespace submix::io
