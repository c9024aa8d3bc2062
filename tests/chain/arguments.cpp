// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/arguments.hpp"

#include "common/show/plugin_family.hpp"
#include "node/plugin/catalog.hpp"
#include "node/plugin/frei0r/frei0r_instance.hpp"

#include <fmt/format.h>

#include <string>

namespace submix::chain {

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
