// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/plugin_search.hpp"

#include "controller/ui/draw/folding.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/edits/plugin_categories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace submix::ui {
bool has_words(const cluster::PluginSummary& plugin, std::string_view query) {
  const auto words =
      folded(fmt::format("{} {} {} {} {}", plugin.id, title_of(plugin.id),
                         title_of(category_of(plugin)), plugin.kind, plugin.explanation));
  const auto wanted = folded(query);
  for (std::size_t begin = 0; begin < wanted.size();) {
    const auto end = std::min(wanted.find(' ', begin), wanted.size());
    if (words.find(wanted.substr(begin, end - begin)) == std::string::npos) return false;
    begin = end + 1;
  }
  return true;
}

int rank_of(const cluster::PluginSummary& plugin, std::string_view query) {
  const auto id = folded(plugin.id);
  const auto wanted = folded(query);
  const auto name = std::string_view(id).substr(id.rfind('/') + 1);
  const auto title = folded(title_of(plugin.id));
  if (name == wanted || title == wanted) return 0;
  if (name.starts_with(wanted) || title.starts_with(wanted)) return 1;
  return id.find(wanted) != std::string::npos || title.find(wanted) != std::string::npos ? 2 : 3;
}

}  // namespace submix::ui
