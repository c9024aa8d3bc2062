// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/input_count.hpp"

#include <fmt/format.h>

namespace submix::show {

std::string words_of(InputCount inputs) {
  if (!inputs.is_fixed()) return fmt::format("{} to {} inputs", inputs.least, inputs.most);
  return inputs == InputCount(1) ? "1 input" : fmt::format("{} inputs", inputs.least);
}

std::string level_of_input(std::size_t number) {
  return fmt::format("level{}", number);
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
