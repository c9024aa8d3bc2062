// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace submix::plugin {

/// What the host must do for one frei0r plugin beyond the interface. Immutable.
struct Frei0rRepair {
  std::string_view file;                  ///< without ".so"
  std::string_view refused_because = {};  ///< not empty: never made
  std::string_view fixed_parameter = {};  ///< set once to `fixed_value`, hidden from people
  double fixed_value = 0.0;
  bool writes_inputs = false;  ///< it gets copies: frames are others' too, or another process's
  bool sets_all = false;       ///< parameters are set even to what they are: it is not ready before
  bool wants_clear_output =
      false;  ///< it leaves pixels out, or nobody can tell: no former frame must show
  bool runs_alone =
      false;  ///< instances share state: one update or setting at a time in the process
};

/// The table's row for a plugin's file; empty for the well-behaved. By the file alone: what is done for one
/// that another plugin has taken the name of does that one no harm.
[[nodiscard]] std::optional<Frei0rRepair> find_frei0r_repair(std::string_view file);

}  // namespace submix::plugin
