// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <string>

namespace submix {

/// Reads a number of a command line.
///
/// Errors   `text` is not a number, is "nan", or lies outside `least` to `most`.
[[nodiscard]] Result<double> typed_number(const std::string& text, double least, double most);

}  // namespace submix
