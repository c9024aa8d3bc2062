// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/nats_login.hpp"

#include "common/cluster/names.hpp"

#include <fmt/format.h>

namespace submix::cluster {

NatsLogin shared_login(const ShowKey& key) {
  return {"submix", key.nats_password()};
}

NatsLogin login_of(const PublicKey& pc, const Identity& own, const PublicKey& other,
                   const ShowKey& key, Rights rights) {
  const auto purpose = fmt::format("submix nats password 1\n{}\n{}\n{}", to_text(pc),
                                   name_of(rights), key.nats_password());
  return {to_text(pc), own.secret_with(other, purpose), rights};
}

}  // namespace submix::cluster
