// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace submix::show {

/// The plugins that `submix pipe` lets a node of its own run.
inline constexpr std::string_view kPipeOutPlugin = "pipe-out";
inline constexpr std::string_view kPipeInPlugin = "pipe-in";

}  // namespace submix::show
