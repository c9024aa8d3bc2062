// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/programs.hpp"

#include "common/base/program_folder.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace submix::local {

bool is_in_path(const std::string& program) {
  std::error_code none;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto file = std::filesystem::path(folder) / program;
    if (std::filesystem::is_regular_file(file, none) && ::access(file.c_str(), X_OK) == 0)
      return true;
  }
  return false;
}

std::string command_of(const std::string& program) {
  if (is_in_path(program)) return program;
  std::error_code none;
  const auto neighbour = program_folder() / program;
  return std::filesystem::is_regular_file(neighbour, none) ? neighbour.string() : program;
}

}  // namespace submix::local
