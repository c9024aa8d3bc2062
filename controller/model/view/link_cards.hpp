// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>
#include <vector>

/// Network cards that links use, and cards that links could use. Pure functions.
namespace submix::model {

/// One end of a link.
struct CardEnd {
  std::string node;
  std::string host;     ///< the computer's name; empty: not known
  std::string machine;  ///< machine_id() there; empty: not known
  std::string card;     ///< "eth1"; empty: no card of the node has the link's address
};

struct LinkCards {
  CardEnd from;  ///< the sender's
  CardEnd to;
};

[[nodiscard]] LinkCards cards_of(const ClusterView& view, const StreamView& stream,
                                 const LinkView& link);

/// "rack1's eth1". Empty where the card is not known.
[[nodiscard]] std::string name_of(const CardEnd& end);

/// The card of `end`. Null: its node does not report the card.
[[nodiscard]] const CardView* find_card(const ClusterView& view, const CardEnd& end);

/// The unused cards that one more link of the stream would get, chosen as link::pair_cards()
/// chooses. Empty: the link would share a card, or the cards are not known.
[[nodiscard]] std::optional<LinkCards> spare_cards(const ClusterView& view,
                                                   const StreamView& stream);

/// Cards that several streams share with `stream`: "left and right share desk's eth0 and eth1".
/// Empty: none.
[[nodiscard]] std::string sharing_of(const ClusterView& view, const StreamView& stream);

}  // namespace submix::model
