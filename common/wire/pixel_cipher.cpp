// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/pixel_cipher.hpp"

#include "common/base/assert.hpp"
#include "common/wire/byte_writer.hpp"
#include "common/wire/codec.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace submix::wire {
namespace {

Aead::Nonce nonce_of(std::uint64_t stripe) {
  Aead::Nonce nonce{};
  ByteWriter(nonce).u64(stripe);
  return nonce;
}

/// The header as it is sent, without its seal and with zeros for the tag.
using Authenticated = std::array<std::uint8_t, kStripeHeaderBytes - kSealBytes>;

Authenticated authenticated(StripeHeader header) {
  header.tag = {};
  std::array<std::uint8_t, kStripeHeaderBytes> bytes{};
  SUBMIX_ASSERT(encode(header, bytes) == bytes.size());
  Authenticated result{};
  std::copy_n(bytes.begin(), result.size(), result.begin());
  return result;
}

}  // namespace

Protection fastest_cipher() {
  return has_vector_aes() ? Protection::aes_256_gcm : Protection::chacha20_poly1305;
}

Result<PixelCipher> PixelCipher::open(Protection cipher, Use use, const Key& session) {
  SUBMIX_ASSERT(is_cipher(cipher));
  const bool is_aes = cipher == Protection::aes_256_gcm;
  auto key = prove(session, "submix pixels", {});
  auto aead = is_aes && has_vector_aes() ? open_vector_aes(key) : open_by_openssl(cipher, use, key);
  sodium_memzero(key.data(), key.size());
  if (!aead)
    return fail("this machine's OpenSSL does not offer {}",
                is_aes ? "AES-256-GCM" : "ChaCha20-Poly1305");
  return PixelCipher(std::move(aead));
}

void PixelCipher::encrypt(StripeHeader& header, std::span<const std::uint8_t> pixels,
                          std::span<std::uint8_t> encrypted) {
  SUBMIX_ASSERT(encrypted.size() == pixels.size());
  aead_->encrypt(nonce_of(next_++), authenticated(header), pixels, encrypted, header.tag);
}

bool PixelCipher::decrypt(const StripeHeader& header, std::span<std::uint8_t> pixels) {
  return aead_->decrypt(nonce_of(next_++), authenticated(header), pixels, header.tag);
}

}  // namespace submix::wire
