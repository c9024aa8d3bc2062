// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace submix::wire {

/// The checksum of a stripe's pixels, as stated in the stripe's header: XXH3 with 64 bits, seed 0.
/// It detects accidental changes only: an attacker who changes the pixels can change the checksum
/// too.
///
/// Threads  Any.
/// Cost     20 to 80 GB/s while the bytes are in the core's cache, using the widest vectors of the
///          CPU.
[[nodiscard]] std::uint64_t checksum_of(std::span<const std::uint8_t> pixels);

}  // namespace submix::wire
