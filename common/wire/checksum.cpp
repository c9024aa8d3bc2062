// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/checksum.hpp"

#if defined(__x86_64__)
#include <xxh_x86dispatch.h>  // the library then asks the CPU what it has; by itself it uses SSE2 everywhere
#else
#include <xxhash.h>
#endif

#include <array>

namespace submix::wire {
namespace {

/// The library looks at the CPU when it is first given more than 240 bytes, on whichever thread that is.
bool choose_kernel() {
  const std::array<std::uint8_t, 1024> zeros{};
  return XXH3_64bits(zeros.data(), zeros.size()) != 0;
}

}  // namespace

std::uint64_t checksum_of(std::span<const std::uint8_t> pixels) {
  [[maybe_unused]] static const bool is_chosen = choose_kernel();
  return XXH3_64bits(pixels.data(), pixels.size());
}

}  // namespace submix::wire
