// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/eventually.hpp"

#include <cstddef>
#include <filesystem>
#include <iterator>

namespace submix::testing {

/// How many descriptors this process has open, and one for the count itself.
inline std::ptrdiff_t open_descriptors() {
  const std::filesystem::directory_iterator descriptors("/proc/self/fd");
  return std::distance(begin(descriptors), end(descriptors));
}

/// Whether as many are open as before. Another thread may close its own a little later.
inline bool has_open_again(std::ptrdiff_t before) {
  return eventually([&] { return open_descriptors() == before; });
}

}  // namespace submix::testing
