// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include "common/base/result.hpp"

#include <string>
#include <string_view>

namespace submix::plugin {

/// A value as it may be handed to the plugin, and what was done to it, for people (empty: nothing).
struct CheckedValue {
  show::ParameterValue value;
  std::string remark;
};

/// The one place where a parameter meets its description: the name must be known, the type right, no number
/// NaN; numbers outside their limits are clamped and the remark says so. Pure.
[[nodiscard]] Result<CheckedValue> check_parameter(const Description& description,
                                                   std::string_view name,
                                                   const show::ParameterValue& value);

/// Checks all of `setup.parameters` and adds what the description names and they do not. Remarks go to
/// `setup.events`. All errors are listed, one a line.
[[nodiscard]] Result<void> complete_parameters(const Description& description, Setup& setup);

}  // namespace submix::plugin
