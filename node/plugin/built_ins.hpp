// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include "common/base/result.hpp"

#include <memory>

/// Each built-in plugin: what it is, and how one is made. catalog.hpp's add_built_ins() adds them all.
namespace submix::plugin {

[[nodiscard]] Description pattern_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_pattern(const Setup& setup);

[[nodiscard]] Description mix_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_mix(const Setup& setup);

[[nodiscard]] Description stamp_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_stamp(const Setup& setup);

[[nodiscard]] Description checker_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_checker(const Setup& setup);

[[nodiscard]] Description null_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_null(const Setup& setup);

}  // namespace submix::plugin
