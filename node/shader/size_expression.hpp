// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace submix::shader {

/// The value of a variable such as "WIDTH". Empty: there is none of that name.
using Variables = std::function<std::optional<double>(std::string_view name)>;

/// Computes an expression such as "floor($WIDTH/4.0)". It has numbers, variables after '$', the
/// signs + - * / %, parentheses, and floor, ceil, round, abs, sqrt, min, max, pow.
///
/// Errors   The expression is malformed or too deep, or names something unknown.
/// Source   Interactive Shader Format 2, "PASSES".
[[nodiscard]] Result<double> compute(std::string_view expression, const Variables& variables);

}  // namespace submix::shader
