// SPDX-License-Identifier: GPL-3.0-or-later
// Links join and leave while frames flow.

#include "tests/link/stream_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace submix::link {
namespace {

class JoiningLinks : public testing::StreamFixture {
 protected:
  void SetUp() override {
    receiver = open_receiver();
    sender = open_sender();
  }
  [[nodiscard]] bool waits_for(std::size_t open_links) const {
    return testing::eventually([&] {
      const auto links = sender->telemetry().links;
      return links.size() == open_links &&
             std::all_of(links.begin(), links.end(),
                         [](const auto& link) { return link.state == telemetry::LinkState::open; });
    });
  }
  /// Index and own port of each open link. An unchanged connection keeps both.
  [[nodiscard]] std::map<std::uint32_t, std::string> connections() const {
    std::map<std::uint32_t, std::string> result;
    for (const auto& link : sender->telemetry().links)
      result[link.index] = link.local;
    return result;
  }

  std::shared_ptr<StreamReceiver> receiver;
  std::shared_ptr<StreamSender> sender;
};

TEST_F(JoiningLinks, LoseNothingWhileTheirNumberChangesAgainAndAgain) {
  constexpr std::uint64_t kFrames = 3000;
  const auto producer = produce(sender, 0, kFrames);
  for (std::uint64_t index = 0; index < kFrames; ++index) {
    if (index % 50 == 25) sender->set_links({1 + index / 50 % 8, {}});
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  }
  EXPECT_EQ(receiver->telemetry().frames_dropped, 0U);
}

TEST_F(JoiningLinks, LeaveTheConnectionsOfTheOthersAlone) {
  ASSERT_TRUE(waits_for(2));
  const auto before = connections();
  sender->set_links({3, {}});
  ASSERT_TRUE(waits_for(3)) << events.all();
  auto after = connections();
  EXPECT_EQ(after[0], before.at(0));
  EXPECT_EQ(after[1], before.at(1));
  // the same routes in reverse order
  sender->set_links({2, {{"127.0.0.2", "127.0.0.2"}, {"127.0.0.1", "127.0.0.1"}}});
  ASSERT_TRUE(waits_for(2));
  EXPECT_EQ(connections(), before);
}

TEST_F(JoiningLinks, KeepTheirNumberWhenAnEarlierOneLeavesAndANewOneTakesItsPlace) {
  ASSERT_TRUE(waits_for(2));
  const auto before = connections();
  sender->set_links({1, {{"127.0.0.2", "127.0.0.2"}}});
  ASSERT_TRUE(waits_for(1)) << events.all();
  EXPECT_EQ(connections(), (std::map<std::uint32_t, std::string>{{1, before.at(1)}}));
  ASSERT_TRUE(sender->send(frame(0), {}));
  ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, 0));
  sender->set_links({2, {{"127.0.0.2", "127.0.0.2"}, {"127.0.0.2", "127.0.0.1"}}});
  ASSERT_TRUE(waits_for(2)) << events.all();
  EXPECT_EQ(connections().at(1), before.at(1));
  EXPECT_EQ(sender->telemetry().links[0].remote.rfind("127.0.0.1:", 0), 0U);
}

TEST_F(JoiningLinks, AreGoneFromTheReceiverToo) {
  ASSERT_TRUE(waits_for(2));
  sender->set_links({1, {}});
  EXPECT_TRUE(testing::eventually([&] { return receiver->telemetry().links.size() == 1; }));
}

TEST_F(JoiningLinks, ComeWithAnEndpointThatTheReceiverGains) {
  auto endpoints = mix->endpoints();
  endpoints[0].is_up = endpoints[1].is_up = true;
  sender->set_destination("mix", {endpoints[0]});
  sender->set_links({1, {}});
  ASSERT_TRUE(waits_for(1));
  const auto before = connections();
  sender->set_links({2, {}});
  sender->set_destination("mix", endpoints);
  ASSERT_TRUE(waits_for(2)) << events.all();
  EXPECT_EQ(connections().at(0), before.at(0));
  EXPECT_EQ(sender->telemetry().links[1].remote.rfind("127.0.0.2:", 0), 0U);
}

}  // namespace
}  // namespace submix::link
