// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/nats_server.hpp"

#include "common/cluster/reachable.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace submix::local {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TemporaryFolder;

TEST(NatsServer, TakesAFreePortAndAnswers) {
  const TemporaryFolder folder;
  const auto first = NatsServer::start({folder / "a"});
  const auto second = NatsServer::start({folder / "b"});
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_NE(first->port(), second->port());
  EXPECT_TRUE(cluster::is_reachable(first->url()));
}

TEST(NatsServer, SaysThatItsPortIsInUse) {
  const TemporaryFolder folder;
  const auto first = NatsServer::start({folder / "a"});
  ASSERT_TRUE(first) << first.error().message;
  const auto second = NatsServer::start({folder / "b", "127.0.0.1", first->port()});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message,
              AllOf(HasSubstr(std::to_string(first->port())),
                    HasSubstr("another program has that port; name another one")));
}

// Two servers in one store would lose each other's shows.
TEST(NatsServer, RefusesAFolderInWhichAnotherOneRuns) {
  const TemporaryFolder folder;
  {
    const auto first = NatsServer::start({folder / "a"});
    ASSERT_TRUE(first) << first.error().message;
    const auto second = NatsServer::start({folder / "a"});
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message,
                AllOf(HasSubstr("another NATS server"), HasSubstr("--folder")));
  }
  EXPECT_TRUE(NatsServer::start({folder / "a"}));
}

TEST(NatsServer, KeepsItsTokenFromOthers) {
  const TemporaryFolder folder;
  const auto key = cluster::ShowKey::random();
  const auto server = NatsServer::start({folder / "a", "127.0.0.1", 0, key});
  ASSERT_TRUE(server) << server.error().message;
  EXPECT_TRUE(cluster::is_reachable(server->url()));
  const auto file = folder / "a" / "nats-server.conf";
  EXPECT_THAT(*read_text_file(file), HasSubstr(key.nats_password()));
  EXPECT_THAT(*read_text_file(server->log_file()), Not(HasSubstr(key.nats_password())));
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(NatsServer, RefusesToListenToOthersWithoutAKey) {
  const TemporaryFolder folder;
  for (const std::string listen : {"0.0.0.0", "198.18.0.1", "::"}) {
    EXPECT_THAT(why(NatsServer::start({folder / "a", listen})), HasSubstr("submix key new FILE"));
  }
}

TEST(NatsServer, SaysThatItsFolderCannotBeMade) {
  const auto server = NatsServer::start({"/proc/submix"});
  ASSERT_FALSE(server);
  EXPECT_THAT(server.error().message, HasSubstr("/proc/submix: cannot be made"));
}

TEST(IsReachable, IsFalseWhereNothingListens) {
  EXPECT_FALSE(cluster::is_reachable("nats://127.0.0.1:1"));
}

}  // namespace
}  // namespace submix::local
