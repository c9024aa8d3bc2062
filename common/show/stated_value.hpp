// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/parameters.hpp"

#include <string_view>
#include <variant>

namespace submix::show {

/// The value of a parameter as the show states it; `initial` where it states none of this type.
template <typename Value>
[[nodiscard]] Value stated_value(const Parameters& parameters, std::string_view name,
                                 const Value& initial) {
  const auto found = parameters.find(name);
  const auto* value = found == parameters.end() ? nullptr : std::get_if<Value>(&found->second);
  return value == nullptr ? initial : *value;
}

}  // namespace submix::show
