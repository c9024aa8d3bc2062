// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace submix::testing {

/// Minor and major page faults of this process. The kernel may join ordinary pages to a huge page
/// at any time; the next access to them faults once.
inline std::uint64_t page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_minflt) + static_cast<std::uint64_t>(usage.ru_majflt);
}

/// Smallest growth of `count()` during one run of `pass()`, over up to `stretches` runs. Stops
/// early after a run without growth. A cost of every frame shows in all runs; a rare event does
/// not.
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
