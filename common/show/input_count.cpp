// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/input_count.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace submix::show {

std::string words_of(InputCount inputs) {
  if (!inputs.is_fixed()) return fmt::format("{} to {} inputs", inputs.least, inputs.most);
  return inputs == InputCount(1) ? "1 input" : fmt::format("{} inputs", inputs.least);
}

std::string parameter_of_input(std::string_view kind, std::size_t number) {
  return fmt::format("{}{}", kind, number);
}

std::optional<InputParameter> input_parameter(std::string_view name) {
  for (const auto kind : kParametersOfInput) {
    if (!name.starts_with(kind)) continue;
    const auto digits = name.substr(kind.size());
    std::size_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_whole = read.ptr == digits.data() + digits.size();
    if (read.ec == std::errc() && is_whole && number > 0) return InputParameter{kind, number};
  }
  return std::nullopt;
}

std::optional<InputCount> inputs_of_kind(std::string_view kind) {
  if (kind == "source") return 0;
  if (kind == "filter" || kind == "output") return 1;
  if (kind == "mixer2") return 2;
  if (kind == "mixer3") return 3;
  if (kind == "mixer") return kMixerInputs;
  return std::nullopt;
}

}  // namespace submix::show
