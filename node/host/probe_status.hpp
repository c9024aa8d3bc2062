// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace submix::host {

/// "submix-plugin-host --probe FILE" exits with one of these. Any other status is a failure.
inline constexpr std::string_view kProbeOption = "--probe";
inline constexpr int kKeepsNothing = 10;
inline constexpr int kKeepsFrames = 11;

}  // namespace submix::host
