// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <stop_token>

namespace submix {

/// Sleeps until `moment`, or until a stop is requested.
void sleep_until(std::chrono::steady_clock::time_point moment, const std::stop_token& stop);

}  // namespace submix
