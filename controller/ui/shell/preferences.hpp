// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "controller/ui/draw/color_scheme.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace submix::ui {

/// What the window looked like when it was closed, for the next time.
struct Preferences {
  Theme theme = Theme::dark;
  double scale = 1;
  std::string page;  ///< its id; empty: the usual one
  Size size{1440, 900};
  std::vector<std::string> recent;  ///< show files, newest first; at most kRecentMax
  /// Lines between panels that were dragged, each the share of its room before or behind it.
  std::map<std::string, float, std::less<>> dividers{};

  friend bool operator==(const Preferences&, const Preferences&) = default;
};

/// $XDG_STATE_HOME/submix/controller.toml
[[nodiscard]] std::filesystem::path preferences_file();

/// The usual ones where there is no file; values out of range are brought into it, unknown keys passed over.
/// Fails on a file that cannot be read or is no TOML, which then stands as it is.
[[nodiscard]] Result<Preferences> read_preferences(const std::filesystem::path& file);
/// Makes the folder where it is missing.
[[nodiscard]] Result<void> write_preferences(const std::filesystem::path& file,
                                             const Preferences& preferences);

}  // namespace submix::ui
