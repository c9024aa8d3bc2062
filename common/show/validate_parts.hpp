// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to validate(): what its parts share.

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

/// The form of a name, and that it is not in `taken` yet.
void check_name(Problems& problems, const std::string& path, const std::string& title,
                const std::string& name, std::set<std::string>& taken);

/// Why a value cannot be taken; empty: it can.
[[nodiscard]] std::string value_fault(const ParameterValue& value);
/// Parameters and oscillators, of a slot or of a preset.
void check_values(const Slot& slot, const std::string& path, const std::string& title,
                  Problems& problems);
void check_fades(const Slot& slot, const std::string& path, const std::string& title,
                 Problems& problems);
/// Knobs, presets and cues.
void check_performing(const Show& show, Problems& problems);
void check_oscillators(const Slot& slot, const std::string& path, const std::string& title,
                       Problems& problems);
void check_tempo(const Tempo& tempo, Problems& problems);

void check_streams(const Show& show, Problems& problems);
/// Slots that stand for submixes, and the output chain. Whether all of it may be expanded.
[[nodiscard]] bool check_macros(const Show& show, Problems& problems);

}  // namespace submix::show
