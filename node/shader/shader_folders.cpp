// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/shader_folders.hpp"

#include "common/base/program_folder.hpp"
#include "common/show/plugin_family.hpp"
#include "node/shader/shader_description.hpp"

#include <cstdlib>
#include <system_error>

namespace submix::shader {
namespace {

// As built, the shaders lie beside the programs; as installed, in the system's share folder.
std::filesystem::path own_shaders() {
  auto built = program_folder() / "shaders";
  std::error_code error;
  if (std::filesystem::is_directory(built, error)) return built;
  return program_folder() / "../share/submix/shaders";
}

}  // namespace

std::vector<std::filesystem::path> shader_folders(const std::filesystem::path& media) {
  const char* const stated = std::getenv("SUBMIX_SHADERS");
  if (stated != nullptr && *stated != '\0') {
    auto folders = plugin::split_folders(stated);
    if (!media.empty()) folders.push_back(media);
    return folders;
  }
  std::vector<std::filesystem::path> folders;
  if (const char* home = std::getenv("HOME"))
    folders.push_back(std::filesystem::path(home) / ".local/share/submix/shaders");
  folders.emplace_back("/usr/local/share/submix/shaders");
  if (!media.empty()) folders.push_back(media);
  folders.push_back(own_shaders());
  return folders;
}

void add_shaders(plugin::Catalog& catalog, const std::vector<std::filesystem::path>& folders) {
  const auto describe = [](const std::filesystem::path& file) {
    return plugin::ProbeResult{describe_file(file)};
  };
  for (const auto& folder : folders) {
    for (const auto* ending : {".fs", ".frag"})
      catalog.add_files(show::kIsfPrefix, plugin::files_in(folder, ending), describe);
  }
}

}  // namespace submix::shader
