// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/frei0r/frei0r_repairs.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace submix::plugin {
namespace {

// Found with guard pages around frames in frei0r 1.8, each plugin in a process of its own; what
// only frei0r 2 needs says so. Pixels that a plugin leaves out were found with hundreds of values
// of its parameters (tests/plugin/frei0r/frei0r_coverage_test.cpp).
constexpr std::array kRepairs{
    // It writes through uninitialised pointers until a parameter is set (valgrind shows it), and
    // draws wrong pictures when two instances run at once.
    Frei0rRepair{
        .file = "3dflippo", .sets_all = true, .wants_clear_output = true, .runs_alone = true},
    Frei0rRepair{.file = "aech0r", .wants_clear_output = true},
    Frei0rRepair{.file = "c0rners", .wants_clear_output = true},
    // These three multiply alpha in place.
    Frei0rRepair{.file = "cairoaffineblend", .writes_inputs = true, .wants_clear_output = true},
    Frei0rRepair{.file = "cairoblend", .writes_inputs = true},
    Frei0rRepair{.file = "cairogradient", .writes_inputs = true, .wants_clear_output = true},
    Frei0rRepair{.file = "cairoimagegrid", .wants_clear_output = true},
    Frei0rRepair{.file = "cartoon", .wants_clear_output = true},
    Frei0rRepair{.file = "cluster", .wants_clear_output = true},
    Frei0rRepair{.file = "colorhalftone", .wants_clear_output = true},
    // Its curve display never returns at the initial settings.
    Frei0rRepair{.file = "curves",
                 .fixed_parameter = "Show curves",
                 .fixed_value = 0.0,
                 .wants_clear_output = true},
    Frei0rRepair{.file = "delaygrab", .wants_clear_output = true},
    Frei0rRepair{.file = "facebl0r",
                 .wants_clear_output = true},  // unknown for both: they need faces
    Frei0rRepair{.file = "facedetect", .wants_clear_output = true},
    // Of frei0r 2. These two are random: nobody can tell.
    Frei0rRepair{.file = "filmgrain", .wants_clear_output = true},
    Frei0rRepair{.file = "gateweave", .wants_clear_output = true},
    Frei0rRepair{.file = "glitch0r", .wants_clear_output = true},
    // Of frei0r 2. It mirrors a place outside the frame once. A place further out than a frame is
    // then outside still, and the plugin reads it: with its origin near a corner.
    Frei0rRepair{.file = "kaleid0sc0pe", .fixed_parameter = "reflect_edges", .fixed_value = 0.0},
    Frei0rRepair{.file = "medians", .wants_clear_output = true},
    Frei0rRepair{.file = "nervous", .wants_clear_output = true},  // of frei0r 2
    Frei0rRepair{.file = "partik0l", .refused_because = "it writes outside its frame"},
    Frei0rRepair{.file = "pixs0r",  // of frei0r 2: its blocks may have no height
                 .refused_because = "it never returns with some of its settings"},
    Frei0rRepair{.file = "pr0be", .wants_clear_output = true},
    Frei0rRepair{.file = "rgbnoise", .wants_clear_output = true},  // it is random: nobody can tell
    Frei0rRepair{.file = "scale0tilt", .wants_clear_output = true},
    Frei0rRepair{.file = "tehroxx0r", .wants_clear_output = true},
    Frei0rRepair{.file = "uvmap", .refused_because = "it reads past the end of its frame"},
};

}  // namespace

std::optional<Frei0rRepair> find_frei0r_repair(std::string_view file) {
  const auto* const found = std::find_if(kRepairs.begin(), kRepairs.end(),
                                         [&](const auto& repair) { return repair.file == file; });
  return found == kRepairs.end() ? std::nullopt : std::optional(*found);
}

}  // namespace submix::plugin
