// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix {

/// The number that a person means by a short one: 0.1, and not 0.10000000149011612. A document keeps numbers
/// with twice as many digits as a slider or a message has.
[[nodiscard]] double as_written(float number);

/// 6.4, and not 6.4000000000000004: a position between two ends, in the nine digits that a float has at most.
[[nodiscard]] double as_written(double number);

}  // namespace submix
