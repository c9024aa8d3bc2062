// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstddef>

namespace submix::chain {

/// Those that this process may use.
[[nodiscard]] std::size_t core_count();

/// How many times as long it takes to read a picture that another core has just written as one that this core
/// has: the median over some tries, of the farthest core that this process may use. About 1 where the cores
/// share a cache, 2 and more where they do not; a virtual machine's cores may change between the two from one
/// second to the next. 1 where there is one core only.
///
/// Cost  About 20 ms a core; the calling thread runs on the first core meanwhile.
[[nodiscard]] double core_distance(Size size);

/// Above this the cores are told to have no cache in common.
constexpr double kFarCores = 1.4;

}  // namespace submix::chain
