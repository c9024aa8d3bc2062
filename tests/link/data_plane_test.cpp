// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/data_plane.hpp"

#include "tests/link/stream_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::link {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class DataPlaneTest : public testing::StreamFixture {};

std::string refusal(DataPlaneOptions options) {
  const auto plane = DataPlane::start(std::move(options));
  return plane ? "started" : plane.error().message;
}

TEST_F(DataPlaneTest, CarriesFramesOverTwoLinksExactAndInOrder) {
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  const auto producer = produce(sender, 0, 200);
  for (std::uint64_t index = 0; index < 200; ++index) {
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  }
  ASSERT_TRUE(testing::eventually([&] { return sender->telemetry().frames == 200; }));
  const auto reading = sender->telemetry();
  EXPECT_EQ(reading.peer, "mix");
  EXPECT_EQ(reading.frames_produced, 200U);
  ASSERT_EQ(reading.links.size(), 2U);
  EXPECT_THAT(reading.links[0].local, StartsWith("127.0.0.1:"));
  EXPECT_THAT(reading.links[0].remote, StartsWith("127.0.0.1:"));
  EXPECT_THAT(reading.links[1].local, StartsWith("127.0.0.2:"));
  EXPECT_THAT(reading.links[1].remote, StartsWith("127.0.0.2:"));
  EXPECT_GT(reading.links[0].bytes, 0U);
  EXPECT_GT(reading.links[1].bytes, 0U);
  const auto other_end = receiver->telemetry();
  EXPECT_EQ(other_end.peer, "left");
  EXPECT_EQ(other_end.frames, 200U);
  EXPECT_EQ(other_end.frames_dropped, 0U);
  EXPECT_EQ(other_end.links.size(), 2U);
}

TEST_F(DataPlaneTest, StopsTheSenderWithinTheCreditsOfAPausedReceiverAndResumes) {
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  ASSERT_TRUE(sender->send(frame(0), {}));
  for (std::uint64_t index = 1; index < kCredits; ++index)
    ASSERT_TRUE(sender->send(frame(index), {}));
  ASSERT_TRUE(testing::eventually([&] { return receiver->telemetry().frames_queued == kCredits; }));
  EXPECT_FALSE(sender->try_send(frame(kCredits)));
  EXPECT_EQ(sender->telemetry().credits, 0U);
  const auto producer = produce(sender, kCredits, 20);
  for (std::uint64_t index = 0; index < 20; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  EXPECT_EQ(sender->telemetry().links.at(0).reconnects, 0U);
}

TEST_F(DataPlaneTest, LetsFramesGiveWayToTheNewestWhileTheReceiverTakesNone) {
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  for (std::uint64_t index = 0; index < kCredits; ++index)
    ASSERT_TRUE(sender->send(frame(index), {}));
  ASSERT_TRUE(testing::eventually([&] { return receiver->telemetry().frames_queued == kCredits; }));
  EXPECT_TRUE(sender->send_latest(frame(4))) << "it waits, none had to give way";
  EXPECT_FALSE(sender->has_credit());
  EXPECT_FALSE(sender->try_send(frame(5))) << "frames stay in order";
  EXPECT_FALSE(sender->send_latest(frame(6)));
  EXPECT_FALSE(sender->send_latest(frame(7)));
  const auto reading = sender->telemetry();
  EXPECT_EQ(reading.frames_skipped, 2U);
  EXPECT_EQ(reading.frames_produced, 7U);
  EXPECT_EQ(reading.frames_queued, 5U);
  for (std::uint64_t index = 0; index < kCredits; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  const auto newest = receiver->receive_for(testing::kPatience, {});
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->stamp().index.value, 4U) << "the stream's numbers leave none out";
  EXPECT_EQ(newest->stamp().pts, kRate.time_of({7}));
  EXPECT_TRUE(testing::has_pattern(*newest, 7));
}

TEST_F(DataPlaneTest, AccountsForEachFrameOfASenderThatNeverWaits) {
  constexpr std::uint64_t kFrames = 300;
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  std::jthread producer([&] {
    for (std::uint64_t index = 0; index < kFrames; ++index)
      sender->send_latest(frame(index));
  });
  std::uint64_t received = 0;
  for (std::uint64_t last = 0; last + 1 < kFrames; ++received) {  // the newest frame always comes
    const auto got = receiver->receive_for(testing::kPatience, {});
    ASSERT_TRUE(got) << events.all();
    ASSERT_EQ(got->stamp().index.value, received);
    const auto index = static_cast<std::uint64_t>(got->stamp().pts / kRate.time_of({1}));
    ASSERT_TRUE(received == 0 || index > last) << index << " after " << last;
    ASSERT_TRUE(testing::has_pattern(*got, index)) << index;
    last = index;
  }
  ASSERT_TRUE(testing::eventually([&] { return sender->telemetry().frames == received; }));
  EXPECT_EQ(sender->telemetry().frames_produced, kFrames);
  EXPECT_EQ(sender->telemetry().frames_skipped, kFrames - received);
}

TEST_F(DataPlaneTest, ASuccessorTakesOverWithItsFirstFrameAndTheFormerHearsOfIt) {
  const auto receiver = open_receiver();
  const auto former = open_sender();
  ASSERT_TRUE(former->send(frame(0), {}));
  ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, 0));
  const auto epoch = receiver->telemetry().epoch;

  link::SenderOptions options{"main", kSize, kRate, kCredits, {.count = 2}};
  options.waits_for_frame = true;
  const auto successor = left->open_sender(std::move(options));
  ASSERT_TRUE(successor);
  (*successor)->set_destination("mix", mix->endpoints());
  for (std::uint64_t index = 1; index < 40; ++index) {  // through some ticks of its retries
    ASSERT_TRUE(former->send(frame(index), {}));
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  }
  EXPECT_TRUE((*successor)->telemetry().links.empty())
      << "it has no frame yet, and looks for nobody";
  EXPECT_EQ(receiver->telemetry().epoch, epoch);
  EXPECT_FALSE(former->is_superseded());

  ASSERT_TRUE((*successor)->send(frame(0), {}));
  ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, 0));
  EXPECT_TRUE(testing::eventually([&] { return former->is_superseded(); }));
  const auto reading = receiver->telemetry();
  ASSERT_EQ(reading.epochs.size(), 2U);
  EXPECT_EQ(reading.epochs[0].next_frame, 40U);
  EXPECT_EQ(reading.epochs[1].next_frame, 1U);
}

TEST_F(DataPlaneTest, ASenderThatIsToBeSucceededHearsThatItsFormatIsOver) {
  const Size other{kSize.width * 2, kSize.height * 2};
  const auto receiver = mix->open_receiver({"main", other, kRate, kCredits, 2});
  ASSERT_TRUE(receiver);
  const auto sender = open_sender();
  const auto is_refused = [&] {
    const auto links = sender->telemetry().links;
    return !links.empty() && links[0].state == telemetry::LinkState::refused;
  };
  ASSERT_TRUE(testing::eventually(is_refused));
  EXPECT_FALSE(sender->is_superseded()) << "its receiver may be the one that is late";
  sender->expect_successor();
  EXPECT_TRUE(testing::eventually([&] { return sender->is_superseded(); }));
}

TEST_F(DataPlaneTest, TellsOfEachEpochWhatCameOfItsFrames) {
  const auto receiver = open_receiver();
  auto sender = open_sender();
  for (std::uint64_t index = 0; index < 3; ++index)
    ASSERT_TRUE(sender->send(frame(index), {}));
  ASSERT_TRUE(testing::eventually([&] { return receiver->telemetry().frames_queued == 3; }));
  ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, 0));
  ASSERT_TRUE(testing::eventually([&] { return sender->telemetry().frames == 1; }));
  const auto last_words = sender->telemetry().epochs;
  ASSERT_EQ(last_words.size(), 1U);
  EXPECT_EQ(last_words[0].next_frame, 3U);
  EXPECT_EQ(last_words[0].frames_acknowledged, 1U);
  sender = open_sender();
  ASSERT_TRUE(sender->send(frame(0), {}));
  ASSERT_TRUE(testing::eventually([&] { return receiver->telemetry().frames_queued == 3; }));
  const auto reading = receiver->telemetry();
  ASSERT_EQ(reading.epochs.size(), 2U);
  EXPECT_EQ(reading.epochs[0].epoch, last_words[0].epoch);
  EXPECT_EQ(reading.epochs[0].next_frame, 3U) << "whole frames are kept";
  EXPECT_EQ(reading.frames_left_over, 2U);
  EXPECT_EQ(reading.frames, 1U);
}

TEST_F(DataPlaneTest, WaitsForCreditNoLongerThanItsPatience) {
  const auto sender = open_sender();  // nobody receives
  EXPECT_FALSE(sender->send_for(frame(0), std::chrono::milliseconds(1), {}));
  EXPECT_EQ(sender->telemetry().frames_produced, 0U);
  const auto receiver = open_receiver();
  EXPECT_TRUE(sender->send_for(frame(0), testing::kPatience, {}));
  ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, 0));
}

TEST_F(DataPlaneTest, TellsHowLongAFrameTakesToTheReceiversPatch) {
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  const auto has_pinged = [&] { return sender->telemetry().round_trip.count() > 0; };
  std::uint64_t index = 0;
  for (; !has_pinged() && index < 100'000; ++index) {
    ASSERT_TRUE(sender->send(frame(index), {}));
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  }
  const auto patience = std::chrono::milliseconds(30);
  const auto clock_error_max = sender->telemetry().round_trip;
  for (const auto end = index + 600; index < end; ++index) {
    ASSERT_TRUE(sender->send(frame(index), {}));
    if (index + 3 > end) std::this_thread::sleep_for(patience + clock_error_max);
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  }
  ASSERT_TRUE(testing::eventually([&] { return sender->telemetry().frames == index; }));
  const auto reading = sender->telemetry();
  EXPECT_GE(reading.latency.max, patience) << "the receiver's patch was so late";
  EXPECT_GT(reading.latency.p50.count(), 0);
  EXPECT_LT(reading.latency.p50, reading.latency.max);
  EXPECT_LE(std::chrono::abs(reading.clock_offset), reading.round_trip / 2)
      << "both ends have one clock";
  EXPECT_GT(reading.links.at(0).round_trip.count(), 0) << "TCP's own";
}

TEST_F(DataPlaneTest, GivesUpWaitingForCreditWhenAskedToStop) {
  const auto sender = open_sender();  // nobody receives
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  EXPECT_FALSE(sender->send(frame(0), stop.get_token()));
}

TEST_F(DataPlaneTest, GivesUpWaitingForAFrameWhenItsPatienceEnds) {
  const auto receiver = open_receiver();
  EXPECT_FALSE(receiver->receive_for(std::chrono::milliseconds(1), {}));
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  EXPECT_FALSE(receiver->receive(stop.get_token()));
}

TEST_F(DataPlaneTest, ConnectsOnceTheStreamIsReceivedThere) {
  const auto sender = open_sender();
  ASSERT_TRUE(testing::eventually([&] {
    const auto reading = sender->telemetry();
    return !reading.links.empty() && reading.links[0].state == telemetry::LinkState::refused;
  }));
  EXPECT_THAT(sender->telemetry().links[0].error,
              HasSubstr("node mix does not receive stream \"main\""));
  const auto receiver = open_receiver();
  ASSERT_TRUE(sender->send(frame(0), {}));
  expect_frame(*receiver, 0);
}

TEST_F(DataPlaneTest, RefusesAnotherSizeNamingBoth) {
  const auto receiver = open_receiver();
  const auto sender = open_sender({640, 480});
  EXPECT_TRUE(testing::eventually([&] {
    const auto reading = sender->telemetry();
    return !reading.links.empty() &&
           reading.links[0].error.find("320x240 at 30/1") != std::string::npos &&
           reading.links[0].error.find("640x480 at 30/1") != std::string::npos;
  }));
}

TEST_F(DataPlaneTest, FollowsItsDestination) {
  const auto sender = open_sender();
  sender->set_destination("nowhere", {});
  EXPECT_TRUE(testing::eventually([&] { return sender->telemetry().links.empty(); }));
  const auto receiver = open_receiver();
  sender->set_destination("mix", mix->endpoints());
  ASSERT_TRUE(sender->send(frame(0), {}));
  expect_frame(*receiver, 0);
}

TEST_F(DataPlaneTest, ListensOnOnePortOfEachAddress) {
  const auto endpoints = mix->endpoints();
  ASSERT_EQ(endpoints.size(), 2U);
  EXPECT_EQ(endpoints[0].address, "127.0.0.1");
  EXPECT_EQ(endpoints[1].address, "127.0.0.2");
  EXPECT_EQ(endpoints[0].port, endpoints[1].port);
  EXPECT_EQ(endpoints[1].prefix_length, 8);
}

TEST_F(DataPlaneTest, ReceivesAStreamOnlyOnceAtATime) {
  auto receiver = open_receiver();
  const auto second = mix->open_receiver({"main", kSize, kRate, 1, 1});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("received here already"));
  receiver.reset();
  EXPECT_TRUE(mix->open_receiver({"main", kSize, kRate, 1, 1}));
}

TEST_F(DataPlaneTest, NamesThePortThatIsInUseAndTheRemedy) {
  const auto taken = mix->endpoints()[0].port;
  EXPECT_THAT(
      refusal({"right", {"127.0.0.1"}, taken, {}, nullptr}),
      ::testing::AllOf(HasSubstr("127.0.0.1:" + std::to_string(taken)), HasSubstr("--data-port")));
}

TEST_F(DataPlaneTest, RefusesAnAddressThatOthersReachWithoutAKey) {
  EXPECT_THAT(refusal({"right", {"127.0.0.1", "0.0.0.0"}, 0, {}, nullptr}),
              HasSubstr("submix key new FILE"));
}

TEST_F(DataPlaneTest, RefusesAddressesThatAreNotItsOwn) {
  EXPECT_THAT(refusal({"right", {"198.18.255.254"}, 0, wire::Key{1}, nullptr}),
              HasSubstr("198.18.255.254 is not an address of this machine"));
  EXPECT_THAT(refusal({"right", {"localhost"}, 0, {}, nullptr}),
              HasSubstr("\"localhost\" is not an IP address"));
}

TEST_F(DataPlaneTest, OffersLoopbackWhereItIsToldNoAddressAndHasNoKey) {
  const auto plane = DataPlane::start({"right", {}, 0, {}, nullptr});
  ASSERT_TRUE(plane);
  const auto endpoints = (*plane)->endpoints();
  ASSERT_EQ(endpoints.size(), 1U);
  EXPECT_EQ(endpoints[0].address, "127.0.0.1");
  EXPECT_TRUE(endpoints[0].is_up);
  EXPECT_GT(endpoints[0].mtu_bytes, 0);
}

TEST_F(DataPlaneTest, RefusesAStreamOfAnImpossibleShape) {
  const auto sender = left->open_sender({"main", {0, 100000}, kRate, 4, {.count = 2}});
  ASSERT_FALSE(sender);
  EXPECT_THAT(sender.error().message, HasSubstr("0x100000 is not within"));
  EXPECT_FALSE(left->open_sender({"main", kSize, {0, 1}, 4, {.count = 2}}));
  EXPECT_FALSE(left->open_sender({"main", kSize, kRate, 4, {.count = 9}}));
  EXPECT_FALSE(left->open_receiver({"", kSize, kRate, 4, 2}));
}

TEST_F(DataPlaneTest, MayEndBeforeItsStreams) {
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  ASSERT_TRUE(sender->send(frame(0), {}));
  left.reset();
  mix.reset();
  while (receiver->try_receive())
    continue;
  sender->set_destination("mix", {});
}

}  // namespace
}  // namespace submix::link
