// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/written_number.hpp"

#include <array>
#include <charconv>

namespace submix {
namespace {

constexpr int kFloatDigits = 9;  // a float needs at most nine digits

}  // namespace

double as_written(float number) {
  std::array<char, 32> text{};
  const auto* end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  auto value = static_cast<double>(number);
  std::from_chars(text.data(), end, value);
  return value;
}

double as_written(double number) {
  std::array<char, 32> text{};
  const auto* end = std::to_chars(text.data(), text.data() + text.size(), number,
                                  std::chars_format::general, kFloatDigits)
                        .ptr;
  std::from_chars(text.data(), end, number);
  return number;
}

}  // namespace submix
