// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to planner.cpp: the cards for each stream, and their capacity.

#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>
#include <vector>

namespace submix::model {

/// MB/s of a card left for TCP's payload, without the headers of Ethernet, IP and TCP. Empty: the
/// speed is not known.
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

/// The links of `stream` between two nodes: its present links if nothing about them changes, its
/// routes, or cards paired as nodes pair them (by subnet, then in order). None through shared
/// memory.
[[nodiscard]] std::vector<PlannedLink> planned_links(const ClusterView& view,
                                                     const show::Stream& stream,
                                                     const NodeView& from, const NodeView& to);

/// The card with an address.
struct CardFacts {
  std::string name;
  std::optional<double> has;  ///< MB/s
  bool is_loopback = false;   ///< no card: as fast as the computer
};
[[nodiscard]] CardFacts facts_of(const NodeView& node, const std::string& address);

}  // namespace submix::model
