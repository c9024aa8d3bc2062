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

/// States a parameter of a slot. Whether the plugin knows it is for check_plugins() to say.
[[nodiscard]] Result<void> set_parameter(Show& show, const Port& slot, std::string_view parameter,
                                         ParameterValue value);

/// The plugin's own initial value holds again.
[[nodiscard]] Result<void> clear_parameter(Show& show, const Port& slot, std::string_view parameter);

/// The links a stream shall have: `routes`, or, where there are none, so many as cards pair up.
[[nodiscard]] Result<void> set_links(Show& show, std::string_view stream, int link_count,
                                     std::vector<LinkRoute> routes);

/// What a stream does when one of its ends is late; without a budget the one it has stays.
[[nodiscard]] Result<void> set_policy(Show& show, std::string_view stream, InputPolicy policy,
                                      std::optional<std::chrono::milliseconds> pause_budget);

[[nodiscard]] Result<void> set_bypassed(Show& show, const Port& slot, bool is_bypassed);

}  // namespace submix::show
