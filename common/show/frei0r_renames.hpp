// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace submix::show {

/// A plugin whose file has another name in frei0r 2 (Debian 13) than in frei0r 1.8 (Debian 12).
struct Frei0rRename {
  std::string_view name;         ///< in frei0r 1.8
  std::string_view name_in_two;  ///< in frei0r 2
};

inline constexpr std::array<Frei0rRename, 6> kFrei0rRenames{{
    {"alpha0ps", "alpha0ps_alpha0ps"},
    {"alphagrad", "alpha0ps_alphagrad"},
    {"alphaspot", "alpha0ps_alphaspot"},
    {"hqdn3d", "denoise_hqdn3d"},
    {"pr0be", "measure_pr0be"},
    {"pr0file", "measure_pr0file"},
}};

/// The id of a plugin in shows and catalogs, the same with either frei0r: the one of frei0r 1.8 for
/// an id with a name of frei0r 2. All other ids stay.
[[nodiscard]] std::string common_plugin_id(std::string_view id);

}  // namespace submix::show
