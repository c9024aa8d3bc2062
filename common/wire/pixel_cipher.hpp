// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/base/result.hpp"
#include "common/wire/aead.hpp"
#include "common/wire/message.hpp"
#include "common/wire/seal.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace submix::wire {

/// The faster cipher on this CPU: AES on x86 CPUs with instructions for it.
[[nodiscard]] Protection fastest_cipher();

/// Encrypts or decrypts the pixels of one link's stripes, one after the other. The tag covers the
/// pixels and the header, and the stripe's number on the link.
///
/// Threads  Compatible.
/// Cost     No allocation for a stripe.
/// Source   AES-256-GCM: NIST SP 800-38D. ChaCha20-Poly1305: RFC 8439.
class PixelCipher {
 public:
  using Use = Aead::Use;

  /// `session`: of EphemeralKey::session_key(). Fails if this machine's libraries do not offer the
  /// cipher.
  [[nodiscard]] static Result<PixelCipher> open(Protection cipher, Use use, const Key& session);

  /// Writes the encrypted pixels to `encrypted`, which may be the place of `pixels`, and fills in
  /// the header's tag.
  void encrypt(StripeHeader& header, std::span<const std::uint8_t> pixels,
               std::span<std::uint8_t> encrypted);
  /// Decrypts in place. False: the tag is wrong, and the bytes are worthless.
  [[nodiscard]] bool decrypt(const StripeHeader& header, std::span<std::uint8_t> pixels);

 private:
  explicit PixelCipher(std::unique_ptr<Aead> aead) : aead_(std::move(aead)) {}

  std::unique_ptr<Aead> aead_;
  std::uint64_t next_ = 0;  // number of the next stripe
};

}  // namespace submix::wire
