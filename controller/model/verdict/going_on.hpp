// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <string>
#include <string_view>
#include <vector>

/// How a show goes on without one performer, and waits for it again. Pure.
namespace submix::model {

/// Streams from `submix` that are waited for hold their last picture from now on, past the pause budget.
/// Fails where nobody waits for it.
[[nodiscard]] Result<Edit> go_on_without(const show::Show& show, std::string_view submix);
/// The way back: streams from `submix` that are gone on without are waited for again, and lose nothing.
[[nodiscard]] Result<Edit> wait_again_for(const show::Show& show, std::string_view submix);

/// Submixes that others wait for though their node is silent or gone, or never came.
[[nodiscard]] std::vector<std::string> missing_performers(const ClusterView& view);
/// These, and the one that the verdict (view.bottleneck) names, if others wait for it: it hangs, or is slow.
[[nodiscard]] std::vector<std::string> performers_that_hold_up(const ClusterView& view);

}  // namespace submix::model
