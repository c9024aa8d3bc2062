// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Lets a show go on without one performer, and wait for that performer again. Pure.
namespace submix::model {

/// Streams from `submix` with policy "wait" hold their last picture from now on, after the pause
/// budget. Fails if no input waits for the submix.
[[nodiscard]] Result<Edit> continue_without(const show::Show& show, std::string_view submix);
/// The way back: inputs wait for streams from `submix` again, and lose no frame.
[[nodiscard]] Result<Edit> wait_again_for(const show::Show& show, std::string_view submix);

/// Submixes that others wait for, although their node is silent, gone or never came.
[[nodiscard]] std::vector<std::string> missing_performers(const ClusterView& view);
/// missing_performers(), and the performer named by the verdict (view.bottleneck) if others wait
/// for it.
[[nodiscard]] std::vector<std::string> blocking_performers(const ClusterView& view);

}  // namespace submix::model
