// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace submix::media {

/// Where converted pixels are written.
enum class Stores {
  cached,     ///< for a reader that comes soon
  streaming,  ///< in main memory, past the cache: for frames larger than the cache
};

/// Drops alpha: R,G,B,A in, R,G,B out. `rgba.size() / 4 == rgb24.size() / 3` whole pixels; the
/// spans must not overlap.
///
/// Cost     Uses the fastest kernel of this CPU; the first call measures them, see
///          pixel_kernels.hpp.
void pack_rgb24(std::span<const std::uint8_t> rgba, std::span<std::uint8_t> rgb24,
                Stores stores = Stores::cached);

/// The inverse; alpha becomes 255.
void unpack_rgb24(std::span<const std::uint8_t> rgb24, std::span<std::uint8_t> rgba,
                  Stores stores = Stores::cached);

/// Pixels of one format in, of the other format `to_format` out: pack_rgb24() or unpack_rgb24().
void convert(std::span<const std::uint8_t> from, std::span<std::uint8_t> to, PixelFormat to_format,
             Stores stores = Stores::cached);

/// Whether alpha is 255 in each pixel. Stops after the first 4,096 pixels that are not all opaque.
[[nodiscard]] bool is_opaque(std::span<const std::uint8_t> rgba);
/// Sets alpha to 255 in each pixel.
void make_opaque(std::span<std::uint8_t> rgba);

/// How to write frames of `frame_bytes`: past the cache if a single frame would fill most of it.
[[nodiscard]] Stores stores_for(std::size_t frame_bytes);

/// R,G,B,A in, B,G,R,A out, or the inverse. Spans of the same size, which must not overlap.
void swap_red_and_blue(std::span<const std::uint8_t> from, std::span<std::uint8_t> to);

}  // namespace submix::media
