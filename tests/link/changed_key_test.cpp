// SPDX-License-Identifier: GPL-3.0-or-later
// The show's key changes while a stream runs: its links connect anew, and no frame is lost.
#include "common/link/stream_keys.hpp"

#include "tests/link/stream_fixture.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace submix::link {
namespace {

using namespace std::chrono_literals;

wire::Key key(std::uint8_t letter) {
  wire::Key key{};
  key.fill(letter);
  return key;
}
const auto kOld = key(1);
const auto kNew = key(2);

TEST(StreamKeys, TakeTheFormerKeyForAShortTimeOnly) {
  StreamKeys keys(kOld);
  const LocalTime begin(10s);
  EXPECT_FALSE(keys.is_valid(kNew, begin));
  keys.set_offered(kNew);
  EXPECT_TRUE(keys.is_valid(kNew, begin));
  EXPECT_EQ(keys.used(), kOld);
  keys.use(kNew, begin);
  keys.set_offered({});
  EXPECT_EQ(keys.used(), kNew);
  EXPECT_TRUE(keys.is_valid(kOld, begin + kFormerKeyGrace - 1ms));
  EXPECT_FALSE(keys.is_valid(kOld, begin + kFormerKeyGrace));
  keys.use(kNew, begin + 2s);  // once more is no change
  EXPECT_FALSE(keys.is_valid(kOld, begin + 2s));
}

class ChangedKeyTest : public testing::StreamFixture {
 protected:
  ChangedKeyTest() {
    left = start("left", events, kOld);
    mix = start("mix", events, kOld);
  }
  [[nodiscard]] static std::uint64_t connections(const StreamSender& sender) {
    std::uint64_t count = 0;
    for (const auto& link : sender.telemetry().links)
      count += link.reconnects + 1;
    return count;
  }
};

TEST_F(ChangedKeyTest, RenewsEachLinkWithoutLosingAFrame) {
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  const auto producer = produce(sender, 0, 1'000'000);
  std::uint64_t index = 0;
  for (; index < 50; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  ASSERT_EQ(connections(*sender), 2U);

  // The sender is first: the receiver was offered the key.
  mix->set_keys(kOld, kNew);
  left->set_keys(kNew, {});
  for (const auto end = std::chrono::steady_clock::now() + 300ms;
       std::chrono::steady_clock::now() < end; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  mix->set_keys(kNew, {});
  // Longer than the former key is valid.
  for (const auto end = std::chrono::steady_clock::now() + 1500ms;
       std::chrono::steady_clock::now() < end; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  EXPECT_EQ(connections(*sender), 4U) << events.all();
  EXPECT_EQ(receiver->telemetry().frames_dropped, 0U);
  EXPECT_FALSE(events.has("lacks")) << events.all();
  EXPECT_FALSE(events.has("another key")) << events.all();
}

TEST_F(ChangedKeyTest, ClosesTheLinksOfASenderThatDoesNotHaveIt) {
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  const auto producer = produce(sender, 0, 1'000'000);
  for (std::uint64_t index = 0; index < 20; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  const auto begin = std::chrono::steady_clock::now();
  mix->set_keys(kNew, {});
  ASSERT_TRUE(testing::eventually([&] {
    while (receiver->try_receive())
      continue;
    return events.has("link 0: from 127.0.0.1") && events.has("link 1: from 127.0.0.2") &&
           events.has("its sender does not: link closed");
  })) << events.all();
  EXPECT_GE(std::chrono::steady_clock::now() - begin, kFormerKeyGrace);
  EXPECT_TRUE(testing::eventually([&] { return events.has("has another key"); })) << events.all();
  for (const auto& link : receiver->telemetry().links)
    EXPECT_NE(link.state, telemetry::LinkState::open);
}

}  // namespace
}  // namespace submix::link
