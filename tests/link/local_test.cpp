// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/link/stream_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace submix::link {
namespace {

using telemetry::LinkState;
using ::testing::HasSubstr;

/// Two nodes that know they are on one machine.
class LocalStream : public testing::StreamFixture {
 protected:
  static constexpr std::size_t kLent = 4;

  std::shared_ptr<StreamSender> open_local_sender(bool is_local_allowed = true) {
    SenderOptions options;
    options.stream = "main";
    options.size = kSize;
    options.rate = kRate;
    options.frames_max = kCredits;
    options.links.is_local_allowed = is_local_allowed;
    options.frames_lent = kLent;
    auto sender = left->open_sender(std::move(options));
    EXPECT_TRUE(sender);
    (*sender)->set_destination("mix", mix->endpoints(), mix->local_endpoint());
    return *sender;
  }
  std::jthread produce_shared(std::shared_ptr<StreamSender> sender, std::uint64_t begin,
                              std::uint64_t end) {
    return std::jthread(
        [this, sender = std::move(sender), begin, end](const std::stop_token& stop) {
          for (auto index = begin; index < end; ++index) {
            if (!sender->send(shared_frame(index), stop)) return;
          }
        });
  }
  [[nodiscard]] media::Frame shared_frame(std::uint64_t index) {
    auto writable = shared_pool.acquire_for(testing::kPatience);
    SUBMIX_ASSERT(writable);
    testing::fill_pattern(*writable, index);
    writable->stamp().pts = kRate.time_of({index});
    return std::move(*writable).publish();
  }
  static bool is_by_shared_memory(const StreamSender& sender) {
    const auto links = sender.telemetry().links;
    return links.size() == 1 && links[0].state == LinkState::open &&
           links[0].local == "shared memory";
  }
  static bool is_by_tcp(const StreamSender& sender) {
    const auto links = sender.telemetry().links;
    return links.size() == 2 && std::all_of(links.begin(), links.end(), [](const auto& link) {
             return link.state == LinkState::open && link.local != "shared memory";
           });
  }
  void expect_frames(StreamReceiver& receiver, std::uint64_t begin, std::uint64_t end) {
    for (auto index = begin; index < end; ++index)
      ASSERT_NO_FATAL_FAILURE(expect_frame(receiver, index));
  }

  // As in a patch: retained frames, lent frames, the frame in hand, and the frame being made.
  media::FramePool shared_pool{kSize, kCredits + kLent + 2, media::Backing::shared};
};

TEST_F(LocalStream, BringsEveryFrameInOrderWithoutACopy) {
  const auto receiver = open_receiver();
  const auto sender = open_local_sender();
  const auto producer = produce_shared(sender, 0, 200);
  expect_frames(*receiver, 0, 200);
  EXPECT_TRUE(is_by_shared_memory(*sender)) << events.all();
  EXPECT_EQ(sender->telemetry().frames_copied, 0U);
  EXPECT_EQ(receiver->telemetry().frames_copied, 0U);
}

TEST_F(LocalStream, GivesFramesThatAreStillWhereTheyWereMade) {
  const auto receiver = open_receiver();
  const auto sender = open_local_sender();
  ASSERT_TRUE(sender->send(shared_frame(0), {}));
  const auto frame = receiver->receive_for(testing::kPatience, {});
  ASSERT_TRUE(frame);
  const auto place = frame->shared_place();
  ASSERT_TRUE(place);
  EXPECT_EQ(place->offset_bytes % 64, 0U);
}

TEST_F(LocalStream, CountsAsALinkDoes) {
  const auto receiver = open_receiver();
  const auto sender = open_local_sender();
  const auto producer = produce_shared(sender, 0, 10);
  expect_frames(*receiver, 0, 10);
  EXPECT_TRUE(testing::eventually([&] { return sender->telemetry().frames == 10; }));
  for (const auto& reading : {sender->telemetry(), receiver->telemetry()}) {
    ASSERT_EQ(reading.links.size(), 1U);
    EXPECT_EQ(reading.links[0].local, "shared memory");
    EXPECT_THAT(reading.links[0].remote, HasSubstr("of this machine"));
    EXPECT_EQ(reading.links[0].stripes, 10U);
    EXPECT_GE(reading.links[0].bytes, 10 * kSize.pixels() * 4);
  }
  EXPECT_TRUE(testing::eventually([&] { return sender->telemetry().round_trip.count() > 0; }));
}

TEST_F(LocalStream, PausesItsSourceWhileItsReceiverPauses) {
  const auto receiver = open_receiver();
  const auto sender = open_local_sender();
  ASSERT_TRUE(testing::eventually([&] { return is_by_shared_memory(*sender); }));
  std::uint64_t sent = 0;
  EXPECT_TRUE(testing::eventually([&] {
    if (sent < kCredits && sender->try_send(shared_frame(sent))) ++sent;
    return sent == kCredits;
  }));
  EXPECT_FALSE(sender->try_send(shared_frame(sent)));
  const auto producer = produce_shared(sender, kCredits, 50);
  expect_frames(*receiver, 0, 50);
}

TEST_F(LocalStream, CopiesAFrameOnceThatLiesInNoSharedMemory) {
  const auto receiver = open_receiver();
  const auto sender = open_local_sender();
  ASSERT_TRUE(testing::eventually([&] { return is_by_shared_memory(*sender); }));
  const auto producer = produce(sender, 0, 50);
  expect_frames(*receiver, 0, 50);
  EXPECT_EQ(sender->telemetry().frames_copied, 50U);
  EXPECT_EQ(receiver->telemetry().frames_copied, 0U);
}

TEST_F(LocalStream, LeavesFramesAsTheyAreForAsLongAsTheReceiverKeepsThem) {
  auto receiver = mix->open_receiver({"main", kSize, kRate, kCredits, 2 * kLent});
  ASSERT_TRUE(receiver);
  const auto sender = open_local_sender();
  const auto producer = produce_shared(sender, 0, 100);
  std::vector<media::Frame> kept;
  for (std::uint64_t index = 0; index < 2 * kLent; ++index) {
    auto frame = (*receiver)->receive_for(testing::kPatience, {});
    ASSERT_TRUE(frame);
    kept.push_back(std::move(*frame));
  }
  expect_frames(**receiver, kept.size(), 100);
  for (std::uint64_t index = 0; index < kept.size(); ++index)
    EXPECT_TRUE(testing::has_pattern(kept[index], index)) << index;
  // As many frames as are lent stay in the sender's memory. The rest is copied by now.
  EXPECT_GE((*receiver)->telemetry().frames_copied, kLent);
}

TEST_F(LocalStream, GoesOnWhenItsReceiverIsBack) {
  auto receiver = open_receiver();
  const auto sender = open_local_sender();
  const auto producer = produce_shared(sender, 0, 60);
  expect_frames(*receiver, 0, 20);
  receiver.reset();
  receiver = open_receiver();
  // Frames that the former receiver got but did not release come again.
  auto next = receiver->receive_for(testing::kPatience, {});
  ASSERT_TRUE(next);
  const auto first = next->stamp().index.value;
  EXPECT_GE(first, 20U - kCredits);
  EXPECT_LE(first, 20U);
  next.reset();
  expect_frames(*receiver, first + 1, 60);
  EXPECT_TRUE(testing::eventually([&] { return is_by_shared_memory(*sender); }));
}

TEST_F(LocalStream, GoesOnAtAnotherEndpointWhenTheReceivingNodeIsBack) {
  auto receiver = open_receiver();
  const auto sender = open_local_sender();
  const auto producer = produce_shared(sender, 0, 60);
  expect_frames(*receiver, 0, 20);
  receiver.reset();
  mix.reset();
  mix = start("mix", events);
  receiver = open_receiver();
  sender->set_destination("mix", mix->endpoints(), mix->local_endpoint());
  auto next = receiver->receive_for(testing::kPatience, {});
  ASSERT_TRUE(next);
  const auto first = next->stamp().index.value;
  next.reset();
  expect_frames(*receiver, first + 1, 60);
  EXPECT_TRUE(testing::eventually([&] { return is_by_shared_memory(*sender); }));
}

TEST_F(LocalStream, GoesByTcpWhereTheShowRefusesIt) {
  const auto receiver = open_receiver();
  const auto sender = open_local_sender(false);
  const auto producer = produce_shared(sender, 0, 20);
  expect_frames(*receiver, 0, 20);
  EXPECT_TRUE(testing::eventually([&] { return is_by_tcp(*sender); }));
}

TEST_F(LocalStream, ChangesItsWayWhileFramesFlow) {
  const auto receiver = open_receiver();
  const auto sender = open_local_sender();
  const auto producer = produce_shared(sender, 0, 100'000);
  std::uint64_t next = 0;
  const auto flow_until = [&](auto is_so) {
    return testing::eventually([&] {
      expect_frame(*receiver, next++);
      return HasFatalFailure() || is_so();
    });
  };
  ASSERT_TRUE(flow_until([&] { return is_by_shared_memory(*sender); }));
  sender->set_links({2, {}, false});
  ASSERT_TRUE(flow_until([&] { return is_by_tcp(*sender); }));
  sender->set_links({2, {}, true});
  ASSERT_TRUE(flow_until([&] { return is_by_shared_memory(*sender); }));
}

TEST_F(LocalStream, LeavesAFrameAsItIsWhenItsLinkIsGone) {
  const auto receiver = open_receiver();
  const auto sender = open_local_sender();
  ASSERT_TRUE(sender->send(shared_frame(0), {}));
  const auto kept = receiver->receive_for(testing::kPatience, {});
  ASSERT_TRUE(kept && kept->shared_place());
  sender->set_links({2, {}, false});
  const auto producer = produce_shared(sender, 1, 60);
  expect_frames(*receiver, 1, 60);
  EXPECT_TRUE(testing::eventually([&] { return is_by_tcp(*sender); }));
  EXPECT_TRUE(testing::has_pattern(*kept, 0));
}

TEST_F(LocalStream, GoesByTcpToAnotherMachine) {
  const auto receiver = open_receiver();
  const auto sender = open_local_sender();
  auto endpoint = mix->local_endpoint();
  endpoint.machine = "another boot/4026531840";
  sender->set_destination("mix", mix->endpoints(), endpoint);
  EXPECT_TRUE(testing::eventually([&] { return is_by_tcp(*sender); }));
  EXPECT_EQ(sender->telemetry().links[0].warning, "");
}

TEST_F(LocalStream, GoesByTcpAndSaysWhyWhereNobodyListens) {
  const auto receiver = open_receiver();
  const auto sender = open_local_sender();
  auto endpoint = mix->local_endpoint();
  endpoint.socket = "submix-that-nobody-listens-at";
  sender->set_destination("mix", mix->endpoints(), endpoint);
  const auto producer = produce_shared(sender, 0, 20);
  expect_frames(*receiver, 0, 20);
  ASSERT_TRUE(testing::eventually([&] { return is_by_tcp(*sender); }));
  EXPECT_THAT(sender->telemetry().links[0].warning,
              HasSubstr("not by shared memory: cannot connect"));
}

TEST_F(LocalStream, ComesBackToSharedMemoryOnceItsEndpointAnswers) {
  const auto receiver = open_receiver();
  const auto sender = open_local_sender();
  auto endpoint = mix->local_endpoint();
  endpoint.socket = "submix-that-nobody-listens-at";
  sender->set_destination("mix", mix->endpoints(), endpoint);
  ASSERT_TRUE(testing::eventually([&] { return is_by_tcp(*sender); }));
  sender->set_destination("mix", mix->endpoints(), mix->local_endpoint());
  EXPECT_TRUE(testing::eventually([&] { return is_by_shared_memory(*sender); }));
}

TEST_F(LocalStream, IsRefusedWithAnotherKey) {
  const auto receiver = open_receiver();
  left = start("left", events, wire::Key{1, 2, 3});
  const auto sender = open_local_sender();
  EXPECT_TRUE(testing::eventually([&] { return events.has("refused: node mix has another key"); }))
      << events.all();
  EXPECT_FALSE(is_by_shared_memory(*sender));
}

}  // namespace
}  // namespace submix::link
