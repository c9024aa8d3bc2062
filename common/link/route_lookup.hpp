// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace submix::link {

/// How this machine's routing table leads from one of its addresses to another machine's.
struct Way {
  std::string card;     ///< by which it leaves
  std::string gateway;  ///< empty: direct

  friend bool operator==(const Way&, const Way&) = default;
};

/// Empty: there is no way, or the kernel does not say.
/// Cost     Four system calls; never waits.
[[nodiscard]] std::optional<Way> look_up_way(const std::string& from, const std::string& to);

}  // namespace submix::link
