// SPDX-License-Identifier: GPL-3.0-or-later
// A real nats-server gets another key while clients are connected.
#include "common/cluster/followed_key.hpp"

#include "common/base/mutex.hpp"
#include "common/cluster/bus.hpp"
#include "controller/local/nats_server.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

namespace submix::cluster {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;
using namespace std::chrono_literals;

class ChangedKey : public ::testing::Test {
 protected:
  [[nodiscard]] BusSettings settings(std::optional<ShowKey> key) const {
    return {.url = server_.url(), .name = "test", .key = std::move(key), .patience = 5s};
  }
  /// A program of a PC that has joined.
  [[nodiscard]] std::unique_ptr<Bus> join() {
    Membership membership{"desk", server_.url(), {}, false};
    membership.desk_key = desk_.public_key();
    membership.pairing_port = 1;
    membership.key_number = 1;
    EXPECT_TRUE(write_membership(pc_folder_.path(), membership, old_).has_value());
    auto following = settings(old_);
    following.followed = FollowedKey::of(pc_folder_ / "show.key", "test");
    return Bus::connect(following).value();
  }

  const TemporaryFolder folder_;
  const TemporaryFolder pc_folder_;
  const Identity desk_ = Identity::random();
  const Identity pc_ = Identity::read_or_make(pc_folder_.path()).value();
  const ShowKey old_ = ShowKey::random();
  const ShowKey new_ = ShowKey::random();
  local::NatsServer server_ =
      local::NatsServer::start({folder_ / "nats", "127.0.0.1", 0, old_}).value();
};

TEST_F(ChangedKey, CutsOffWhoDoesNotHaveItAndKeepsTheState) {
  const auto former = Bus::connect(settings(old_)).value();
  ASSERT_TRUE(former->put("bucket", "key", "kept"));
  const auto pid = server_.process().pid();
  ASSERT_TRUE(local::is_nats_running(folder_ / "nats"));
  ASSERT_TRUE(local::set_nats_users(folder_ / "nats", new_, {}));
  EXPECT_TRUE(testing::eventually([&] { return !former->is_connected(); }));
  EXPECT_THAT(why(Bus::connect(settings(old_))), HasSubstr("another key"));
  std::unique_ptr<Bus> with_new;
  EXPECT_TRUE(testing::eventually([&] {
    auto bus = Bus::connect(settings(new_));
    if (bus) with_new = *std::move(bus);
    return with_new != nullptr;
  }));
  EXPECT_EQ(with_new->get("bucket", "key").value().value().value, "kept");
  EXPECT_EQ(server_.process().pid(), pid);
  EXPECT_FALSE(server_.process().exit_status());
}

TEST_F(ChangedKey, IsFollowedByAProgramThatWasOfferedIt) {
  const auto bus = join();
  Mutex mutex;
  std::string heard;
  const auto subscription = bus->subscribe("news", [&](std::string_view bytes) {
    const MutexLock lock(mutex);
    heard = bytes;
  });
  const auto desk = Bus::connect(settings(old_)).value();
  std::optional<KeyReply> reply;
  const auto replies = desk->subscribe(std::string(kKeyReplies), [&](std::string_view bytes) {
    const MutexLock lock(mutex);
    reply = read_reply(bytes, desk_);
  });
  desk->publish(kKeyOffers, write_offer(desk_, {pc_.public_key()}, {new_, 2}));
  ASSERT_TRUE(testing::eventually([&] {
    const MutexLock lock(mutex);
    return reply.has_value();
  }));
  ASSERT_TRUE(local::set_nats_users(folder_ / "nats", new_, {}));
  ASSERT_TRUE(testing::eventually([&] { return !desk->is_connected(); }));
  ASSERT_TRUE(testing::eventually(
      [&] { return bus->is_connected() && ShowKey::read(pc_folder_ / "show.key") == new_; }));
  EXPECT_TRUE(testing::eventually([&] {
    bus->publish("news", "it goes on");
    const MutexLock lock(mutex);
    return heard == "it goes on";
  }));
}

TEST_F(ChangedKey, SaysThatThereIsNoServer) {
  const TemporaryFolder other;
  EXPECT_FALSE(local::is_nats_running(other.path()));
  EXPECT_THAT(why(local::set_nats_users(other.path(), new_, {})), HasSubstr("no NATS server"));
}

}  // namespace
}  // namespace submix::cluster
