// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace submix::media {

/// Drops alpha: R,G,B,A in, R,G,B out. `rgba.size() / 4 == rgb24.size() / 3` whole pixels; they must not
/// overlap.
void pack_rgb24(std::span<const std::uint8_t> rgba, std::span<std::uint8_t> rgb24);

/// The way back; alpha becomes 255.
void unpack_rgb24(std::span<const std::uint8_t> rgb24, std::span<std::uint8_t> rgba);

/// R,G,B,A in, B,G,R,A out, or the way back. Of the same size; they must not overlap.
void swap_red_and_blue(std::span<const std::uint8_t> from, std::span<std::uint8_t> to);

}  // namespace submix::media
