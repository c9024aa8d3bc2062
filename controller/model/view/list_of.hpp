// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace submix::model {

inline constexpr std::size_t kFewNames = 3;  ///< for a sentence

/// "a, b and c". With more than `named_max` names: "a, b, c and 5 more". Pure.
[[nodiscard]] std::string list_of(const std::vector<std::string>& names,
                                  std::size_t named_max = std::numeric_limits<std::size_t>::max());

}  // namespace submix::model
