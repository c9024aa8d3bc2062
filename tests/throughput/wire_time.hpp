// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace submix::throughput {

/// A link as its frames meet it.
struct Way {
  double bytes_per_second = 0;
  double delay_s = 0;  ///< from one end to the other, of an empty link
};

/// How long `bytes` take over these ways at the least: those that take part bring their last byte at the same
/// time, and the others are too long to help.
[[nodiscard]] double least_seconds(std::span<const Way> ways, double bytes);

}  // namespace submix::throughput
