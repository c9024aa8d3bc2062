// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

namespace submix::ui {

/// The PC that shows this window, as a node on it would report: its name and machine only.
[[nodiscard]] const model::NodeView& this_pc();

[[nodiscard]] bool is_on_this_pc(const model::NodeView& node);

}  // namespace submix::ui
