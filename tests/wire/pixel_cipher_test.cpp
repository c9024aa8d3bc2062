// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/pixel_cipher.hpp"

#include "tests/wire/sample_messages.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace submix::wire {
namespace {

using sample::Bytes;
using Use = PixelCipher::Use;

class EachCipher : public ::testing::TestWithParam<Protection> {
 protected:
  [[nodiscard]] static PixelCipher open(Use use, const Key& session = sample::session()) {
    return *PixelCipher::open(GetParam(), use, session);
  }
  [[nodiscard]] static bool decrypts(StripeHeader header, Bytes pixels) {
    return open(Use::decrypt).decrypt(header, pixels);
  }

  sample::EncryptedStripe stripe{GetParam()};
};

TEST_P(EachCipher, GivesThePixelsBack) {
  EXPECT_NE(stripe.pixels, sample::pixels());
  ASSERT_TRUE(open(Use::decrypt).decrypt(stripe.header, stripe.pixels));
  EXPECT_EQ(stripe.pixels, sample::pixels());
}

TEST_P(EachCipher, LeavesThePixelsThatItReadsAsTheyAre) {
  const auto pixels = sample::pixels();
  Bytes encrypted(pixels.size());
  StripeHeader header = sample::stripe();
  open(Use::encrypt).encrypt(header, pixels, encrypted);
  EXPECT_EQ(pixels, sample::pixels());
  EXPECT_NE(encrypted, pixels);
}

TEST_P(EachCipher, RefusesAChangeOfAnyPixelByteTagOrField) {
  for (std::size_t i = 0; i < stripe.pixels.size(); i += 97) {
    auto changed = stripe.pixels;
    changed[i] ^= 1;
    EXPECT_FALSE(decrypts(stripe.header, changed)) << "byte " << i;
  }
  for (std::size_t i = 0; i < stripe.header.tag.size(); ++i) {
    auto changed = stripe.header;
    changed.tag.at(i) ^= 0x80;
    EXPECT_FALSE(decrypts(changed, stripe.pixels)) << "tag byte " << i;
  }
  auto moved = stripe.header;
  moved.offset_pixels += kCellPixels;
  EXPECT_FALSE(decrypts(moved, stripe.pixels));
  auto later = stripe.header;
  later.frame = later.frame.next();
  EXPECT_FALSE(decrypts(later, stripe.pixels));
}

TEST_P(EachCipher, RefusesAStripeOutOfItsTurn) {
  auto sender = open(Use::encrypt);
  auto receiver = open(Use::decrypt);
  std::array<sample::EncryptedStripe, 2> sent{stripe, stripe};
  for (auto& each : sent) {
    each.pixels = sample::pixels();
    sender.encrypt(each.header, each.pixels, each.pixels);
  }
  EXPECT_NE(sent[0].pixels, sent[1].pixels) << "the same pixels look the same twice";
  EXPECT_FALSE(decrypts(sent[1].header, sent[1].pixels));
  EXPECT_TRUE(receiver.decrypt(sent[0].header, sent[0].pixels));
  EXPECT_TRUE(receiver.decrypt(sent[1].header, sent[1].pixels));
}

TEST_P(EachCipher, RefusesAnotherSessionsStripe) {
  auto other = sample::session();
  other[0] ^= 1;
  EXPECT_FALSE(open(Use::decrypt, other).decrypt(stripe.header, stripe.pixels));
}

INSTANTIATE_TEST_SUITE_P(Ciphers, EachCipher,
                         ::testing::Values(Protection::aes_256_gcm, Protection::chacha20_poly1305),
                         [](const auto& each) -> std::string {
                           return each.param == Protection::aes_256_gcm ? "Aes" : "ChaCha";
                         });

TEST(ChaCha20Poly1305, IsThatOfRfc8439) {
  Digest key{};
  for (std::size_t i = 0; i < key.size(); ++i)
    key.at(i) = static_cast<std::uint8_t>(0x80 + i);
  const Aead::Nonce nonce{7, 0, 0, 0, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47};
  const Bytes header{0x50, 0x51, 0x52, 0x53, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7};
  const std::string text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
      "sunscreen would be it.";
  Bytes bytes(text.begin(), text.end());
  CipherTag tag{};
  open_by_openssl(Protection::chacha20_poly1305, Use::encrypt, key)
      ->encrypt(nonce, header, bytes, bytes, tag);
  EXPECT_EQ(Bytes(bytes.begin(), bytes.begin() + 4), (Bytes{0xd3, 0x1a, 0x8d, 0x34}));
  EXPECT_EQ(tag, (CipherTag{0x1a, 0xe1, 0x0b, 0x59, 0x4f, 0x09, 0xe2, 0x6a, 0x7e, 0x90, 0x2e, 0xcb,
                            0xd0, 0x60, 0x06, 0x91}));
}

TEST(VectorAes, MakesAndReadsWhatOpenSslDoes) {
  Digest key{};
  key.fill(0x5a);
  if (!has_vector_aes()) GTEST_SKIP() << "no x86 CPU with instructions for AES";
  const auto fast = open_vector_aes(key);
  const auto other = open_by_openssl(Protection::aes_256_gcm, Use::encrypt, key);
  ASSERT_TRUE(other);
  for (std::size_t size = 1; size < 5000; size += 37) {
    const Aead::Nonce nonce{static_cast<std::uint8_t>(size)};
    const Bytes header(size % 64, 7);
    Bytes plain(size, 3);
    Bytes by_fast(size);
    Bytes by_other(size);
    CipherTag fast_tag{};
    CipherTag other_tag{};
    fast->encrypt(nonce, header, plain, by_fast, fast_tag);
    other->encrypt(nonce, header, plain, by_other, other_tag);
    ASSERT_EQ(by_fast, by_other) << size;
    ASSERT_EQ(fast_tag, other_tag) << size;
    ASSERT_TRUE(fast->decrypt(nonce, header, by_fast, fast_tag));
    ASSERT_EQ(by_fast, plain);
  }
}

TEST(FastestCipher, IsOne) {
  EXPECT_TRUE(is_cipher(fastest_cipher()));
}

}  // namespace
}  // namespace submix::wire
