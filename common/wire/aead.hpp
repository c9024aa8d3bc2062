// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/wire/message.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace submix::wire {

/// An authenticated cipher (AEAD) with one key. A nonce must never be used twice for encryption.
///
/// Threads  Compatible.
/// Cost     No allocation after it was made.
class Aead {
 public:
  using Bytes = std::span<const std::uint8_t>;
  using Nonce = std::array<std::uint8_t, 12>;
  enum class Use { encrypt, decrypt };

  virtual ~Aead() = default;
  /// `encrypted` has the size of `plain`, and may be its place. `header` is authenticated only.
  virtual void encrypt(const Nonce& nonce, Bytes header, Bytes plain,
                       std::span<std::uint8_t> encrypted, CipherTag& tag) = 0;
  /// Decrypts in place. False: the tag is wrong, and the bytes are worthless.
  [[nodiscard]] virtual bool decrypt(const Nonce& nonce, Bytes header,
                                     std::span<std::uint8_t> bytes, const CipherTag& tag) = 0;
};

/// Any cipher, by OpenSSL. Null: OpenSSL is configured without this cipher.
[[nodiscard]] std::unique_ptr<Aead> open_by_openssl(Protection cipher, Aead::Use use,
                                                    const Digest& key);

/// Whether this is an x86 CPU with instructions for AES.
[[nodiscard]] bool has_vector_aes();
/// AES-256-GCM by Intel's library for IPsec, which uses the widest vectors of the CPU: 11 GB/s on
/// one core of a Xeon of 2023, where OpenSSL 3.0 reaches 4.2 and libsodium 1.8. Only where
/// has_vector_aes().
[[nodiscard]] std::unique_ptr<Aead> open_vector_aes(const Digest& key);

}  // namespace submix::wire
