// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/wire/ephemeral_key.hpp"
#include "common/wire/message.hpp"
#include "common/wire/seal.hpp"

/// The key exchange of a scripted peer, whose pair of keys is known.
namespace submix::testing {

inline const wire::EphemeralKey& scripted_key() {
  static const wire::EphemeralKey key(wire::Key{1});
  return key;
}

/// The session's key with the end that sent `peer`, in a show without a key.
inline wire::Key session_with(const wire::PublicKey& peer) {
  return *scripted_key().session_key({}, peer);
}

}  // namespace submix::testing
