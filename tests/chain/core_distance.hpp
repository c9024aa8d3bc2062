// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstddef>

namespace submix::chain {

/// The cores that this process may use.
[[nodiscard]] std::size_t core_count();

/// Time to read a picture just written by another core, divided by the time for one written by this
/// core: the median over some tries, of the farthest core that this process may use. About 1 if the
/// cores share a cache, 2 and more if not. A virtual machine's cores may change between the two
/// within a second. 1 with a single core.
///
/// Cost     About 20 ms a core. The calling thread runs on the first core meanwhile.
[[nodiscard]] double core_distance(Size size);

/// Above this ratio, the cores are reported to have no common cache.
constexpr double kFarCores = 1.4;

}  // namespace submix::chain
