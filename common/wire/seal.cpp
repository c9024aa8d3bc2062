// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/seal.hpp"

#include "common/base/assert.hpp"
#include "common/wire/byte_reader.hpp"
#include "common/wire/byte_writer.hpp"

#include <sodium.h>

#include <algorithm>

namespace submix::wire {
namespace {

constexpr std::size_t kProofBytes = std::tuple_size_v<Digest>;

Digest tag_key(const Key& key, Seal::Direction direction, std::span<const std::uint8_t> hello,
               std::span<const std::uint8_t> welcome) {
  const bool is_forward = direction == Seal::Direction::sender_to_receiver;
  return prove(key, is_forward ? "submix tags sender" : "submix tags receiver", hello, welcome);
}

std::uint64_t tag_of(const std::array<std::uint8_t, 16>& key, std::span<const std::uint8_t> bytes) {
  std::array<std::uint8_t, crypto_shorthash_BYTES> tag{};
  crypto_shorthash(tag.data(), bytes.data(), bytes.size(), key.data());
  return ByteReader(tag).u64();
}

}  // namespace

Digest prove(const Key& key, std::string_view role, std::span<const std::uint8_t> first,
             std::span<const std::uint8_t> second) {
  Digest digest{};
  crypto_generichash_state state;
  crypto_generichash_init(&state, key.data(), key.size(), digest.size());
  // No role is a prefix of another role, and messages state their lengths, so no two inputs are
  // equal.
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(role.data()),
                            role.size());
  crypto_generichash_update(&state, first.data(), first.size());
  crypto_generichash_update(&state, second.data(), second.size());
  crypto_generichash_final(&state, digest.data(), digest.size());
  sodium_memzero(&state, sizeof state);
  return digest;
}

bool is_equal(const Digest& a, const Digest& b) {
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

void fill_random(std::span<std::uint8_t> bytes) {
  const int status = sodium_init();  // may be called again; sets the generator up
  SUBMIX_ASSERT(status >= 0);
  randombytes_buf(bytes.data(), bytes.size());
}

Nonce random_nonce() {
  Nonce nonce{};
  fill_random(nonce);
  return nonce;
}

Key bind(const Key& show_key, const Key& secret) {
  return prove(show_key, "submix pair", secret);
}

void sign(const Key& key, std::string_view role, std::span<const std::uint8_t> before,
          std::span<std::uint8_t> message) {
  const auto proof = prove(key, role, before, message.first(message.size() - kProofBytes));
  std::copy(proof.begin(), proof.end(), message.last(kProofBytes).begin());
}

bool is_signed(const Key& key, std::string_view role, std::span<const std::uint8_t> before,
               std::span<const std::uint8_t> message) {
  if (message.size() < kProofBytes) return false;
  Digest claimed{};
  std::copy_n(message.last(kProofBytes).begin(), kProofBytes, claimed.begin());
  return is_equal(claimed, prove(key, role, before, message.first(message.size() - kProofBytes)));
}

Seal::Seal(const Key& session, Direction direction, std::span<const std::uint8_t> hello,
           std::span<const std::uint8_t> welcome) {
  const auto digest = tag_key(session, direction, hello, welcome);
  std::copy_n(digest.begin(), key_.size(), key_.begin());
}

void Seal::seal(std::span<std::uint8_t> message) {
  SUBMIX_ASSERT(message.size() >= kEnvelopeBytes + kSealBytes);
  ByteWriter writer(message.last(kSealBytes));
  writer.u64(next_++);
  writer.u64(tag_of(key_, message.first(message.size() - 8)));
}

Result<void> Seal::check(std::span<const std::uint8_t> message) {
  if (message.size() < kEnvelopeBytes + kSealBytes)
    return fail("message of {} bytes has no seal", message.size());
  ByteReader reader(message.last(kSealBytes));
  const auto sequence = reader.u64();
  const auto tag = reader.u64();
  if (sequence != next_) return fail("message number {} where {} is due", sequence, next_);
  const auto expected = tag_of(key_, message.first(message.size() - 8));
  if (sodium_memcmp(&tag, &expected, sizeof tag) != 0)
    return fail("the tag of message {} is wrong", sequence);
  ++next_;
  return {};
}

}  // namespace submix::wire
