// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/arguments.hpp"

#include "common/show/validate.hpp"
#include "node/plugin/catalog.hpp"
#include "node/plugin/frei0r/frei0r_instance.hpp"

#include <fmt/format.h>

#include <string>

namespace submix::chain {

CLI::Validator frei0r_length() {
  const auto fault_of = [](const std::string& text) -> std::string {
    const int length = std::stoi(text);  // text that is not a number is rejected by the range check
    if (length % show::kFrei0rBlock == 0) return {};
    const int next = (length / show::kFrei0rBlock + 1) * show::kFrei0rBlock;
    return fmt::format("{} is not a multiple of {}, which frei0r needs; take {}", length,
                       show::kFrei0rBlock, next);
  };
  return CLI::Validator(fault_of, "MULTIPLE OF 8");
}

CLI::Validator frei0r_filter() {
  const auto fault_of = [](const std::string& name) -> std::string {
    const plugin::Catalog catalog;
    const auto description = catalog.describe(std::string(show::kFrei0rPrefix) + name);
    if (!description) return description.error().message;
    if ((*description)->kind == plugin::Kind::filter) return {};
    return fmt::format("plugin \"frei0r/{}\" is a {}; take a filter, such as invert0r", name,
                       plugin::to_string((*description)->kind));
  };
  return CLI::Validator(fault_of, "FILTER");
}

}  // namespace submix::chain
