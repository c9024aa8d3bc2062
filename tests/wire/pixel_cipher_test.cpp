// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/pixel_cipher.hpp"

#include "tests/wire/sample_messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(VectorAes, MakesAndReadsWhatOpenSslDoes) {
  Digest key{};
  key.fill(0x5a);
  const auto fast = open_vector_aes(key);
  if (!fast) GTEST_SKIP() << "no x86 CPU with instructions for AES";
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
