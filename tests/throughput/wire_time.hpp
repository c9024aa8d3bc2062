// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace submix::throughput {

/// The rate and delay of a link, for its frames.
struct LinkCapacity {
  double bytes_per_second = 0;
  double delay_s = 0;  ///< from one end to the other of an idle link
};

/// The least time of `bytes` over these links. All links that take part deliver their last byte at
/// the same time; the delays of the others are too long to help.
[[nodiscard]] double least_seconds(std::span<const LinkCapacity> links, double bytes);

}  // namespace submix::throughput
