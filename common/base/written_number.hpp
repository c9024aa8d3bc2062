// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix {

/// Converts a float to the shortest decimal number with the same value: 0.1, not
/// 0.10000000149011612. A document stores twice as many digits as a slider or a message has.
[[nodiscard]] double as_written(float number);

/// Rounds a computed position between two ends to the nine digits of a float: 6.4, not
/// 6.4000000000000004.
[[nodiscard]] double as_written(double number);

}  // namespace submix
