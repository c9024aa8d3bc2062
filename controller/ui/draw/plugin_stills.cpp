// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/plugin_stills.hpp"

#include "common/base/files.hpp"
#include "common/base/program_folder.hpp"
#include "common/media/jpeg.hpp"

#include <cstddef>
#include <sstream>
#include <utility>
#include <vector>

namespace submix::ui {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

// The picture in place `at` of all of them.
session::Picture cut_out(const media::Rgb24Image& all, std::size_t at) {
  constexpr auto kSize = PluginStills::kSize;
  constexpr std::size_t kRowBytes = kSize.width * std::size_t{3};
  const auto columns = static_cast<std::size_t>(PluginStills::kColumns);
  const std::size_t first_row = at / columns * kSize.height;
  auto cut = std::make_shared<cluster::Snapshot>();
  cut->size = kSize;
  for (std::size_t row = 0; row < static_cast<std::size_t>(kSize.height); ++row) {
    const auto place = ((first_row + row) * columns + at % columns) * kRowBytes;
    const auto* from = reinterpret_cast<const char*>(all.pixels.data() + place);
    cut->rgb24.append(from, kRowBytes);
  }
  return cut;
}

}  // namespace

Result<PluginStills> PluginStills::read(const std::filesystem::path& folder) {
  const auto text = read_text_file(folder / "plugins.txt");
  SUBMIX_TRY(text);
  const auto bytes = read_text_file(folder / "plugins.jpg");
  SUBMIX_TRY(bytes);
  const auto plugins = lines_of(*text);
  const auto rows = (static_cast<int>(plugins.size()) + kColumns - 1) / kColumns;
  const auto all = media::decode_jpeg(*bytes, {kColumns * kSize.width, rows * kSize.height});
  if (!all) return fail("{}: {}", (folder / "plugins.jpg").string(), all.error().message);
  PluginStills stills;
  for (std::size_t i = 0; i < plugins.size(); ++i)
    stills.pictures_[plugins[i]] = cut_out(*all, i);
  return stills;
}

session::Picture PluginStills::find(std::string_view plugin) const {
  const auto found = pictures_.find(plugin);
  return found == pictures_.end() ? nullptr : found->second;
}

std::filesystem::path plugin_stills_folder() {
  auto installed = program_folder().parent_path() / "share/submix/plugins";
  return std::filesystem::exists(installed) ? installed
                                            : program_folder() / "../../../configs/plugins";
}

}  // namespace submix::ui
