// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <string>

namespace submix::cli {

/// The cluster as tables for a terminal: nodes, submixes, each stream with its links, and the
/// newest warnings. Ends with a line end.
[[nodiscard]] std::string status_text(const model::ClusterView& view);

}  // namespace submix::cli
