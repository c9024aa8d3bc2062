// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/codec.hpp"

#include "common/wire/epoch.hpp"
#include "tests/wire/sample_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace submix::wire {
namespace {

using sample::Bytes;
using ::testing::HasSubstr;

template <typename Result>
std::string error_of(const Result& result) {
  return result ? "decoded" : result.error().message;
}

Result<StripeHeader> decode_rgb24(std::span<const std::uint8_t> bytes) {
  return decode_stripe(bytes, PixelFormat::rgb24);
}

TEST(Codec, HelloComesBackAsItWas) {
  const auto sent = sample::hello();
  const auto got = decode_hello(sample::encoded(sent));
  ASSERT_TRUE(got) << error_of(got);
  EXPECT_EQ(got->software, sent.software);
  EXPECT_EQ(got->stream, sent.stream);
  EXPECT_EQ(got->node, sent.node);
  EXPECT_EQ(got->epoch, sent.epoch);
  EXPECT_EQ(got->first_retained, sent.first_retained);
  EXPECT_EQ(got->link_index, sent.link_index);
  EXPECT_EQ(got->link_count, sent.link_count);
  EXPECT_EQ(got->protection, sent.protection);
  EXPECT_EQ(got->public_key, sent.public_key);
  EXPECT_EQ(got->format, sent.format);
  EXPECT_EQ(got->size, sent.size);
  EXPECT_EQ(got->rate, sent.rate);
  EXPECT_EQ(got->nonce, sent.nonce);
}

TEST(Codec, WelcomeComesBackAsItWas) {
  const auto sent = sample::welcome();
  const auto got = decode_welcome(sample::encoded(sent));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->software, sent.software);
  EXPECT_EQ(got->node, sent.node);
  EXPECT_EQ(got->instance, sent.instance);
  EXPECT_EQ(got->next_frame, sent.next_frame);
  EXPECT_EQ(got->credit_limit, sent.credit_limit);
  EXPECT_EQ(got->nonce, sent.nonce);
  EXPECT_EQ(got->public_key, sent.public_key);
}

TEST(Codec, TheShorterOnesComeBackAsTheyWere) {
  const auto refusal = decode_refusal(sample::encoded(sample::refusal()));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, RefusalCode::stream);
  EXPECT_EQ(refusal->text, "not here");
  EXPECT_EQ(*decode_rgb24(sample::encoded(sample::stripe())), sample::stripe());
  EXPECT_EQ(*decode_ack(sample::encoded(sample::ack())), sample::ack());
  EXPECT_EQ(*decode_ping(sample::encoded(sample::ping())), sample::ping());
  EXPECT_EQ(*decode_pong(sample::encoded(sample::pong())), sample::pong());
  EXPECT_EQ(*decode_goodbye(sample::encoded(sample::goodbye())), sample::goodbye());
  EXPECT_EQ(*decode_terms(sample::encoded(sample::terms())), sample::terms());
  EXPECT_EQ(*decode_memory(sample::encoded(sample::memory())), sample::memory());
  EXPECT_EQ(*decode_loan(sample::encoded(sample::loan())), sample::loan());
  EXPECT_EQ(*decode_forget(sample::encoded(sample::forget())), sample::forget());
}

TEST(Codec, ANegativePtsComesBack) {
  auto stripe = sample::stripe();
  stripe.pts = std::chrono::nanoseconds(-5);
  EXPECT_EQ(decode_rgb24(sample::encoded(stripe))->pts, stripe.pts);
}

TEST(Codec, AStreamWithoutChecksumsSaysSoByZeros) {
  auto hello = sample::hello();
  hello.protection = Protection::none;
  EXPECT_EQ(decode_hello(sample::encoded(hello))->protection, Protection::none);
  auto stripe = sample::stripe();
  stripe.checksum = 0;
  const auto bytes = sample::encoded(stripe);
  EXPECT_EQ(Bytes(bytes.begin() + 40, bytes.begin() + 64), Bytes(24, 0));
}

TEST(Codec, AStreamWithTransparencyHasFourBytesAPixel) {
  auto hello = sample::hello();
  hello.format = PixelFormat::rgba;
  EXPECT_EQ(decode_hello(sample::encoded(hello))->format, PixelFormat::rgba);
  auto stripe = sample::stripe();
  stripe.format = PixelFormat::rgba;
  stripe.pixels = kStripePixelsMax;
  const auto bytes = sample::encoded(stripe);
  EXPECT_EQ(*decode_stripe(bytes, PixelFormat::rgba), stripe);
  EXPECT_THAT(error_of(decode_rgb24(bytes)), HasSubstr("348160 pixels in 1392640 bytes"));
}

TEST(Codec, CutsTextsAtTheirLimits) {
  auto hello = sample::hello();
  hello.stream.assign(1000, 'x');
  EXPECT_EQ(decode_hello(sample::encoded(hello))->stream.size(), kNameBytesMax);
  const auto refusal =
      decode_refusal(sample::encoded(Refusal{RefusalCode::key, std::string(5000, 'x')}));
  EXPECT_EQ(refusal->text.size(), kTextBytesMax);
}

TEST(Codec, RefusesEveryTruncationOfEveryMessage) {
  const auto shortened = [](Bytes bytes, auto decode) {
    for (auto size = bytes.size(); size-- > 0;) {
      EXPECT_FALSE(decode(std::span(bytes).first(size)))
          << size << " of " << bytes.size() << " bytes";
    }
  };
  shortened(sample::encoded(sample::hello()), decode_hello);
  shortened(sample::encoded(sample::welcome()), decode_welcome);
  shortened(sample::encoded(sample::refusal()), decode_refusal);
  shortened(sample::encoded(Proof{}), decode_proof);
  shortened(sample::encoded(sample::stripe()), decode_rgb24);
  shortened(sample::encoded(sample::ack()), decode_ack);
  shortened(sample::encoded(sample::ping()), decode_ping);
  shortened(sample::encoded(sample::pong()), decode_pong);
  shortened(sample::encoded(sample::goodbye()), decode_goodbye);
  shortened(sample::encoded(sample::terms()), decode_terms);
  shortened(sample::encoded(sample::memory()), decode_memory);
  shortened(sample::encoded(sample::loan()), decode_loan);
  shortened(sample::encoded(sample::forget()), decode_forget);
}

TEST(Codec, RefusesBytesThatAreLeftOver) {
  auto bytes = sample::encoded(sample::ack());
  bytes.push_back(0);
  EXPECT_THAT(error_of(decode_ack(bytes)), HasSubstr("ack message"));
}

TEST(Envelope, TellsTypeAndLength) {
  const auto envelope = decode_envelope(sample::encoded(sample::ack()));
  ASSERT_TRUE(envelope);
  EXPECT_EQ(envelope->type, MessageType::ack);
  EXPECT_EQ(envelope->body_bytes, 48U);
}

TEST(Envelope, OfAStripeCountsItsPixels) {
  EXPECT_EQ(decode_envelope(sample::encoded(sample::stripe()))->body_bytes, 72U + 1024 * 3);
}

TEST(Envelope, NamesTheLengthAndItsLimit) {
  EXPECT_THAT(error_of(decode_envelope(Bytes{16, 0, 0, 0, 0xff, 0xff, 0xff, 0xff})),
              HasSubstr("stripe length 4294967295 is not within 72 to 1392712"));
  EXPECT_THAT(error_of(decode_envelope(Bytes{1, 0, 0, 0, 0, 4, 0, 0})),
              HasSubstr("message length 1024 > 1016"));
  EXPECT_THAT(error_of(decode_envelope(Bytes{99, 0, 0, 0, 0, 0, 0, 0})),
              HasSubstr("unknown message type 99"));
  EXPECT_THAT(error_of(decode_envelope(Bytes{1, 1, 0, 0, 0, 0, 0, 0})), HasSubstr("reserved"));
}

TEST(Hello, IsRefusedWithATextThatWouldSteerATerminalOrForgeALine) {
  for (const std::string text : {"\x1b]0;OWNED\x07", "0.1\nforged line",
                                 "\xc2\x9b"
                                 "2J",
                                 "\xff", "\u202e"}) {
    auto hello = sample::hello();
    hello.software = std::string(text.size(), 'x');
    auto bytes = sample::encoded(hello);
    // after magic, protocol, reserved and length
    constexpr auto kSoftware = kEnvelopeBytes + 8 + 2 + 2 + 1;
    std::copy(text.begin(), text.end(), bytes.begin() + kSoftware);
    EXPECT_FALSE(decode_hello(bytes)) << text;
    EXPECT_FALSE(peek_version(bytes).is_hello) << text;
  }
}

TEST(Refusal, IsMadeOnePlainLineByWhoWritesIt) {
  const auto read = [](const std::string& text) {
    return decode_refusal(sample::encoded(Refusal{RefusalCode::key, text})).value().text;
  };
  EXPECT_EQ(read("two\n  lines"), "two lines");
  EXPECT_EQ(read("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(read("größer"), "größer");
}

TEST(Refusal, ThatIsCutStaysUtf8) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += "大";
  const auto refusal = decode_refusal(sample::encoded(Refusal{RefusalCode::key, text}));
  ASSERT_TRUE(refusal);
  EXPECT_TRUE(refusal->text.ends_with("…"));
  EXPECT_LE(refusal->text.size(), kTextBytesMax);
}

TEST(Hello, IsRefusedWithSizesRatesLinksAndEpochsOutsideTheirLimits) {
  const auto refused = [](auto change) {
    auto hello = sample::hello();
    change(hello);
    return error_of(decode_hello(sample::encoded(hello)));
  };
  EXPECT_THAT(refused([](Hello& hello) { hello.size = {0, 768}; }),
              HasSubstr("size 0x768 is not within"));
  EXPECT_THAT(refused([](Hello& hello) { hello.size = {1024, 100000}; }), HasSubstr("1024x100000"));
  EXPECT_THAT(refused([](Hello& hello) { hello.size = {-1, -1}; }), HasSubstr("is not within"));
  EXPECT_THAT(refused([](Hello& hello) { hello.rate = {0, 1}; }), HasSubstr("rate 0/1"));
  EXPECT_THAT(refused([](Hello& hello) { hello.rate = {30, 2000000}; }),
              HasSubstr("outside 1 to 1000000"));
  EXPECT_THAT(refused([](Hello& hello) { hello.link_index = 2; }), HasSubstr("link 2 of 2"));
  EXPECT_THAT(refused([](Hello& hello) { hello.link_count = 9; }), HasSubstr("at most 8"));
  EXPECT_THAT(refused([](Hello& hello) { hello.epoch = kEpochMax + 1; }),
              HasSubstr("epoch 7258118400000000001 is greater than 7258118400000000000"));
  EXPECT_EQ(refused([](Hello& hello) { hello.epoch = kEpochMax; }), "decoded");
  EXPECT_THAT(refused([](Hello& hello) { hello.stream.clear(); }), HasSubstr("empty"));
  EXPECT_THAT(refused([](Hello& hello) { hello.protection = Protection{4}; }),
              HasSubstr("protection 4 is not known; 0 to 3 are"));
  EXPECT_THAT(refused([](Hello& hello) { hello.format = PixelFormat{2}; }),
              HasSubstr("pixel format 2 is neither 0 (RGB24) nor 1 (RGBA)"));
}

TEST(Hello, OfAnotherVersionStillTellsIt) {
  auto bytes = sample::encoded(sample::hello());
  bytes[16] = kProtocolVersion + 1;
  EXPECT_THAT(error_of(decode_hello(bytes)), HasSubstr("protocol 5 is not 4"));
  const auto version = peek_version(bytes);
  EXPECT_TRUE(version.is_hello);
  EXPECT_EQ(version.protocol, kProtocolVersion + 1);
  EXPECT_EQ(version.software, "0.1.0");
}

TEST(Hello, WithoutTheMagicIsNone) {
  auto bytes = sample::encoded(sample::hello());
  bytes[8] = 's';
  EXPECT_FALSE(peek_version(bytes).is_hello);
  EXPECT_FALSE(decode_hello(bytes));
}

TEST(Loan, OfAnUnknownFormIsRefused) {
  auto bytes = sample::encoded(sample::loan());
  bytes[48] = 9;
  EXPECT_THAT(error_of(decode_loan(bytes)), HasSubstr("form 9 of pixels is not known"));
}

TEST(StripeHeader, MustCountItsPixelsAsItsLengthDoes) {
  auto bytes = sample::encoded(sample::stripe());
  bytes[4] = static_cast<std::uint8_t>(bytes[4] + 3);
  EXPECT_THAT(error_of(decode_rgb24(bytes)), HasSubstr("1024 pixels in 3075 bytes"));
  auto large = sample::stripe();
  large.pixels = kStripePixelsMax + 1;
  EXPECT_THAT(error_of(decode_rgb24(sample::encoded(large))),
              HasSubstr("348161 pixels are more than 348160"));
  auto empty = sample::stripe();
  empty.pixels = 0;
  EXPECT_FALSE(decode_rgb24(sample::encoded(empty)));
}

}  // namespace
}  // namespace submix::wire
