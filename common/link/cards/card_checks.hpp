// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/link/cards/interfaces.hpp"
#include "common/link/cards/pairing.hpp"
#include "common/link/cards/route_lookup.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Checks of one link against the known state of the network cards at both ends. They find why a
/// link cannot work, and why it may be slow. All functions are pure except bind_where_needed().
namespace submix::link {

using Cards = std::span<const NetworkInterface>;

/// Whether a connection can leave by this address of this machine now. True when no card is known
/// at all.
[[nodiscard]] bool is_usable(const std::string& own_address, Cards cards);

/// Why nothing can leave by the path's own address now; empty when traffic can leave. Traffic
/// inside this machine needs no carrier.
[[nodiscard]] std::string obstacle_here(const LinkPath& path, Cards cards);
/// The same for the far end, as the node `peer` reports it.
[[nodiscard]] std::string obstacle_there(const LinkPath& path, Cards cards,
                                         const std::string& peer);

/// Whether a link must be bound to the card of its own address. False on loopback, and false if the
/// routing table sends the link another way to an address outside the card's subnet.
[[nodiscard]] bool needs_binding(const LinkPath& path, Cards cards,
                                 const std::optional<KernelRoute>& route);

/// Binds a socket of `path` to its card if needs_binding() says so. Returns whether it is bound.
///
/// Errors   The system does not permit it; the text is for people.
[[nodiscard]] Result<bool> bind_where_needed(int socket, const LinkPath& path, Cards cards);

/// Why a connection attempt may have had no answer, from the routing table's view of `path`, with
/// the remedy.
[[nodiscard]] std::string explain_silence(const LinkPath& path, Cards cards,
                                          const std::optional<KernelRoute>& route);

/// All that is known about one link's path. `card` has the link's own address.
struct LinkFacts {
  NetworkInterface card;  ///< with speeds
  DataEndpoint to;        ///< with speeds, as far as the far node reports them
  std::optional<KernelRoute> route;
  bool is_bound = false;                ///< bound to its card, whatever the routing table says
  std::vector<std::size_t> companions;  ///< other links of the stream that leave by the same card
};

/// Why the link is slower than it could be, with the remedy, for people; empty: no reason found.
[[nodiscard]] std::string warning_of(const LinkFacts& facts);

}  // namespace submix::link
