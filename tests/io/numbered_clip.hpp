// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace submix::testing {

/// The clip that write_numbered_clip() makes.
struct NumberedClip {
  std::string codec = "mpeg4";  ///< name of an FFmpeg encoder
  Size size{128, 64};
  FrameRate rate{30, 1};
  int pictures = 10;
  int pictures_per_key = 5;
  int first_number = 0;
  double pixel_aspect = 1;
  bool is_half_transparent = false;  ///< the right half; the codec takes alpha
  bool is_turned = false;            ///< to be shown a quarter clockwise, as a phone states it
};

/// Writes a video in which picture k shows k + first_number as ten blocks in a row, black or white.
/// They survive lossy codecs and scaling. The file's extension selects the container; glow_%04d.png
/// gives a series of files, in which picture 0 is glow_0001.png.
void write_numbered_clip(const std::filesystem::path& path, const NumberedClip& clip);

/// The number that a picture shows, by its blocks across the full width; -1 if a block is grey.
[[nodiscard]] int shown_number(std::span<const std::uint8_t> rgba, Size size);
[[nodiscard]] inline int shown_number(const media::Frame& frame) {
  return shown_number(frame.rgba(), frame.size());
}

/// Fills RGBA pixels with the blocks of `number`.
void draw_number(std::span<std::uint8_t> rgba, Size size, int number);

}  // namespace submix::testing
