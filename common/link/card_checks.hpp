// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/link/interfaces.hpp"
#include "common/link/pairing.hpp"
#include "common/link/route_lookup.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// What stands against a link, and what is odd about it, judged by what is known of the cards at its ends.
/// All but hold_where_right() are pure.
namespace submix::link {

using Cards = std::span<const NetworkInterface>;

/// Whether a connection can leave by an own address now. Where no card is known at all, nothing is said
/// against any.
[[nodiscard]] bool is_usable(const std::string& own_address, Cards cards);

/// Why nothing can leave by the path's own address now; empty: it can. What stays on this machine needs no
/// carrier.
[[nodiscard]] std::string obstacle_here(const LinkPath& path, Cards cards);
/// The same for the far end, of which the node `peer` says it.
[[nodiscard]] std::string obstacle_there(const LinkPath& path, Cards cards,
                                         const std::string& peer);

/// Whether a link shall be held on its own address's card: not on loopback, and not where the routing table
/// leads another way to an address outside of that card's subnet.
[[nodiscard]] bool is_to_be_held(const LinkPath& path, Cards cards, const std::optional<Way>& way);

/// Holds a socket of `path` on its card where that is right, and says whether. Fails, for people, where the
/// system does not permit it.
[[nodiscard]] Result<bool> hold_where_right(int socket, const LinkPath& path, Cards cards);

/// Why a connection may have had no answer: what the routing table says of `path`, and the remedy.
[[nodiscard]] std::string explain_silence(const LinkPath& path, Cards cards,
                                          const std::optional<Way>& way);

/// What is known of one link's way. `card` is its own address's.
struct LinkFacts {
  NetworkInterface card;  ///< with speeds
  DataEndpoint to;        ///< the same, as far as its node says
  std::optional<Way> way;
  bool is_held = false;                 ///< on its card, whatever the way says
  std::vector<std::size_t> companions;  ///< other links of the stream that leave by the same card
};

/// What makes it slower than it could be, with the remedy, for people; empty: nothing.
[[nodiscard]] std::string warning_of(const LinkFacts& facts);

}  // namespace submix::link
