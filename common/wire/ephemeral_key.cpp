// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/ephemeral_key.hpp"

#include <sodium.h>

namespace submix::wire {

EphemeralKey::EphemeralKey() {
  fill_random(secret_);
  crypto_scalarmult_base(public_key_.data(), secret_.data());
}

EphemeralKey::EphemeralKey(const Key& secret) : secret_(secret) {
  crypto_scalarmult_base(public_key_.data(), secret_.data());
}

EphemeralKey::~EphemeralKey() {
  sodium_memzero(secret_.data(), secret_.size());
}

Result<Key> EphemeralKey::session_key(const Key& show_key, const PublicKey& peer) const {
  Key shared{};
  if (crypto_scalarmult(shared.data(), secret_.data(), peer.data()) != 0)
    return fail("the peer's half of the key exchange is no key");
  const Key session = prove(show_key, "submix session", shared);
  sodium_memzero(shared.data(), shared.size());
  return session;
}

}  // namespace submix::wire
