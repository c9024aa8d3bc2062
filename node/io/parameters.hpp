// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/assert.hpp"
#include "common/show/document.hpp"

#include <string_view>
#include <variant>

namespace submix::io {

/// The parameter `name`, of type `Type`, from a plugin's complete and checked parameters. A missing
/// one is a bug.
template <typename Type>
[[nodiscard]] const Type& parameter(const show::Parameters& parameters, std::string_view name) {
  const auto found = parameters.find(name);
  SUBMIX_ASSERT(found != parameters.end() && std::holds_alternative<Type>(found->second));
  return std::get<Type>(found->second);
}

}  // namespace submix::io
