// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/text/text.hpp"
#include "node/io/text/text_painter.hpp"
#include "tests/io/plugin_rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace submix::io {
namespace {

constexpr Size kTextFrame{320, 180};
// Longer than a frame waits for its text: a slow machine takes seconds for 2,000 large letters.
constexpr std::chrono::seconds kReadyWithin{60};

/// Where something else than `background` is.
struct Box {
  int left = kTextFrame.width;
  int top = kTextFrame.height;
  int right = -1;  // the last column
  int bottom = -1;

  [[nodiscard]] bool is_empty() const { return right < 0; }
};

class TextTest : public ::testing::Test {
 protected:
  media::Frame title(show::Parameters parameters, std::uint64_t index = 0) {
    const auto plugin = make_text(rig_.setup(title_description(), std::move(parameters))).value();
    plugin->wait_until_ready(std::chrono::steady_clock::now() + kReadyWithin);
    return rig_.make(*plugin, index);
  }
  media::Frame over(const media::Frame& input, show::Parameters parameters) {
    const auto plugin = make_text(rig_.setup(text_description(), std::move(parameters))).value();
    plugin->wait_until_ready(std::chrono::steady_clock::now() + kReadyWithin);
    return rig_.run(*plugin, {input}, 0);
  }
  media::Frame filled(std::uint8_t gray, std::uint8_t alpha) {
    auto frame = rig_.blank();
    for (std::size_t i = 0; i < frame.rgba().size(); ++i)
      frame.rgba()[i] = i % 4 == 3 ? alpha : gray;
    return std::move(frame).publish();
  }
  static Box inked(const media::Frame& frame, std::size_t channel = 3, int background = 0) {
    Box box;
    for (int y = 0; y < kTextFrame.height; ++y) {
      for (int x = 0; x < kTextFrame.width; ++x) {
        const auto pixel = static_cast<std::size_t>(y * kTextFrame.width + x) * 4;
        if (frame.rgba()[pixel + channel] == background) continue;
        box.left = std::min(box.left, x);
        box.right = std::max(box.right, x);
        box.top = std::min(box.top, y);
        box.bottom = std::max(box.bottom, y);
      }
    }
    return box;
  }

  testing::PluginRig rig_{kTextFrame};
};

TEST_F(TextTest, StandsInTheMiddleWithTransparencyAroundIt) {
  const auto box = inked(title({{"text", std::string("HHH")}}));
  ASSERT_FALSE(box.is_empty());
  EXPECT_NEAR(box.left, kTextFrame.width - 1 - box.right, 3);
  EXPECT_GT(box.left, 0);
  EXPECT_NEAR((box.top + box.bottom) / 2.0, kTextFrame.height / 2.0, 6);
}

TEST_F(TextTest, IsAsHighAsItsSizeSaysAndMoves) {
  const auto small = inked(title({{"text", std::string("H")}, {"size", 0.2}}));
  const auto large = inked(title({{"text", std::string("H")}, {"size", 0.6}}));
  EXPECT_NEAR(large.bottom - large.top, 3 * (small.bottom - small.top), 8);
  const auto moved = inked(title({{"text", std::string("H")}, {"size", 0.2}, {"x", 0.25}}));
  EXPECT_EQ(moved.left, small.left + 80);
  EXPECT_EQ(moved.top, small.top);
}

TEST_F(TextTest, IsCutAtTheEdgesOfTheFrame) {
  for (const double x : {-1.5, -0.5, 0.5, 1.5}) {
    for (const double y : {-1.5, -0.5, 0.5, 1.5})
      EXPECT_TRUE(title({{"text", std::string("edge")}, {"x", x}, {"y", y}, {"size", 1.0}}));
  }
}

TEST_F(TextTest, LeavesThePictureAroundItAsItIs) {
  const auto written = over(filled(90, 255), {{"text", std::string("HH")}, {"outline", 0.0}});
  const auto box = inked(written, 0, 90);
  ASSERT_FALSE(box.is_empty());
  EXPECT_GT(box.left, 20);
  EXPECT_LT(box.bottom, kTextFrame.height - 20);
  EXPECT_TRUE(inked(written, 3, 255).is_empty()) << "an opaque picture stays opaque";
}

TEST_F(TextTest, IsHalfSeenWithHalfOfItsOpacity) {
  const auto brightest = [](const media::Frame& frame) {
    int most = 0;
    for (std::size_t i = 0; i < frame.rgba().size(); i += 4)
      most = std::max<int>(most, frame.rgba()[i]);
    return most;
  };
  const show::Parameters half{
      {"text", std::string("█")}, {"opacity", 0.5}, {"outline", 0.0}, {"size", 0.5}};
  EXPECT_NEAR(brightest(over(filled(0, 255), half)), 128, 2);
  EXPECT_NEAR(brightest(over(filled(100, 255), half)), 178, 2);
  const auto alone = title(half);
  EXPECT_EQ(brightest(alone), 255) << "the colour of half transparent letters is white, not gray";
}

TEST_F(TextTest, AnEmptyTextPassesThePictureOn) {
  const auto written = over(filled(90, 255), {{"text", std::string()}});
  EXPECT_TRUE(inked(written, 0, 90).is_empty());
}

TEST_F(TextTest, TakesBytesThatAreNoText) {
  EXPECT_FALSE(inked(title({{"text", std::string("a\xff\xfe z\x01\n\x80")}})).is_empty());
  EXPECT_FALSE(inked(title({{"text", std::string(100'000, 'w')}, {"size", 1.0}})).is_empty());
  EXPECT_FALSE(
      inked(title({{"text", std::string("x")}, {"font", std::string("no, such 999 \x80")}}))
          .is_empty());
}

TEST_F(TextTest, RunsThroughTheFrameAsATicker) {
  const show::Parameters ticker{
      {"text", std::string("II")}, {"ticker", 0.5}, {"size", 0.2}, {"outline", 0.0}};
  const auto later = inked(title(ticker, 30));  // half of the width in a second, from the right
  EXPECT_NEAR(later.left, kTextFrame.width / 2, 6);
  const auto further = inked(title(ticker, 36));
  EXPECT_NEAR(later.left - further.left, 32, 1);
}

TEST_F(TextTest, SaysOnceThatATickerIsTooLong) {
  show::Parameters ticker{{"text", std::string(50, 'w')}, {"ticker", 0.5}};
  static_cast<void>(title(ticker));
  EXPECT_THAT(rig_.events.lines(), ::testing::IsEmpty());
  ticker["text"] = std::string(2000, 'w');
  const auto plugin = make_text(rig_.setup(title_description(), ticker)).value();
  for (std::uint64_t i = 0; i < 3; ++i)
    static_cast<void>(rig_.make(*plugin, i));
  EXPECT_THAT(rig_.events.lines(),
              ::testing::ElementsAre(::testing::HasSubstr("and only its first 16384 are shown")));
}

TEST_F(TextTest, KeepsTheFormerTextUntilTheNextIsPainted) {
  rig_.is_paced = true;
  const auto plugin =
      make_text(rig_.setup(title_description(), {{"text", std::string("H")}})).value();
  plugin->wait_until_ready(std::chrono::steady_clock::now() + std::chrono::seconds(20));
  EXPECT_FALSE(inked(rig_.make(*plugin, 0)).is_empty());
  const auto before = inked(rig_.make(*plugin, 1));
  plugin->set("text", std::string("HHHHHH"));
  EXPECT_FALSE(inked(rig_.make(*plugin, 2)).is_empty()) << "never a frame without a text";
  plugin->wait_until_ready(std::chrono::steady_clock::now() + std::chrono::seconds(20));
  EXPECT_LT(inked(rig_.make(*plugin, 3)).left, before.left);
}

TEST(TextPicture, WritesFromRightToLeftAndWrapsLongLines) {
  TextStyle style{.text = "עברית العربية 日本語", .size = 0.2};
  EXPECT_GT(paint_text(style, kTextFrame).size.width, 40);
  style.text = "many words that do not fit into one line of the frame at all";
  const auto wrapped = paint_text(style, kTextFrame).size;
  EXPECT_LE(wrapped.width, kTextFrame.width + 16);
  EXPECT_GT(wrapped.height, 90) << "several lines of 36 pixels";
  style.is_one_line = true;
  EXPECT_GT(paint_text(style, kTextFrame).size.width, 2 * kTextFrame.width);
}

}  // namespace
}  // namespace submix::io
