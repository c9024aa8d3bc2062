// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/input/control.hpp"
#include "controller/input/osc_message.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The addresses that OSC.md lists: which targets they mean, and how values stand in messages. Pure.
namespace submix::input {

/// A target as one address has it.
struct OscPlace {
  Control control;
  bool is_in_units =
      false;  ///< ".../value": in the parameter's own units; else numbers are positions, 0 to 1
};

inline constexpr std::size_t kOscPlacesMax = 4096;  ///< of one pattern

/// What looking up may cost, so that one datagram full of patterns holds nobody up.
struct OscBudget {
  static constexpr std::size_t kPlaceLooks = 16;  ///< a place costs as much as so many looks
  static constexpr std::size_t kLooksMax = 2 * kPlaceLooks * kOscPlacesMax;

  std::size_t looks = kLooksMax;  ///< at a name that may match a pattern; that are left
};

/// All that `address`, which may be a pattern, means. Fails, with the reason, when that is nothing, and when
/// the budget is spent.
/// Cost  Parameters of the show's matching slots; a pattern gives at most kOscPlacesMax.
[[nodiscard]] Result<std::vector<OscPlace>> find_places(const Scene& scene,
                                                        std::string_view address,
                                                        OscBudget& budget);

[[nodiscard]] std::string osc_address(const OscPlace& place);
/// What it is now, as a message to others.
[[nodiscard]] OscMessage present_message(const OscPlace& place);
/// The value that the arguments ask for, within its range.
[[nodiscard]] Result<show::ParameterValue> wanted_value(const OscPlace& place,
                                                        const std::vector<OscArgument>& arguments);

}  // namespace submix::input
