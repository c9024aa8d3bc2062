// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <string>
#include <string_view>

/// LUTs of a submix's effect Colour. Pure.
namespace submix::model {

/// Whether the name ends in ".cube", in any case.
[[nodiscard]] bool is_lut_name(std::string_view file);

/// The last Colour of `submix` applies `file`, a name in the media folder of its node. A submix
/// without Colour behind its last mixer gets one behind its last picture.
///
/// Errors   As insert_whole_slot().
[[nodiscard]] Result<Edit> apply_lut(const show::Show& show, const PluginMap& plugins,
                                     const std::string& submix, std::string file);

}  // namespace submix::model
