// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/program_folder.hpp"

namespace submix {

std::filesystem::path program_folder() {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
}

std::filesystem::path private_program(const std::string& name) {
  const auto folder = program_folder();
  auto beside = folder / name;
  auto installed = folder.parent_path() / "libexec" / "submix" / name;
  std::error_code unknown;
  const bool is_beside = std::filesystem::exists(beside, unknown);
  return !is_beside && std::filesystem::exists(installed, unknown) ? installed : beside;
}

}  // namespace submix
