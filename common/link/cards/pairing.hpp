// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/link/stream_sender.hpp"
#include "common/wire/message.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace submix::link {

/// The two ends of one link.
struct LinkPath {
  std::string from;  ///< address of this machine, to bind to
  DataEndpoint to;
  std::string local_socket{};  ///< not empty: shared memory, and no addresses

  [[nodiscard]] bool is_local() const { return !local_socket.empty(); }

  friend bool operator==(const LinkPath&, const LinkPath&) = default;
};

/// Whether both paths use the same addresses and port. Other properties of the far end may differ.
[[nodiscard]] bool is_same_path(const LinkPath& a, const LinkPath& b);

/// An address of this machine that links may leave by.
struct OwnAddress {
  std::string address;
  bool is_up = true;
};

/// Chooses the cards that carry a stream. Each endpoint of the receiver, in order, gets an unused
/// own address of the same subnet, else the next one of the same family.
/// With more pairs than wanted links, pairs that are up come first, and among these the `current`
/// ones. With fewer pairs, the pairs repeat. Explicit routes come before all pairs; a route to an
/// address that the receiver does not have is left out.
[[nodiscard]] std::vector<LinkPath> pair_cards(std::span<const OwnAddress> own,
                                               std::span<const DataEndpoint> receiver,
                                               const LinkSetup& setup,
                                               std::span<const LinkPath> current = {});

/// A stream's links by their index on the wire; empty: free.
using PathTable = std::array<std::optional<LinkPath>, wire::kLinksMax>;

/// Gives each wanted path an index: its index in `current`, else the first free one. So a link that
/// joins or leaves changes nothing for the other links. At most kLinksMax of `wanted` count.
[[nodiscard]] PathTable assign_slots(const PathTable& current, std::span<const LinkPath> wanted);

}  // namespace submix::link
