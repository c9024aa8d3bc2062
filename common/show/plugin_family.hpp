// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

/// Families of third-party plugins. A show can name them where they are not installed.
namespace submix::show {

struct PluginFamily {
  std::string_view name;    ///< for people: "frei0r"
  std::string_view prefix;  ///< of the plugins' ids: "frei0r/"
};

inline constexpr PluginFamily kFrei0r{"frei0r", "frei0r/"};
inline constexpr std::string_view kFrei0rPrefix = kFrei0r.prefix;
inline constexpr PluginFamily kIsf{"ISF", "isf/"};  ///< Interactive Shader Format
inline constexpr std::string_view kIsfPrefix = kIsf.prefix;

inline constexpr std::array<PluginFamily, 2> kPluginFamilies{kFrei0r, kIsf};

/// The family of a plugin by its id. Null: the plugin is built in, or stands for a submix.
[[nodiscard]] constexpr const PluginFamily* family_of(std::string_view plugin) {
  for (const auto& family : kPluginFamilies) {
    if (plugin.starts_with(family.prefix)) return &family;
  }
  return nullptr;
}

}  // namespace submix::show
