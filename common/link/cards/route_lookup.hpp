// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace submix::link {

/// The route that the kernel takes from an address of this machine to another machine.
struct KernelRoute {
  std::string card;     ///< name of the outgoing card
  std::string gateway;  ///< empty: direct

  friend bool operator==(const KernelRoute&, const KernelRoute&) = default;
};

/// Asks the routing table. Empty: there is no route, or the kernel does not tell.
///
/// Cost     Four system calls; never waits.
[[nodiscard]] std::optional<KernelRoute> look_up_route(const std::string& from,
                                                       const std::string& to);

}  // namespace submix::link
