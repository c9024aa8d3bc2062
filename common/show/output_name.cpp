// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/output_name.hpp"

#include <algorithm>

namespace submix::show {

std::string output_name(const Port& slot) {
  std::string name = slot.slot;
  std::replace(name.begin(), name.end(), '-', ' ');
  const bool is_letter = !name.empty() && name.front() >= 'a' && name.front() <= 'z';
  if (is_letter) name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name + " of " + slot.submix;
}

}  // namespace submix::show
