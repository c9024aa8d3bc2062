// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/frei0r_renames.hpp"

#include "common/show/plugin_family.hpp"

#include <algorithm>

namespace submix::show {

std::string common_plugin_id(std::string_view id) {
  if (!id.starts_with(kFrei0rPrefix)) return std::string(id);
  const auto name = id.substr(kFrei0rPrefix.size());
  const auto* const found = std::ranges::find(kFrei0rRenames, name, &Frei0rRename::name_in_two);
  if (found == kFrei0rRenames.end()) return std::string(id);
  return std::string(kFrei0rPrefix).append(found->name);
}

}  // namespace submix::show
