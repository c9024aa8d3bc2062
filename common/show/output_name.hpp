// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <string>

namespace submix::show {

/// An output's name for people: "Screen of mix" for mix.screen, "Window 2 of mix" for mix.window-2.
/// Two slots never share one. Pure.
[[nodiscard]] std::string output_name(const Port& slot);

}  // namespace submix::show
