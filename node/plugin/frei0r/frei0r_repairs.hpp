// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace submix::plugin {

/// Extra work of the host for one frei0r plugin, beyond the interface. Immutable.
struct Frei0rRepair {
  std::string_view file;                  ///< without ".so"; the name in frei0r 1.8
  std::string_view refused_because = {};  ///< not empty: never made
  std::string_view fixed_parameter = {};  ///< set once to `fixed_value`, hidden from people
  double fixed_value = 0.0;
  bool writes_inputs = false;  ///< gets copies: other slots and processes share its inputs
  /// parameters are set even to their present values: the plugin is not ready before
  bool sets_all = false;
  /// The plugin leaves pixels out, or nobody can tell. No former frame must show.
  bool wants_clear_output = false;
  /// Instances share state: one update or setting at a time in the process.
  bool runs_alone = false;
};

/// The table's row for a plugin's file; empty for a well-behaved plugin. The file name alone
/// decides: a repair does no harm to another plugin of the same file name.
[[nodiscard]] std::optional<Frei0rRepair> find_frei0r_repair(std::string_view file);

}  // namespace submix::plugin
