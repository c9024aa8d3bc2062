// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/typed_number.hpp"

#include <cstdlib>

namespace submix {

Result<double> typed_number(const std::string& text, double least, double most) {
  char* end = nullptr;
  const auto number = static_cast<double>(std::strtold(text.c_str(), &end));
  const bool is_whole_text = !text.empty() && end == text.c_str() + text.size();

  // False for "nan", too: it is neither less nor greater than any number.
  if (is_whole_text && number >= least && number <= most) return number;
  return fail("\"{}\" is not a number from {:g} to {:g}", text, least, most);
}

}  // namespace submix
