// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include "common/base/result.hpp"

#include <memory>
#include <string_view>

/// The built-in plugins: the description and the factory of each. add_built_ins() of catalog.hpp
/// adds them all.
namespace submix::plugin {

class LutShelf;

[[nodiscard]] Description pattern_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_pattern(const Setup& setup);

[[nodiscard]] Description mix_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_mix(const Setup& setup);

[[nodiscard]] Description transform_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_transform(const Setup& setup);

[[nodiscard]] Description colour_description();
/// If a LUT cannot be read, trouble() says why, and the picture stays without it. `shelf` is not
/// null.
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_colour(const Setup& setup,
                                                          std::shared_ptr<LutShelf> shelf);

[[nodiscard]] Description keyer_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_keyer(const Setup& setup);

[[nodiscard]] Description scope_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_scope(const Setup& setup);

[[nodiscard]] Description stamp_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_stamp(const Setup& setup);

[[nodiscard]] Description checker_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_checker(const Setup& setup);

[[nodiscard]] Description null_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_null(const Setup& setup);

/// The plugins that a node runs in place of a plugin that cannot be used. Their text parameter
/// "reason" says why. They are in no show and in no list.
inline constexpr std::string_view kStandInSource = "stand-in-source";
inline constexpr std::string_view kStandInFilter = "stand-in-filter";

[[nodiscard]] Description stand_in_source_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_stand_in_source(const Setup& setup);

[[nodiscard]] Description stand_in_filter_description();
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_stand_in_filter(const Setup& setup);

}  // namespace submix::plugin
