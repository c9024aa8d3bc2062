// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/programs.hpp"

#include "common/base/program_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace submix::local {

std::string command_of(const std::string& program) {
  std::error_code none;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (std::filesystem::is_regular_file(std::filesystem::path(folder) / program, none))
      return program;
  }
  const auto neighbour = program_folder() / program;
  return std::filesystem::is_regular_file(neighbour, none) ? neighbour.string() : program;
}

}  // namespace submix::local
