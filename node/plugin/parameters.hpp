// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include "common/base/result.hpp"

#include <string>
#include <string_view>

namespace submix::plugin {

/// A value that may be passed to the plugin, and a remark for people on any change to the value
/// (empty: no change).
struct CheckedValue {
  show::ParameterValue value;
  std::string remark;
};

/// Checks one parameter against its description; no other code does. The name must be known, the
/// type right, no number NaN. Numbers outside their limits are clamped, and the remark says so.
/// Pure.
[[nodiscard]] Result<CheckedValue> check_parameter(const Description& description,
                                                   std::string_view name,
                                                   const show::ParameterValue& value);

/// Checks all of `setup.parameters` and adds the missing ones with their initial values. Remarks go
/// to `setup.events`. The error lists every problem, one a line.
[[nodiscard]] Result<void> complete_parameters(const Description& description, Setup& setup);

}  // namespace submix::plugin
