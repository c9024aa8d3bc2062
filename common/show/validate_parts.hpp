// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to validate(): declarations that its parts share.

#include "common/show/document.hpp"
#include "common/show/problem_limits.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace submix::show {

template <typename Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items)
    names.push_back(item.name);
  return names;
}

/// Checks the form of a name, and that the name is not in `taken` yet.
void check_name(Problems& problems, const std::string& path, const std::string& title,
                const std::string& name, std::set<std::string>& taken);

/// Why a parameter's value is invalid. Empty: it is valid.
[[nodiscard]] std::string value_fault(const ParameterValue& value);
/// Checks the parameters and oscillators of a slot or of a preset.
void check_values(const Slot& slot, const std::string& path, const std::string& title,
                  Problems& problems);
void check_fades(const Slot& slot, const std::string& path, const std::string& title,
                 Problems& problems);
/// Checks knobs, presets and cues.
void check_performing(const Show& show, Problems& problems);
void check_oscillators(const Slot& slot, const std::string& path, const std::string& title,
                       Problems& problems);
void check_tempo(const Tempo& tempo, Problems& problems);

void check_streams(const Show& show, Problems& problems);
/// Checks slots standing for submixes, and the output chain. Returns whether the show may be
/// expanded.
[[nodiscard]] bool check_macros(const Show& show, Problems& problems);

}  // namespace submix::show
