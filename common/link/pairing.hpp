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

/// The two ends that one link shall have.
struct LinkPath {
  std::string from;  ///< own address, to be bound
  DataEndpoint to;
  std::string local_socket{};  ///< not empty: by shared memory, and there are no addresses

  [[nodiscard]] bool is_local() const { return !local_socket.empty(); }

  friend bool operator==(const LinkPath&, const LinkPath&) = default;
};

/// Whether both are one way for a connection; what else is known of the far end may differ.
[[nodiscard]] bool is_same_way(const LinkPath& a, const LinkPath& b);

/// An address that links may leave by.
struct OwnAddress {
  std::string address;
  bool is_up = true;
};

/// Which cards carry a stream: for each endpoint of the receiver in order an own address that no link has
/// yet, of the same subnet, else the next one of the same family. Where there are more pairs than links are
/// wished, those that are up come first, of these the `current` ones; where there are fewer, they go round.
/// Routes come before all that; one to an address that the receiver does not have is left out.
[[nodiscard]] std::vector<LinkPath> pair_cards(std::span<const OwnAddress> own,
                                               std::span<const DataEndpoint> receiver,
                                               const LinkWish& wish,
                                               std::span<const LinkPath> current = {});

/// A stream's links by the number they have on the wire; empty: free.
using LinkPlaces = std::array<std::optional<LinkPath>, wire::kLinksMax>;

/// Gives each wanted path a place: the one that has it in `current`, else the first that is free then. So a
/// link that joins or leaves changes nothing for its siblings. At most kLinksMax of `wanted` count.
[[nodiscard]] LinkPlaces place_links(const LinkPlaces& current, std::span<const LinkPath> wanted);

}  // namespace submix::link
