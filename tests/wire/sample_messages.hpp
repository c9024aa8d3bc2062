// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/wire/checksum.hpp"
#include "common/wire/codec.hpp"
#include "common/wire/ephemeral_key.hpp"
#include "common/wire/message.hpp"
#include "common/wire/pixel_cipher.hpp"
#include "common/wire/seal.hpp"

#include <cstdint>
#include <vector>

/// One of each message, the same as in PROTOCOL.md, "Worked bytes".
namespace submix::wire::sample {

using Bytes = std::vector<std::uint8_t>;

template <typename Message>
[[nodiscard]] Bytes encoded(const Message& message) {
  Bytes bytes(kControlBytesMax);
  bytes.resize(encode(message, bytes));
  return bytes;
}

inline Key key() {
  Key key{};
  for (std::size_t i = 0; i < key.size(); ++i)
    key[i] = static_cast<std::uint8_t>(i);
  return key;
}

/// The ephemeral keys of the two ends.
inline EphemeralKey sender_key() {
  Key secret;
  secret.fill(0x33);
  return EphemeralKey(secret);
}
inline EphemeralKey receiver_key() {
  Key secret;
  secret.fill(0x44);
  return EphemeralKey(secret);
}
inline Key session() {
  return *sender_key().session_key(key(), receiver_key().public_key());
}

inline Hello hello() {
  Hello hello;
  hello.software = "0.1.0";
  hello.stream = "left";
  hello.node = "rack1";
  hello.epoch = 7;
  hello.first_retained = {300};
  hello.link_index = 1;
  hello.link_count = 2;
  hello.protection = Protection::aes_256_gcm;
  hello.size = {1024, 768};
  hello.rate = {30, 1};
  hello.nonce.fill(0x11);
  hello.public_key = sender_key().public_key();
  return hello;
}

inline Welcome welcome() {
  Welcome welcome;
  welcome.software = "0.1.0";
  welcome.node = "rack2";
  welcome.instance = 0x1122334455667788;
  welcome.next_frame = {300};
  welcome.credit_limit = {304};
  welcome.nonce.fill(0x22);
  welcome.public_key = receiver_key().public_key();
  return welcome;
}

inline Refusal refusal() {
  return {RefusalCode::stream, "not here"};
}
/// The pixels of the stripe: 0, 1, 2, … 255, 0, 1, …
inline Bytes pixels() {
  Bytes bytes(std::size_t{1024} * 3);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i);
  return bytes;
}
inline StripeHeader stripe() {
  return {7, {300}, std::chrono::seconds(10), 21504, 1024, checksum_of(pixels())};
}
/// The same stripe, encrypted: its pixels in wire order.
struct EncryptedStripe {
  StripeHeader header{7, {300}, std::chrono::seconds(10), 21504, 1024, 0};
  Bytes pixels = sample::pixels();

  explicit EncryptedStripe(Protection cipher) {
    PixelCipher::open(cipher, PixelCipher::Use::encrypt, session())
        ->encrypt(header, pixels, pixels);
  }
};
inline Ack ack() {
  return {7, {301}, {305}, std::chrono::milliseconds(20'000)};
}
inline Ping ping() {
  return {42};
}
inline Pong pong() {
  return {42, std::chrono::milliseconds(20'001)};
}
inline Goodbye goodbye() {
  return {GoodbyeReason::stopped, "the sender has stopped"};
}

inline Terms terms() {
  return {4};
}
inline Memory memory() {
  return {3, 82'944'000};
}
inline Loan loan() {
  return {7, {300}, std::chrono::seconds(10), 3, 8'294'400, PixelForm::rgba};
}
inline Forget forget() {
  return {3};
}

/// The handshake as both ends have it, signed.
struct Handshake {
  Bytes hello = encoded(sample::hello());
  Bytes welcome = encoded(sample::welcome());
  Bytes proof;

  Handshake() {
    sign(key(), kRoleHello, {}, hello);
    sign(key(), kRoleWelcome, hello, welcome);
    proof = encoded(Proof{prove(key(), kRoleProof, hello, welcome)});
  }
};

}  // namespace submix::wire::sample
