// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/link/stream_sender.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace submix::link {

/// The two ends that one link shall have.
struct LinkPath {
  std::string from;  ///< own address, to be bound
  DataEndpoint to;

  friend bool operator==(const LinkPath&, const LinkPath&) = default;
};

/// Which cards carry a stream: for each endpoint of the receiver in order an own address that no link has
/// yet, of the same subnet, else the next one of the same family. More links than pairs go round; routes come
/// first. A route to an address that the receiver does not have is left out.
[[nodiscard]] std::vector<LinkPath> pair_cards(std::span<const std::string> own,
                                               std::span<const DataEndpoint> receiver, std::size_t link_count,
                                               std::span<const Route> routes);

}  // namespace submix::link
