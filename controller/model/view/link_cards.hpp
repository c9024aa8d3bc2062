// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>
#include <vector>

/// Which cards of which computers links use, and which they could use. Pure functions.
namespace submix::model {

/// One end of a link.
struct CardEnd {
  std::string node;
  std::string host;  ///< the computer; empty: its node does not say
  std::string card;  ///< "eth1"; empty: no card of the node has the link's address

  friend bool operator==(const CardEnd&, const CardEnd&) = default;
};

struct LinkCards {
  CardEnd from;  ///< the sender's
  CardEnd to;

  friend bool operator==(const LinkCards&, const LinkCards&) = default;
};

[[nodiscard]] LinkCards cards_of(const ClusterView& view, const StreamView& stream,
                                 const LinkView& link);

/// "rack1's eth1"; empty where the card is not known.
[[nodiscard]] std::string name_of(const CardEnd& end);

/// What is known of the card itself; null: its node does not tell.
[[nodiscard]] const CardView* find_card(const ClusterView& view, const CardEnd& end);

/// The cards that one link more of the stream would get, where no link of any stream uses them yet, as
/// link::pair_cards() chooses; empty: it would share a card, or that is not known.
[[nodiscard]] std::optional<LinkCards> spare_cards(const ClusterView& view,
                                                   const StreamView& stream);

/// What several streams share of the cards of one stream: "left and right share desk's eth0 and eth1"; empty:
/// nothing.
[[nodiscard]] std::string sharing_of(const ClusterView& view, const StreamView& stream);

}  // namespace submix::model
