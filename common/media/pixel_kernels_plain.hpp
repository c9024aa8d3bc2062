// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// Plain C++. All other kernels must give the same bytes, and use it for the pixels beyond their
/// last whole block.
namespace submix::media {

inline void pack_plain(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  for (std::size_t i = 0; i < pixels; ++i) {
    to[3 * i] = from[4 * i];
    to[3 * i + 1] = from[4 * i + 1];
    to[3 * i + 2] = from[4 * i + 2];
  }
}

inline void unpack_plain(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  for (std::size_t i = 0; i < pixels; ++i) {
    to[4 * i] = from[3 * i];
    to[4 * i + 1] = from[3 * i + 1];
    to[4 * i + 2] = from[3 * i + 2];
    to[4 * i + 3] = 255;
  }
}

}  // namespace submix::media
