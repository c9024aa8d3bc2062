// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/version_option.hpp"

#include "common/base/version.hpp"

#include <fmt/format.h>

namespace submix {

bool has_told_version(std::string_view program, int argc, char** argv) {
  const std::string_view option = argc == 2 ? argv[1] : "";
  if (option != "--version" && option != "-V") return false;
  fmt::print("{} {}\n", program, version());
  return true;
}

}  // namespace submix
