// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to planner.cpp: which cards carry a stream, and what these have.

#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>
#include <vector>

namespace submix::model {

/// MB/s that TCP gets of a card: Ethernet's and TCP's headers are taken off. Empty: its speed is not known.
[[nodiscard]] std::optional<double> usable_mb_per_second(int speed_mbit, int mtu_bytes);

/// One end of a planned link.
struct PlannedEnd {
  std::string node;
  std::string address;
};

struct PlannedLink {
  PlannedEnd from;
  PlannedEnd to;
  std::optional<double> measured;  ///< MB/s of this very link
};

/// The links that `stream` would have between two nodes: those that it has where nothing about them changes,
/// its routes, or cards paired as nodes do it: by subnet, then in order. None by shared memory.
[[nodiscard]] std::vector<PlannedLink> planned_links(const ClusterView& view,
                                                     const show::Stream& stream,
                                                     const NodeView& from, const NodeView& to);

/// Of the card that has an address.
struct CardFacts {
  std::string name;
  std::optional<double> has;  ///< MB/s
  bool is_loopback = false;   ///< no card at all: as fast as the computer
};
[[nodiscard]] CardFacts facts_of(const NodeView& node, const std::string& address);

}  // namespace submix::model
