// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/cluster.hpp"
#include "controller/model/edit/show_edit.hpp"

#include <string>

/// What commands ask before they edit the cluster's show.
namespace submix::cli {

/// What the plugin on its node says to an edit of `slot`, at `place` of it ("parameters.Blur"); nothing while
/// that node is not here.
[[nodiscard]] Result<void> check_slot(cluster::Cluster& cluster, const model::Edit& edit,
                                      const show::Port& slot, const std::string& place);

/// A slip of the pen would stop the show: who shall run a submix must be in the show, or be here.
[[nodiscard]] Result<void> check_node(cluster::Cluster& cluster, const std::string& node);

/// "left.glow.Border width": names hold no dot, a parameter may. Without a value.
[[nodiscard]] Result<model::SetParameter> parse_target(const std::string& target);

}  // namespace submix::cli
