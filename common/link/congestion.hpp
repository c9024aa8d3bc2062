// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <string>
#include <string_view>

namespace submix::link {

/// What streams use unless told otherwise: BBR, the default of some systems, carries 0.32 to 0.54 of it in a
/// LAN.
inline constexpr std::string_view kCongestionDefault = "cubic";

/// What the kernel says of its congestion controls, names with spaces between.
struct CongestionOffer {
  std::string available;  ///< loaded
  std::string allowed;    ///< for users without rights
};

/// From /proc/sys/net/ipv4; empty where it does not say.
[[nodiscard]] CongestionOffer read_congestion_offer();

/// Has the socket use `wanted`, at the latest before it connects.
///
/// Errors   The kernel does not offer it to us: says why, what to do about it, and what the socket uses now:
///          kCongestionDefault, or the system's own where that is not offered either.
[[nodiscard]] Result<void> set_congestion_control(int descriptor, const std::string& wanted);

/// Why the kernel refused `wanted` with `error_number`, and the remedy.
[[nodiscard]] std::string congestion_refusal(const std::string& wanted, int error_number,
                                             const CongestionOffer& offer);

}  // namespace submix::link
