// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace submix::testing {

/// Of this whole process, minor and major ones. The kernel may join ordinary pages to a huge one at any time,
/// and whoever touches them next faults once.
inline std::uint64_t page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_minflt) + static_cast<std::uint64_t>(usage.ru_majflt);
}

/// By how much `count()` grows while `pass()` runs; the least of so many `stretches`, of which none is begun
/// when one had nothing: what each frame costs is in all of them, what happens now and then is not.
template <typename Count, typename Pass>
std::uint64_t least_growth(int stretches, Count count, Pass pass) {
  auto least = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < stretches && least > 0; ++i) {
    const std::uint64_t before = count();
    pass();
    least = std::min(least, count() - before);
  }
  return least;
}

}  // namespace submix::testing
