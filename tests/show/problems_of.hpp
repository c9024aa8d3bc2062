// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/parse.hpp"
#include "common/show/problem.hpp"

#include <string>
#include <string_view>

namespace submix::show {

/// The problems of a show that is read from "show.toml", a line each. Empty: it has none.
inline std::string problems_of(std::string_view text) {
  const auto show = parse(text, "show.toml");
  return show ? "" : to_string(show.error());
}

}  // namespace submix::show
