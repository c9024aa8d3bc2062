// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace submix::media {

/// Where converted pixels shall lie.
enum class Stores {
  cached,     ///< for a reader who comes soon
  streaming,  ///< in main memory, past the cache: for frames that the cache does not hold anyway
};

/// Drops alpha: R,G,B,A in, R,G,B out. `rgba.size() / 4 == rgb24.size() / 3` whole pixels; they must not
/// overlap.
///
/// Cost     By the fastest kernel this CPU has; the first call measures them, see pixel_kernels.hpp.
void pack_rgb24(std::span<const std::uint8_t> rgba, std::span<std::uint8_t> rgb24,
                Stores stores = Stores::cached);

/// The way back; alpha becomes 255.
void unpack_rgb24(std::span<const std::uint8_t> rgb24, std::span<std::uint8_t> rgba,
                  Stores stores = Stores::cached);

/// How to write frames of `frame_bytes`: past the cache where one of them would fill most of it.
[[nodiscard]] Stores stores_for(std::size_t frame_bytes);

/// R,G,B,A in, B,G,R,A out, or the way back. Of the same size; they must not overlap.
void swap_red_and_blue(std::span<const std::uint8_t> from, std::span<std::uint8_t> to);

}  // namespace submix::media
