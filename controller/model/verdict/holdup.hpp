// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

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
/// streams, from each output that shows nothing. A node is named once, with all that it is to run; an input
/// that no stream leads to is never waited for.
///
/// Empty: the show flows, is paused, or too little is known. It stands when no frame has come for a second,
/// or for the time of 2.5 frames where that is longer.
[[nodiscard]] std::vector<Holdup> find_causes(const ClusterView& view);
/// Their lines.
[[nodiscard]] std::vector<std::string> find_holdups(const ClusterView& view);

/// What keeps a submix from running at all, for people; empty: nothing does.
[[nodiscard]] std::string obstacle_of(const ClusterView& view, const SubmixView& submix);

/// Why submixes do not run whose node is not there, for people: "node "a", which is to run submixes "x" and
/// "y": silent for 12.0 s; unless it runs, start it …". At least one.
[[nodiscard]] std::string absence_text(const ClusterView& view,
                                       const std::vector<const SubmixView*>& submixes);

/// Whether no word and no frame comes from the node, or it was never started.
[[nodiscard]] bool is_away(const NodeView* node);

/// "silent for 12.0 s"; "not heard for at least 1.3 s" by an observer that has only just begun to listen.
[[nodiscard]] std::string silence_of(const NodeView* node);

/// "start it on rack1: submix-node --name left --nats nats://198.18.0.1:4222", as far as it is known.
[[nodiscard]] std::string how_to_start(const ClusterView& view, const std::string& node);

}  // namespace submix::model
