// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/checksum.hpp"

#if defined(__x86_64__)
#include <xxh_x86dispatch.h>  // uses the CPU's widest vectors; without it the library uses SSE2
#else
#include <xxhash.h>
#endif

#include <array>

namespace submix::wire {
namespace {

/// The library inspects the CPU on the first call with more than 240 bytes, on the calling thread.
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
