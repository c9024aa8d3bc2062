// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

/// Changes that controllers make to a show, one function each. A failed one leaves the show as it was and
/// names what is nearest to what was asked for.
namespace submix::show {

/// Lets `node` run `submix`; an empty node: nobody. A node that the show does not list yet is added to it.
[[nodiscard]] Result<void> assign(Show& show, std::string_view submix, std::string_view node);

/// States a parameter of a slot; it is there at once. Whether the plugin knows it is for check_plugins() to
/// say.
[[nodiscard]] Result<void> set_parameter(Show& show, const Port& slot, std::string_view parameter,
                                         ParameterValue value);

/// The plugin's own initial value holds again.
[[nodiscard]] Result<void> clear_parameter(Show& show, const Port& slot,
                                           std::string_view parameter);

/// Lets a number of a slot move, in place of the oscillator it has; empty: it has none. Where beats are
/// stated, its frequency is forgotten.
[[nodiscard]] Result<void> set_oscillator(Show& show, const Port& slot, std::string_view parameter,
                                          std::optional<Oscillator> oscillator);

/// Lets a number of a slot fade to what is stated; empty: it is there.
[[nodiscard]] Result<void> set_fade(Show& show, const Port& slot, std::string_view parameter,
                                    std::optional<Fade> fade);

/// Takes out the fades of a former run, whose frames' numbers mean nothing in the next one: for a show that
/// comes from a file.
void forget_fades(Show& show);

/// The links a stream shall have: `routes`, or, where there are none, so many as cards pair up.
[[nodiscard]] Result<void> set_links(Show& show, std::string_view stream, int link_count,
                                     std::vector<LinkRoute> routes);

/// What a stream does when one of its ends is late; without a budget the one it has stays.
[[nodiscard]] Result<void> set_policy(Show& show, std::string_view stream, InputPolicy policy,
                                      std::optional<std::chrono::milliseconds> pause_budget);

/// How many instances of a slot's plugin share its frames. Whether the plugin may have helpers is for its
/// node to say.
[[nodiscard]] Result<void> set_helpers(Show& show, const Port& slot, int helpers);

[[nodiscard]] Result<void> set_bypassed(Show& show, const Port& slot, bool is_bypassed);

}  // namespace submix::show
