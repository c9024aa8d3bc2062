// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/osc_message.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace submix::input {
namespace {

using namespace std::string_literals;

const OscMessage kMessage{"/a/b", {std::int32_t{-2}, 0.5F, std::string("text")}};
const std::string kGolden = "/a/b\0\0\0\0,ifs\0\0\0\0\xff\xff\xff\xfe\x3f\0\0\0text\0\0\0\0"s;

std::string bundle(const std::vector<std::string>& parts) {
  auto bytes = "#bundle\0\0\0\0\0\0\0\0\1"s;
  for (const auto& part : parts) {
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes += static_cast<char>(part.size() >> shift);
    bytes += part;
  }
  return bytes;
}

TEST(OscMessage, HasTheBytesThatTheSpecificationGives) {
  EXPECT_EQ(encode_osc(kMessage), kGolden);
  EXPECT_EQ(decode_osc(kGolden), std::vector{kMessage});
}

TEST(OscMessage, TakesEveryTypeThatHasAValue) {
  const auto bytes =
      "/a\0\0,TFhdcN\0"s + "\0\0\0\0\0\0\0\x07"s + "\x3f\xe0\0\0\0\0\0\0"s + "\0\0\0A"s;
  const auto messages = decode_osc(bytes);
  ASSERT_TRUE(messages) << messages.error().message;
  EXPECT_EQ(messages->at(0).arguments,
            (std::vector<OscArgument>{true, false, std::int32_t{7}, 0.5F, std::int32_t{'A'}}));
  const auto great = decode_osc("/a\0\0,h\0\0\x7f\0\0\0\0\0\0\0"s);
  ASSERT_TRUE(great) << great.error().message;
  EXPECT_EQ(great->at(0).arguments.at(0), OscArgument(std::numeric_limits<std::int32_t>::max()));
}

TEST(OscMessage, ComesInBundles) {
  const auto messages = decode_osc(bundle({kGolden, bundle({kGolden, kGolden})}));
  ASSERT_TRUE(messages);
  EXPECT_EQ(messages->size(), 3U);
  EXPECT_TRUE(decode_osc(bundle({}))->empty());
}

TEST(OscMessage, IsRefusedWhenItIsCutOff) {
  for (const auto& whole : {kGolden, bundle({kGolden})}) {
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
      if (whole[0] == '#' && bytes == 16) continue;  // an empty bundle
      EXPECT_FALSE(decode_osc(std::string_view(whole).substr(0, bytes))) << bytes;
    }
  }
}

TEST(OscMessage, IsRefusedInBundlesWithoutEnd) {
  auto bytes = kGolden;
  for (int i = 0; i < 100; ++i)
    bytes = bundle({bytes});
  EXPECT_FALSE(decode_osc(bytes));
}

TEST(OscMessage, SurvivesGarbage) {
  std::mt19937 random(17);
  const auto whole = bundle({kGolden, kGolden});
  for (int i = 0; i < 100'000; ++i) {
    auto bytes = i % 2 == 0 ? whole : kGolden;
    for (int flips = 0; flips < 3; ++flips)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    bytes.resize(random() % (bytes.size() + 1));
    static_cast<void>(decode_osc(bytes));
  }
}

TEST(OscNames, HaveNothingThatOscReserves) {
  EXPECT_EQ(osc_name("Border width/2 [x]"), "Border_width_2__x_");
  EXPECT_TRUE(osc_matches("Border_width", "Border width"));
  EXPECT_FALSE(osc_matches("border_width", "Border width"));
}

TEST(OscNames, AreFoundByPatterns) {
  for (const auto* pattern : {"*", "l*", "?eft", "{right,left}", "[a-m]eft", "left"})
    EXPECT_TRUE(osc_matches(pattern, "left")) << pattern;
  for (const auto* pattern : {"", "r*", "?left", "{right,mix}", "[!a-m]eft"})
    EXPECT_FALSE(osc_matches(pattern, "left")) << pattern;
}

TEST(OscNames, AreNotLookedForByPatternsThatWouldTakeForEver) {
  EXPECT_FALSE(osc_matches("*a*a*a*a*a*a*a*a*a*b", std::string(200, 'a')));
}

TEST(OscParts, AreWhatStandsBetweenSlashes) {
  EXPECT_EQ(osc_parts("/a/bc"), (std::vector<std::string_view>{"a", "bc"}));
  EXPECT_EQ(osc_parts("/a/"), (std::vector<std::string_view>{"a", ""}));
  EXPECT_TRUE(osc_parts("a").empty());
}

TEST(OscPeer, IsTheSameAfterItWasText) {
  for (const auto& peer : {OscPeer{"127.0.0.1", 9000}, OscPeer{"::1", 1}})
    EXPECT_EQ(parse_peer(to_string(peer)), peer);
  for (const auto* text :
       {"", "127.0.0.1", ":9000", "127.0.0.1:0", "127.0.0.1:99999", "127.0.0.1:9x", "::1:9000"})
    EXPECT_FALSE(parse_peer(text)) << text;
}

}  // namespace
}  // namespace submix::input
