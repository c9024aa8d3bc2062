// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/joining.hpp"

#include "controller/pairing/join_desk.hpp"
#include "tests/support/silent_listener.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>

namespace submix::pairing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(DeskEnds, AreAddressesAndNamesWithOrWithoutAPort) {
  EXPECT_EQ(parse_desk_end("198.18.0.1"), (HostPort{"198.18.0.1", kDefaultPort}));
  EXPECT_EQ(parse_desk_end("desk.local:5000"), (HostPort{"desk.local", 5000}));
  EXPECT_EQ(parse_desk_end("fd00::1"), (HostPort{"fd00::1", kDefaultPort}));
  EXPECT_EQ(parse_desk_end("[fd00::1]:5000"), (HostPort{"fd00::1", 5000}));
}

TEST(DeskEnds, MayHaveBlanksAroundThem) {
  EXPECT_EQ(parse_desk_end(" 198.18.0.1 \n"), (HostPort{"198.18.0.1", kDefaultPort}));
}

TEST(DeskEnds, AreNoOtherWordsAndNotNats) {
  for (const auto* words : {"", " ", "nats://198.18.0.1", "198.18.0.1 198.18.1.1", "a:b:c"})
    EXPECT_THAT(why(parse_desk_end(words)), HasSubstr("no address")) << words;
  EXPECT_THAT(why(parse_desk_end("198.18.0.1:4222")), HasSubstr("leave the port out"));
}

TEST(Joining, EndsAtOnceWhenItIsToldToStop) {
  const testing::TemporaryFolder folder;
  const testing::SilentListener silent;
  std::stop_source stop;
  std::jthread hasty([&] {
    std::this_thread::sleep_for(50ms);
    stop.request_stop();
  });
  const auto joined =
      join(folder.path(), {{"127.0.0.1", silent.port()}}, PairingCode::random(), stop.get_token());
  ASSERT_FALSE(joined.has_value());
  EXPECT_THAT(joined.error().message, HasSubstr("given up"));
  EXPECT_FALSE(std::filesystem::exists(folder / "desk.json"));
}

TEST(Joining, TakesNoSecondDesk) {
  const testing::TemporaryFolder folder;
  const auto key = cluster::ShowKey::random();
  ASSERT_TRUE(
      cluster::write_membership(folder.path(), {"desk", "nats://198.18.0.1:4222", {}, false}, key));
  const auto joined = join(folder.path(), {{"127.0.0.1", 1}}, PairingCode::random());
  EXPECT_THAT(why(joined), HasSubstr("has joined desk already; `submix leave` first"));
}

}  // namespace
}  // namespace submix::pairing
