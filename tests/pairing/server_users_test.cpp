// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/server_users.hpp"

#include "common/base/files.hpp"
#include "common/cluster/membership.hpp"
#include "controller/pairing/peer_list.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace submix::pairing {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// This PC as a desk that one PC has joined, which may only watch.
class UsersOfADesk : public ::testing::Test {
 protected:
  UsersOfADesk() {
    ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
    desk_ = cluster::Identity::read_or_make(config_home()).value().public_key();
    cluster::Membership membership{"desk", "nats://127.0.0.1:4222", {}, true};
    membership.desk_key = desk_;
    EXPECT_TRUE(cluster::write_membership(config_home(), membership, key_));
    PeerList list{{{"wall", "198.18.0.2", 0, wall_}}};
    list.peers[0].rights = cluster::Rights::watch;
    EXPECT_TRUE(PeerBook::open(config_home())->write(list));
  }
  ~UsersOfADesk() override { ::unsetenv("XDG_CONFIG_HOME"); }

  [[nodiscard]] std::string desk() const { return cluster::to_text(desk_); }
  [[nodiscard]] std::string wall() const { return cluster::to_text(wall_); }
  [[nodiscard]] static std::filesystem::path file() { return PeerBook::file_in(config_home()); }
  static void write(const std::string& text) { EXPECT_TRUE(write_file_atomically(file(), text)); }
  [[nodiscard]] static std::vector<std::string> names(const ServerUsers& users) {
    std::vector<std::string> names;
    for (const auto& user : users.at_start())
      names.push_back(user.login.user);
    return names;
  }
  [[nodiscard]] std::vector<std::string> names_at_start() const {
    return names(ServerUsers::of_own_desk(key_).value());
  }

  const testing::TemporaryFolder folder_;
  const cluster::ShowKey key_ = cluster::ShowKey::random();
  const cluster::PublicKey wall_ = cluster::Identity::random().public_key();
  cluster::PublicKey desk_{};
};

TEST_F(UsersOfADesk, AreItsOwnProgramsAndThePcsOfItsList) {
  EXPECT_EQ(names_at_start(), (std::vector{desk(), wall()}));
  auto list = PeerBook::read(config_home()).value();
  list.peers[0].rights = cluster::Rights::everything;
  ASSERT_TRUE(PeerBook::open(config_home())->write(list));
  EXPECT_EQ(names_at_start(), (std::vector<std::string>{desk(), wall(), "submix"}));
}

TEST_F(UsersOfADesk, AreItsOwnProgramsAloneWhileItsListCannotBeRead) {
  write("{\n \"peers\": [\n}");
  const auto users = ServerUsers::of_own_desk(key_).value();
  EXPECT_EQ(names(users), std::vector{desk()});
  EXPECT_THAT(users.problem(), AllOf(HasSubstr(file().string() + ": line 3 is no JSON; mend it"),
                                     HasSubstr("until then only programs of this PC get in")));

  std::filesystem::remove(file());
  std::filesystem::create_symlink("/none/peers.json", file());
  EXPECT_EQ(names_at_start(), std::vector{desk()}) << "a drive may be missing";
}

TEST_F(UsersOfADesk, AreThePcsAgainOnceAPersonHasMendedTheList) {
  const auto text = read_text_file(file()).value();
  write("");
  auto users = ServerUsers::of_own_desk(key_).value();
  LocalTime now{};
  const auto look_later = [&] {
    now += 1s;
    users.look(now, "/nats");
    return users.problem();
  };
  EXPECT_NE(look_later(), "");
  write(text);
  EXPECT_NE(look_later(), "") << "the file may still be written";
  EXPECT_EQ(look_later(), "");
  const auto list = PeerBook::read(config_home()).value();
  EXPECT_EQ(list.peers.at(0).rights, cluster::Rights::watch);
  EXPECT_EQ(list.nats_folder, "/nats") << "commands find the server";
}

TEST_F(UsersOfADesk, AreAllAgainOnceAPersonHasMovedTheListAway) {
  write("");
  auto users = ServerUsers::of_own_desk(key_).value();
  std::filesystem::remove(file());
  users.look(LocalTime(1s), "/nats");
  EXPECT_NE(users.problem(), "");
  users.look(LocalTime(2s), "/nats");
  EXPECT_EQ(users.problem(), "");
  EXPECT_EQ(names_at_start(), (std::vector<std::string>{desk(), "submix"}));
}

TEST_F(UsersOfADesk, AreNobodyWithoutItsIdentity) {
  std::filesystem::remove(cluster::Identity::file_in(config_home()));
  const auto lost = ServerUsers::of_own_desk(key_);
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().message, AllOf(HasSubstr("identity.key"), HasSubstr("submix leave")));
  static_cast<void>(cluster::Identity::read_or_make(config_home()));
  EXPECT_FALSE(ServerUsers::of_own_desk(key_)) << "that is another identity";
}

TEST_F(UsersOfADesk, AreNotThoseOfAServerWithAnotherKey) {
  write("");
  const auto users = ServerUsers::of_own_desk(cluster::ShowKey::random()).value();
  EXPECT_EQ(names(users), std::vector<std::string>{"submix"});
  EXPECT_THAT(names(ServerUsers::of_own_desk({}).value()), IsEmpty());
}

}  // namespace
}  // namespace submix::pairing
