// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/link/stream_fixture.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace submix::link {
namespace {

class StreamFault : public testing::StreamFixture {};

TEST_F(StreamFault, ACutLinkLosesNothingAndComesBack) {
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  const auto producer = produce(sender, 0, 200);
  for (std::uint64_t index = 0; index < 200; ++index) {
    if (index == 50) cut("127.0.0.2");
    if (index == 120) cut("127.0.0.1");
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  }
  EXPECT_TRUE(testing::eventually([&] {
    const auto links = sender->telemetry().links;
    return links[0].reconnects == 1 && links[1].reconnects == 1 &&
           links[0].state == telemetry::LinkState::open;
  }));
}

TEST_F(StreamFault, AllLinksCutLoseNothing) {
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  const auto producer = produce(sender, 0, 100);
  for (std::uint64_t index = 0; index < 100; ++index) {
    if (index == 30 || index == 60) {
      cut("127.0.0.2");
      cut("127.0.0.1");
    }
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  }
}

TEST_F(StreamFault, ARestartedReceiverGoesOnWhereTheFormerOneStopped) {
  auto receiver = open_receiver();
  const auto sender = open_sender();
  const auto producer = produce(sender, 0, 60);
  for (std::uint64_t index = 0; index < 20; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  // Taken frames are acknowledged by the time the next credit's frame is there.
  ASSERT_TRUE(testing::eventually([&] { return sender->telemetry().frames == 20; }));
  receiver.reset();
  receiver = open_receiver();
  for (std::uint64_t index = 20; index < 60; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  EXPECT_EQ(receiver->telemetry().frames_dropped, 0U);
}

TEST_F(StreamFault, ARestartedSenderBeginsANewEpoch) {
  const auto receiver = open_receiver();
  auto sender = open_sender();
  ASSERT_TRUE(sender->send(frame(0), {}));
  ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, 0));
  const auto former = receiver->telemetry().epoch;
  sender.reset();
  sender = open_sender();
  ASSERT_TRUE(sender->send(frame(0), {}));
  ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, 0));
  EXPECT_GT(receiver->telemetry().epoch, former);
  EXPECT_TRUE(testing::eventually([&] { return events.has("the sender has stopped"); }))
      << events.all();
}

TEST_F(StreamFault, ASenderOfAnOldEpochIsRefused) {
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  ASSERT_TRUE(sender->send(frame(0), {}));
  const auto ghost = left->open_sender({"main", kSize, kRate, kCredits, {.count = 2}, 1});
  ASSERT_TRUE(ghost);
  (*ghost)->set_destination("mix", mix->endpoints());
  EXPECT_TRUE(testing::eventually([&] { return events.has("a newer sender"); })) << events.all();
  ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, 0));
  ASSERT_TRUE(sender->send(frame(1), {}));
  expect_frame(*receiver, 1);
}

TEST_F(StreamFault, AMovedReceiverGetsWhatTheFormerOneHadNotReleased) {
  const auto other = start("other", events);
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  const auto producer = produce(sender, 0, 30);
  for (std::uint64_t index = 0; index < 10; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  ASSERT_TRUE(testing::eventually([&] { return sender->telemetry().frames == 10; }));
  const auto second = other->open_receiver({"main", kSize, kRate, kCredits, 2});
  ASSERT_TRUE(second);
  sender->set_destination("other", other->endpoints());
  for (std::uint64_t index = 10; index < 30; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(**second, index));
}

TEST_F(StreamFault, APatchThatHoldsMoreFramesThanItSaidSlowsTheStreamButLosesNothing) {
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  const auto producer = produce(sender, 0, 30);
  std::vector<media::Frame> held;
  for (std::uint64_t index = 0; index < 30; ++index) {
    const auto received = receiver->receive_for(testing::kPatience, {});
    ASSERT_TRUE(received);
    ASSERT_EQ(received->stamp().index.value, index);
    held.push_back(*received);
    if (held.size() == kCredits + 1) held.erase(held.begin());
  }
}

}  // namespace
}  // namespace submix::link
