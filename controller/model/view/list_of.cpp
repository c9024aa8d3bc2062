// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/list_of.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace submix::model {

std::string list_of(const std::vector<std::string>& names, std::size_t named_max) {
  std::string list;
  for (std::size_t i = 0; i < std::min(named_max, names.size()); ++i) {
    const bool is_last = i + 1 == names.size();
    list += (i == 0 ? "" : is_last ? " and " : ", ") + names[i];
  }
  if (names.size() > named_max) list += fmt::format(" and {} more", names.size() - named_max);
  return list;
}

}  // namespace submix::model
