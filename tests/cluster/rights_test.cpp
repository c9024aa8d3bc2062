// SPDX-License-Identifier: GPL-3.0-or-later
// What a PC may do, asked of a real nats-server.
#include "common/cluster/rights.hpp"

#include "common/base/mutex.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/followed_key.hpp"
#include "controller/local/nats_server.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::cluster {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;
using namespace std::chrono_literals;

TEST(Rights, AreKnownByTheirNames) {
  EXPECT_EQ(parse_rights("everything"), Rights::everything);
  EXPECT_EQ(parse_rights("render"), Rights::render);
  EXPECT_EQ(parse_rights("watch"), Rights::watch);
  EXPECT_EQ(parse_rights("Watch"), std::nullopt);
  EXPECT_EQ(parse_rights(""), std::nullopt);
}

TEST(Rights, GoByTheWholeSubject) {
  EXPECT_TRUE(may_publish(Rights::watch, "submix.command.snapshot.left"));
  EXPECT_FALSE(may_publish(Rights::watch, "submix.command.snapshot"));
  EXPECT_FALSE(may_publish(Rights::watch, "submix.command.snapshot.left.more"));
  EXPECT_FALSE(may_publish(Rights::watch, "submix.telemetry.left"));
  EXPECT_TRUE(may_publish(Rights::render, "submix.telemetry.left"));
  EXPECT_FALSE(may_publish(Rights::render, "$KV.submix-desired.show"));
  EXPECT_TRUE(may_publish(Rights::everything, "$KV.submix-desired.show"));
}

TEST(NatsLogin, IsTheSameForBothEndsAndForNobodyElse) {
  const auto desk = Identity::random();
  const auto pc = Identity::random();
  const auto other = Identity::random();
  const auto key = ShowKey::random();
  const auto at_pc = login_of(pc.public_key(), pc, desk.public_key(), key, Rights::watch);
  const auto at_desk = login_of(pc.public_key(), desk, pc.public_key(), key, Rights::watch);
  EXPECT_EQ(at_pc.user, to_text(pc.public_key()));
  EXPECT_EQ(at_pc.password, at_desk.password);
  const auto guess = login_of(pc.public_key(), other, desk.public_key(), key, Rights::watch);
  EXPECT_NE(guess.password, at_pc.password);
  const auto more = login_of(pc.public_key(), pc, desk.public_key(), key, Rights::everything);
  EXPECT_NE(more.password, at_pc.password);
  const auto later =
      login_of(pc.public_key(), pc, desk.public_key(), ShowKey::random(), Rights::watch);
  EXPECT_NE(later.password, at_pc.password);
}

/// A server that knows one PC, and a program of that PC.
class RightsOnAServer : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<local::NatsUser> users(Rights rights) const {
    return {{login_of(desk_.public_key(), desk_, desk_.public_key(), key_, Rights::everything)},
            {login_of(pc_.public_key(), desk_, pc_.public_key(), key_, rights), {"left"}}};
  }
  /// A program of the PC whose files are in `folder`.
  [[nodiscard]] std::unique_ptr<Bus> connect(const std::string& folder) {
    const auto at = folder_ / folder;
    Membership membership{"desk", server_->url(), {}, folder == "desk"};
    membership.desk_key = desk_.public_key();
    membership.key_number = 1;
    EXPECT_TRUE(write_membership(at, membership, key_).has_value());
    BusSettings settings{.url = server_->url(), .name = folder, .key = key_, .patience = patience_};
    settings.followed = FollowedKey::of(at / "show.key", folder);
    settings.on_rights = [this](Rights rights) {
      const MutexLock lock(mutex_);
      heard_ = rights;
    };
    return Bus::connect(settings).value();
  }
  void start(Rights rights) {
    server_ =
        local::NatsServer::start({.folder = folder_ / "nats", .key = key_, .users = users(rights)})
            .value();
    as_desk_ = connect("desk");
    EXPECT_TRUE(as_desk_->put("submix-desired", "show", "of the desk"));
    as_pc_ = connect("pc");
  }
  [[nodiscard]] Rights heard() {
    const MutexLock lock(mutex_);
    return heard_;
  }

  const TemporaryFolder folder_;
  const Identity desk_ = Identity::read_or_make(folder_ / "desk").value();
  const Identity pc_ = Identity::read_or_make(folder_ / "pc").value();
  const ShowKey key_ = ShowKey::random();
  std::optional<local::NatsServer> server_;
  std::chrono::milliseconds patience_ = BusSettings().patience;  // of all programs
  Mutex mutex_;
  Rights heard_ SUBMIX_GUARDED_BY(mutex_) = Rights::everything;
  std::unique_ptr<Bus> as_desk_;
  std::unique_ptr<Bus> as_pc_;
};

TEST_F(RightsOnAServer, OfOneThatWatchesAreToRead) {
  patience_ = 60s;  // far longer than the writes below take on a busy machine
  start(Rights::watch);
  EXPECT_EQ(heard(), Rights::watch);
  EXPECT_EQ(as_pc_->get("submix-desired", "show").value().value().value, "of the desk");
  const auto begin = std::chrono::steady_clock::now();
  const auto written = as_pc_->put("submix-desired", "show", "of the PC");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("may only watch the show; its desk decides that"));
  EXPECT_FALSE(as_pc_->remove("submix-reported", "left"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s) << "without waiting for an answer";
  EXPECT_EQ(as_desk_->get("submix-desired", "show").value().value().value, "of the desk");
}

TEST_F(RightsOnAServer, OfOneThatRendersAreToSpeakForItself) {
  start(Rights::render);
  EXPECT_EQ(heard(), Rights::render);
  EXPECT_TRUE(as_pc_->put("submix-reported", "left", "runs"));
  EXPECT_FALSE(as_pc_->put("submix-desired", "show", "of the PC"));
  const auto answer = as_pc_->serve("submix.command.check.left", [](auto) { return "yes"; });
  EXPECT_TRUE(testing::eventually([&] {
    return as_desk_->request("submix.command.check.left", "", 2s).value_or("none") == "yes";
  }));

  // Only the server knows the names of its nodes.
  const auto posed = as_pc_->put("submix-reported", "right", "runs");
  ASSERT_FALSE(posed);
  EXPECT_THAT(posed.error().message, HasSubstr("nodes that its desk knows"));
  EXPECT_FALSE(as_pc_->is_store_silent());
  EXPECT_EQ(as_desk_->get("submix-reported", "right").value(), std::nullopt);
}

TEST_F(RightsOnAServer, ChangeWhileItIsConnectedAndNobodyElseIsCutOff) {
  start(Rights::everything);
  EXPECT_TRUE(as_pc_->put("submix-desired", "show", "of the PC"));
  ASSERT_TRUE(local::set_nats_users(folder_ / "nats", key_, users(Rights::watch)));
  EXPECT_TRUE(testing::eventually([&] { return heard() == Rights::watch; }));
  EXPECT_TRUE(testing::eventually([&] { return as_pc_->is_connected(); }));
  EXPECT_FALSE(as_pc_->put("submix-desired", "show", "again"));
  ASSERT_TRUE(local::set_nats_users(folder_ / "nats", key_, users(Rights::everything)));
  EXPECT_TRUE(testing::eventually(
      [&] { return as_pc_->put("submix-desired", "show", "again").has_value(); }));
  EXPECT_TRUE(as_desk_->is_connected());
}

TEST_F(RightsOnAServer, AreNotHadByTheShowsKeyAlone) {
  start(Rights::watch);
  EXPECT_FALSE(Bus::connect({.url = server_->url(), .name = "stranger", .key = key_}));
}

}  // namespace
}  // namespace submix::cluster
