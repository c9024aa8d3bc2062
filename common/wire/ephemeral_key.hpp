// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/wire/message.hpp"
#include "common/wire/seal.hpp"

namespace submix::wire {

/// One end's X25519 key pair for one handshake. Both ends derive the session's key from it (forward
/// secrecy): whoever records a link and learns the show's key later cannot derive the session's
/// key, because the destructor wipes the secret half.
///
/// Threads  Compatible.
/// Cost     The constructor and session_key() take about 30 µs each.
class EphemeralKey {
 public:
  EphemeralKey();  ///< a random pair
  /// A pair with this secret half, for the worked bytes of PROTOCOL.md.
  explicit EphemeralKey(const Key& secret);
  ~EphemeralKey();
  EphemeralKey(const EphemeralKey&) = delete;
  EphemeralKey& operator=(const EphemeralKey&) = delete;

  /// The half that the handshake sends.
  [[nodiscard]] const PublicKey& public_key() const { return public_key_; }
  /// The key of the session with the end that sent `peer`. Fails if `peer` is not a valid public
  /// key.
  [[nodiscard]] Result<Key> session_key(const Key& show_key, const PublicKey& peer) const;

 private:
  Key secret_{};
  PublicKey public_key_{};
};

}  // namespace submix::wire
