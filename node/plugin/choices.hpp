// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/description.hpp"

#include <string>
#include <utility>
#include <vector>

namespace submix::plugin {

/// A text parameter with the values `choices`; the first one is the initial value.
[[nodiscard]] inline ParameterDescription choice_parameter(std::string name,
                                                           std::string explanation,
                                                           std::vector<std::string> choices) {
  return {.name = std::move(name),
          .type = ParameterType::text,
          .explanation = std::move(explanation),
          .initial = choices.front(),
          .choices = std::move(choices)};
}

/// The names in a table of pairs, each a name and its value.
template <typename Table>
[[nodiscard]] std::vector<std::string> choices_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table)
    names.emplace_back(entry.first);
  return names;
}

}  // namespace submix::plugin
