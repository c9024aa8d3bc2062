// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <string>
#include <string_view>

namespace submix::link {

/// The congestion control of streams by default. BBR, the default of some systems, carries only
/// 0.32 to 0.54 as much in a LAN.
inline constexpr std::string_view kCongestionDefault = "cubic";

/// The congestion controls that the kernel offers; names separated by spaces.
struct CongestionOffer {
  std::string available;  ///< loaded
  std::string allowed;    ///< allowed for users without special rights
};

/// From /proc/sys/net/ipv4; empty if unknown.
[[nodiscard]] CongestionOffer read_congestion_offer();

/// Makes the socket use `wanted`. Call it before the socket connects.
///
/// Errors   The kernel does not offer `wanted` to this process. The text says why, names the
///          remedy, and says which control the socket uses now: kCongestionDefault, or the system's
///          default where even that is not offered.
[[nodiscard]] Result<void> set_congestion_control(int descriptor, const std::string& wanted);

/// Why the kernel refused `wanted` with `error_number`, and the remedy.
[[nodiscard]] std::string congestion_refusal(const std::string& wanted, int error_number,
                                             const CongestionOffer& offer);

}  // namespace submix::link
