// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/agent.hpp"

#include "common/cluster/nats_server.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::agent {
namespace {

using ::testing::HasSubstr;

TEST(Agent, IsRefusedTheNameOfANodeThatRuns) {
  const testing::TemporaryFolder folder;
  const auto server = cluster::NatsServer::start({folder / "nats"});
  ASSERT_TRUE(server) << server.error().message;
  const NodeOptions options{"left", server->url(), {"127.0.0.1"}, 0, folder / "media", folder / "recordings"};
  auto first = Agent::start(options);
  ASSERT_TRUE(first) << first.error().message;
  auto second = Agent::start(options);
  while (second) {  // the first has not subscribed yet; bounded by ctest
    second = Agent::start(options);
  }
  EXPECT_THAT(second.error().message, HasSubstr("\"left\""));
  EXPECT_THAT(second.error().message, HasSubstr("--name"));
  first->reset();
  EXPECT_TRUE(Agent::start(options));
}

}  // namespace
}  // namespace submix::agent
