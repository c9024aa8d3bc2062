// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/identity.hpp"
#include "common/cluster/rights.hpp"
#include "common/cluster/show_key.hpp"

#include <string>

namespace submix::cluster {

/// What a program tells the NATS server after the server has proven the show's key.
struct NatsLogin {
  std::string user;
  std::string password;
  Rights rights = Rights::everything;
};

/// The login of programs that have nothing but the show's key.
[[nodiscard]] NatsLogin shared_login(const ShowKey& key);

/// The login of `pc`, which its desk and the PC derive alike, each from its own identity and the
/// other's public key; so no third PC knows it. The password differs for each of the rights: a PC
/// finds out which it has by which password the server takes.
///
/// @param own    Of the PC or of the desk.
/// @param other  Of the desk or of the PC. The desk's own login is with itself.
[[nodiscard]] NatsLogin login_of(const PublicKey& pc, const Identity& own, const PublicKey& other,
                                 const ShowKey& key, Rights rights);

}  // namespace submix::cluster
