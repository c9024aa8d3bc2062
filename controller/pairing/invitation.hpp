// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/show_key.hpp"

#include <string>
#include <string_view>

namespace submix::pairing {

/// What a PC needs to take part in a desk's shows.
struct Invitation {
  std::string desk;      ///< the desk's host name, for people
  std::string nats_url;  ///< of all of the desk's cards: "nats://198.18.0.1:4222,nats://…"
  cluster::ShowKey key;

  friend bool operator==(const Invitation&, const Invitation&) = default;
};

[[nodiscard]] std::string to_json(const Invitation& invitation);
/// Errors   Other text, a name that is not one plain line, an address that is not NATS's, a wrong
///          key.
[[nodiscard]] Result<Invitation> parse_invitation(std::string_view json);

}  // namespace submix::pairing
