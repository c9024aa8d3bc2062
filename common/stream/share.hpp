// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

namespace submix::stream {

/// How fast a link carries, and what it has to carry already.
struct LinkLoad {
  bool is_open = false;
  double bytes_per_second = 0;             ///< 0: nothing was measured yet
  double queued_bytes = 0;                 ///< committed to it and waiting its turn
  std::chrono::duration<double> delay{0};  ///< from leaving here to arriving there
  bool is_lower_bound = false;  ///< the rate is what was asked of it so far, it may well do more
};

/// What `link` should take of `remaining_bytes`, that no link has yet, so that all open links finish at the
/// same time: 0 where what it has already takes longer than that.
///
/// Shape    The shares of all open links add up to `remaining_bytes`, so at least one link has its n-th part.
/// Source   Water-filling: links that are full beyond the common level are left out, and the level is found
/// anew.
[[nodiscard]] double fair_share(std::span<const LinkLoad> links, std::size_t link,
                                double remaining_bytes);

/// A link's rate for planning: as measured; of one that has never been at its limit, that of the fastest;
/// where nothing is known, that of gigabit.
[[nodiscard]] double planning_rate(std::span<const LinkLoad> links, std::size_t link);

}  // namespace submix::stream
