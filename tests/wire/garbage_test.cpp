// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/codec.hpp"
#include "tests/wire/decode_as_everything.hpp"
#include "tests/wire/sample_messages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace submix::wire {
namespace {

using sample::Bytes;

class Garbage : public ::testing::TestWithParam<unsigned> {
 protected:
  std::mt19937 random{GetParam()};
};

TEST_P(Garbage, OfAnyLengthEndsNoDecoder) {
  for (int i = 0; i < 5000; ++i) {
    Bytes bytes(random() % 300);
    for (auto& byte : bytes)
      byte = static_cast<std::uint8_t>(random());
    decode_as_everything(bytes);
  }
}

TEST_P(Garbage, InAGoodMessageNeverSlipsPastALimit) {
  const sample::Handshake handshake;
  const std::vector<Bytes> good{handshake.hello, handshake.welcome,
                                sample::encoded(sample::stripe()),
                                sample::encoded(sample::goodbye())};
  for (int i = 0; i < 5000; ++i) {
    auto bytes = good[random() % good.size()];
    for (auto changes = 1 + random() % 4; changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    }
    decode_as_everything(bytes);
    if (const auto hello = decode_hello(bytes)) {
      EXPECT_TRUE(is_allowed(hello->size));
      EXPECT_LT(hello->link_index, kLinksMax);
      EXPECT_LE(hello->stream.size(), kNameBytesMax);
    }
    if (const auto stripe = decode_stripe(bytes, PixelFormat::rgb24)) {
      EXPECT_LE(stripe->pixels, kStripePixelsMax);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Garbage, ::testing::Range(1U, 5U));

}  // namespace
}  // namespace submix::wire
