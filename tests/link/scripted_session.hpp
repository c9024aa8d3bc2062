// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/wire/codec.hpp"
#include "common/wire/ephemeral_key.hpp"
#include "common/wire/message.hpp"
#include "common/wire/seal.hpp"

#include <cstdint>
#include <span>

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

/// The seal of a scripted sender, after both messages as bytes.
inline wire::Seal sender_seal(std::span<const std::uint8_t> hello,
                              std::span<const std::uint8_t> welcome) {
  const auto session = session_with(wire::decode_welcome(welcome).value().public_key);
  return {session, wire::Seal::Direction::sender_to_receiver, hello, welcome};
}

}  // namespace submix::testing
