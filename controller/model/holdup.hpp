// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/cluster_view.hpp"

#include <string>
#include <vector>

namespace submix::model {

/// What all the others wait for, as a line for people, and which thing it is.
struct Holdup {
  std::string text;
  // Empty where it is of another kind.
  std::string node;
  std::string submix;
  std::string slot;
  std::string stream;
};

/// What all the others wait for while the show stands still: a node that is gone, a submix that failed, a
/// stream without a link, a slot that makes no frame. Found by going upstream, through empty queues and
/// streams, from each final submix that shows nothing.
///
/// Empty: the show flows, is paused, or too little is known. It stands when no frame has come for a second,
/// or for the time of 2.5 frames where that is longer.
[[nodiscard]] std::vector<Holdup> find_causes(const ClusterView& view);
/// Their lines.
[[nodiscard]] std::vector<std::string> find_holdups(const ClusterView& view);

/// What keeps a submix from running at all, for people; empty: nothing does. `node` is to run it; null:
/// nobody has heard of that.
[[nodiscard]] std::string obstacle_of(const SubmixView& submix, const NodeView* node);

}  // namespace submix::model
