// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/input/control.hpp"
#include "controller/input/osc_message.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The addresses that OSC.md lists: their targets, and the form of values in messages. Pure.
namespace submix::input {

/// A target with the address under which it was found.
struct OscMatch {
  Control control;
  /// ".../value": numbers are in the parameter's own units; else they are positions, 0 to 1
  bool is_in_units = false;
};

inline constexpr std::size_t kOscMatchesMax = 4096;  ///< of one pattern

/// Limits the cost of lookups, so that a datagram full of patterns does not delay other messages.
struct OscBudget {
  static constexpr std::size_t kLooksPerMatch = 16;  ///< cost of a result, in compared names
  static constexpr std::size_t kLooksMax = 2 * kLooksPerMatch * kOscMatchesMax;

  std::size_t looks = kLooksMax;  ///< names that may still be compared with patterns
};

/// Whether the address, by its first part, is one of those that OSC.md lists.
[[nodiscard]] bool is_own_address(std::string_view address);

/// All targets that `address` matches; it may be a pattern. Fails with the reason if there are
/// none, or if the budget is spent.
///
/// Cost     Proportional to the parameters of the matching slots. A pattern returns at most
///          kOscMatchesMax.
[[nodiscard]] Result<std::vector<OscMatch>> find_matches(const Scene& scene,
                                                         std::string_view address,
                                                         OscBudget& budget);

[[nodiscard]] std::string osc_address(const OscMatch& match);
/// The present value as a message to subscribers.
[[nodiscard]] OscMessage present_message(const OscMatch& match);
/// The value that the arguments ask for, clamped to the range.
[[nodiscard]] Result<show::ParameterValue> wanted_value(const OscMatch& match,
                                                        const std::vector<OscArgument>& arguments);

}  // namespace submix::input
