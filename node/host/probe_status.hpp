// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace submix::host {

/// "submix-plugin-host --probe FILE" ends with one of these, or another status for what went wrong.
inline constexpr std::string_view kProbeOption = "--probe";
inline constexpr int kKeepsNothing = 10;
inline constexpr int kKeepsFrames = 11;

}  // namespace submix::host
