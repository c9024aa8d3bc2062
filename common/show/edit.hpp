// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

/// Changes that controllers make to a show, one function each. A failed change leaves the show
/// unchanged, and its error names the most similar existing name.
namespace submix::show {

/// Lets `node` run `submix`. An empty node: no node runs the submix. A node the show does not
/// list yet is added. The sound of a clip of `submix` is heard on `node` from then on.
[[nodiscard]] Result<void> assign(Show& show, std::string_view submix, std::string_view node);

/// States a parameter of a slot; the value holds at once. check_plugins() decides whether the
/// plugin knows the parameter.
[[nodiscard]] Result<void> set_parameter(Show& show, const Port& slot, std::string_view parameter,
                                         ParameterValue value);

/// Removes a stated parameter: the plugin's own initial value holds again.
[[nodiscard]] Result<void> clear_parameter(Show& show, const Port& slot,
                                           std::string_view parameter);

/// Sets the oscillator of a slot's number, or removes it (empty). If the oscillator states beats,
/// its frequency is reset to the default.
[[nodiscard]] Result<void> set_oscillator(Show& show, const Port& slot, std::string_view parameter,
                                          std::optional<Oscillator> oscillator);

/// Sets the fade that leads a slot's number to its stated value, or removes it (empty).
[[nodiscard]] Result<void> set_fade(Show& show, const Port& slot, std::string_view parameter,
                                    std::optional<Fade> fade);

/// Removes all fades, and the time of a follow-on. For a show read from a file: they belong to an
/// earlier run.
void forget_fades(Show& show);

/// Sets the links of a stream: `routes`, or, without any, `link_count` links over paired
/// cards.
[[nodiscard]] Result<void> set_links(Show& show, std::string_view stream, int link_count,
                                     std::vector<LinkRoute> routes);

/// Sets what a stream does when one of its ends is late. Without a budget the present budget stays.
[[nodiscard]] Result<void> set_policy(Show& show, std::string_view stream, InputPolicy policy,
                                      std::optional<std::chrono::milliseconds> pause_budget);

/// Sets how many instances of a slot's plugin share its frames. The node decides whether the plugin
/// may have helpers.
[[nodiscard]] Result<void> set_helpers(Show& show, const Port& slot, int helpers);

[[nodiscard]] Result<void> set_bypassed(Show& show, const Port& slot, bool is_bypassed);

}  // namespace submix::show
