// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/lookup.hpp"
#include "common/show/text.hpp"

#include <string>
#include <string_view>

namespace submix::model {

/// Checks a name for a new item, or for the item that is called `former` now.
template <typename Items>
[[nodiscard]] Result<void> check_new_name(std::string_view kind, const std::string& name,
                                          const Items& items, std::string_view former = {}) {
  if (!show::is_name(name))
    return fail("{}: \"{}\" cannot be a name; {}", kind, name.substr(0, 40), show::kNameRule);
  if (name != former && show::has_named(items, name))
    return fail("the show has a {} \"{}\" already; names must differ", kind, name);
  return {};
}

}  // namespace submix::model
