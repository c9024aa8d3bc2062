// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/cluster_view.hpp"

#include <string>
#include <vector>

namespace submix::model {

/// What all the others wait for while the show stands still, a line for people each: a node that is gone, a
/// submix that failed, a stream without a link, a slot that makes no frame. Found by going upstream, through
/// empty queues and streams, from each final submix that shows nothing.
///
/// Empty: the show flows, is paused, is so slow that a second without a frame says nothing, or too little is
/// known.
[[nodiscard]] std::vector<std::string> find_holdups(const ClusterView& view);

}  // namespace submix::model
