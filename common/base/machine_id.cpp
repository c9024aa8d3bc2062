// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/machine_id.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>
#include <istream>

namespace submix {

std::string machine_id() {
  struct stat status{};
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id") >> std::ws, boot);
  if (boot.empty() || ::stat("/proc/self/ns/net", &status) != 0) return "";
  return fmt::format("{}/{}", boot, status.st_ino);
}

bool is_one_machine(std::string_view id, std::string_view other) {
  const auto boot = id.substr(0, id.find('/'));
  return !boot.empty() && boot == other.substr(0, other.find('/'));
}

}  // namespace submix
