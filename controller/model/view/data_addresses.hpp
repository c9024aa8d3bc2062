// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <string>
#include <vector>

namespace submix::model {

/// Where the present nodes accept streams, as a check of this PC knows each address:
/// "left=198.18.0.2:7400", "left=[fd00::2]:7400". Pure.
[[nodiscard]] std::vector<std::string> data_addresses(const ClusterView& view);

}  // namespace submix::model
