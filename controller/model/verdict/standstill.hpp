// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <string>
#include <vector>

namespace submix::model {

/// A thing that all others wait for, and a line about it for people.
struct StandstillCause {
  std::string text;
  // Empty where the thing is of another kind.
  std::string node;
  std::string submix;
  std::string slot;
  std::string stream;
};

/// The causes of a standstill: a missing node, a failed submix, a stream without a link, a slot
/// that makes no frame. The search goes upstream, through empty queues and streams, from each
/// output without frames. A missing node is named once, with all of its submixes. An input without
/// a stream never causes a standstill.
///
/// Empty: the show flows, is paused, or too little is known. A show stands still after a second
/// without a frame, or after 2.5 frames' time if that is longer.
[[nodiscard]] std::vector<StandstillCause> find_standstill_causes(const ClusterView& view);
/// The lines of find_standstill_causes().
[[nodiscard]] std::vector<std::string> standstill_lines(const ClusterView& view);

/// Why a submix cannot run, for people. Empty: nothing prevents it.
[[nodiscard]] std::string submix_obstacle(const ClusterView& view, const SubmixView& submix);

/// Why submixes of a missing node do not run, for people: "node "a", which is to run submixes "x"
/// and "y": silent for 12.0 s; if it does not run, start it …". `submixes` has at least one.
[[nodiscard]] std::string absence_line(const ClusterView& view,
                                       const std::vector<const SubmixView*>& submixes);

/// Whether neither a report nor a frame comes from the node, or it never started.
[[nodiscard]] bool is_away(const NodeView* node);

/// "silent for 12.0 s"; or "not heard for at least 1.3 s" if the observer has just begun to listen.
[[nodiscard]] std::string silence_text(const NodeView* node);

/// "start it on rack1: submix-node --name left --nats nats://198.18.0.1:4222", as far as known.
[[nodiscard]] std::string how_to_start(const ClusterView& view, const std::string& node);

}  // namespace submix::model
