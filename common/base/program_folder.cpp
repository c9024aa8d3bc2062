// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/program_folder.hpp"

namespace submix {

std::filesystem::path program_folder() {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
}

}  // namespace submix
