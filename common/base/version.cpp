// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/version.hpp"

namespace submix {

std::string_view version() {
  return SUBMIX_VERSION;
}

}  // namespace submix
