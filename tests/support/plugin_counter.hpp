// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

namespace submix::testing {

/// A counter of `plugin`. Fails the test, and gives 0, if the plugin has none of this name.
inline std::uint64_t counter(const plugin::Plugin& plugin, std::string_view name) {
  for (const auto& [own, value] : plugin.counters()) {
    if (own == name) return value;
  }
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

}  // namespace submix::testing
