// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/identity.hpp"
#include "common/cluster/show_key.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace submix::pairing {

/// What a PC needs to take part in a desk's shows.
struct Invitation {
  std::string desk;      ///< the desk's host name, for people
  std::string nats_url;  ///< of all of the desk's cards: "nats://198.18.0.1:4222,nats://…"
  cluster::ShowKey key;
  std::optional<cluster::PublicKey> desk_key{};  ///< empty: this desk can shut out no PC alone
  std::uint64_t key_number = 0;                  ///< as cluster::NumberedKey::number
  /// Where the desk answers questions later. Empty: it has no list, or an older Submix.
  std::optional<std::uint16_t> pairing_port{};

  friend bool operator==(const Invitation&, const Invitation&) = default;
};

/// A PC that joins.
struct Joiner {
  std::string name;  ///< for the desk's person: one plain line; may be anything
  cluster::PublicKey key{};
  std::string address{};  ///< as the desk sees it
};

/// What a PC gets, and a remark for the desk's person.
struct Admission {
  Invitation invitation;
  std::string remark{};
};

[[nodiscard]] std::string to_json(const Invitation& invitation);
/// Errors   Other text, a name that is not one plain line, an address that is not NATS's, a wrong
///          key.
[[nodiscard]] Result<Invitation> parse_invitation(std::string_view json);

}  // namespace submix::pairing
