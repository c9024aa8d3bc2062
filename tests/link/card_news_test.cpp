// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/cards/card_news.hpp"

#include "tests/support/manual_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::link {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

class CardNewsTest : public ::testing::Test {
 protected:
  std::vector<CardNews::CardEvent> update(bool is_up) {
    const std::vector<NetworkInterface> cards{{"eth0", "198.18.0.1", 24, 1500, 0, is_up}};
    return news_.update(cards, std::vector<std::string>{"198.18.0.1"}, clock_.now());
  }
  std::vector<CardNews::CardEvent> settle_after(std::chrono::milliseconds pause) {
    clock_.advance(pause);
    return news_.settle(clock_.now());
  }

  testing::ManualClock clock_;
  CardNews news_;
};

TEST_F(CardNewsTest, IsNoneOfWhatWasThereAtFirst) {
  EXPECT_TRUE(update(true).empty());
  EXPECT_TRUE(update(true).empty());
  EXPECT_FALSE(news_.is_restless());
}

TEST_F(CardNewsTest, TellsALossAtOnceAndTheReturnOnceItIsQuiet) {
  static_cast<void>(update(true));
  const auto lost = update(false);
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost[0].severity, Severity::warning);
  EXPECT_EQ(lost[0].about, "card eth0 (198.18.0.1)");
  EXPECT_TRUE(settle_after(5s).empty());  // still lost, as reported before
  EXPECT_TRUE(update(true).empty());
  const auto back = settle_after(1s);
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].text, "is back");
}

TEST_F(CardNewsTest, SaysTwoThingsOfTwentyFlaps) {
  static_cast<void>(update(true));
  std::size_t events = 0;
  for (int i = 0; i < 20; ++i) {
    events += update(false).size() + settle_after(50ms).size();
    events += update(true).size() + settle_after(50ms).size();
  }
  EXPECT_EQ(events, 1U);
  const auto back = settle_after(1s);
  ASSERT_EQ(back.size(), 1U);
  EXPECT_THAT(back[0].text, HasSubstr("after 20 losses"));
  EXPECT_FALSE(news_.is_restless());
}

TEST_F(CardNewsTest, TellsOfANewCardAndOfOneThatWentForGood) {
  static_cast<void>(news_.update({}, {}, clock_.now()));
  const auto fresh = update(true);
  ASSERT_EQ(fresh.size(), 1U);
  EXPECT_THAT(fresh[0].text, HasSubstr("is there"));
  EXPECT_EQ(news_.update({}, {}, clock_.now()).size(), 1U);
  EXPECT_TRUE(settle_after(1s).empty());
  EXPECT_TRUE(news_.update({}, {}, clock_.now()).empty());  // forgotten
  EXPECT_EQ(update(true).size(), 1U);
}

TEST_F(CardNewsTest, IsNoneOfLoopbackAndOfCardsThatStreamsDoNotUse) {
  static_cast<void>(update(true));
  const std::vector<NetworkInterface> cards{{"lo", "127.0.0.1", 8, 0, 0, false},
                                            {"eth0", "198.18.0.1", 24, 1500, 0, true},
                                            {"docker0", "198.19.0.1", 24, 1500, 0, true}};
  EXPECT_TRUE(news_.update(cards, std::vector<std::string>{"198.18.0.1", "127.0.0.1"}, clock_.now())
                  .empty());
}

}  // namespace
}  // namespace submix::link
