// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/host_name.hpp"

#include <unistd.h>

#include <array>

namespace submix {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

}  // namespace submix
