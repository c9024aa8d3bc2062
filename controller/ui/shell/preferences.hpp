// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "controller/ui/draw/color_scheme.hpp"
#include "controller/ui/pages/extra_views.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace submix::ui {

inline constexpr std::size_t kFavouritesMax = 1000;  ///< more than there are plugins

/// The window's settings, kept from one run to the next.
struct Preferences {
  Theme theme = Theme::dark;
  double scale = 1;
  std::string page;                 ///< a page's id; empty: the default page
  std::optional<Size> size{};       ///< empty: no window was closed yet
  std::vector<std::string> recent;  ///< show files, newest first; at most kRecentMax
  /// Dragged dividers by name: the share of the panel before (or behind) the divider.
  std::map<std::string, float, std::less<>> dividers{};
  std::set<std::string, std::less<>> favourites{};  ///< plugins' ids; at most kFavouritesMax
  std::vector<ExtraPlace> windows{};                ///< extra windows, open or not; each view once
  bool was_tour_seen = false;  ///< a file without it is older than the tour: true
  /// This PC's node in a show of several PCs, which the window starts; empty: none. Empty again
  /// when the PC leaves its desk.
  std::string own_node{};

  friend bool operator==(const Preferences&, const Preferences&) = default;
};

/// $XDG_STATE_HOME/submix/controller.toml
[[nodiscard]] std::filesystem::path preferences_file();

/// Defaults if there is no file. Values out of range are clamped, unknown keys ignored. Fails if
/// the file is unreadable or is not TOML; the file then stays as it is.
[[nodiscard]] Result<Preferences> read_preferences(const std::filesystem::path& file);
/// Creates the folder if it is missing.
[[nodiscard]] Result<void> write_preferences(const std::filesystem::path& file,
                                             const Preferences& preferences);

}  // namespace submix::ui
