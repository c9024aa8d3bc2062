// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/frei0r_repairs.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace submix::plugin {
namespace {

// Found with guard pages around frames in frei0r 1.8, each plugin in a process of its own.
constexpr std::array kRepairs{
    Frei0rRepair{.file = "3dflippo", .runs_alone = true},  // wrong pictures when two instances run at once
    // Its curve display never returns at the initial settings.
    Frei0rRepair{.file = "curves", .fixed_parameter = "Show curves", .fixed_value = 0.0},
    Frei0rRepair{.file = "partik0l", .refused_because = "it writes outside its frame"},
    Frei0rRepair{.file = "uvmap", .refused_because = "it reads past the end of its frame"},
};

}  // namespace

std::optional<Frei0rRepair> find_frei0r_repair(std::string_view file) {
  const auto* const found =
      std::find_if(kRepairs.begin(), kRepairs.end(), [&](const auto& repair) { return repair.file == file; });
  return found == kRepairs.end() ? std::nullopt : std::optional(*found);
}

}  // namespace submix::plugin
