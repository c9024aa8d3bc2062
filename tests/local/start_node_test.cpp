// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/start_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::local {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;

TEST(NodeCommand, LeavesOutWhatIsNotStated) {
  EXPECT_THAT(node_command({.name = "left"}),
              ElementsAre(EndsWith("/submix-node"), "--name", "left"));
}

TEST(NodeCommand, StatesEachOption) {
  const NodeOptions options{.name = "left",
                            .nats_url = "nats://127.0.0.1:4333",
                            .key_file = "show.key",
                            .data_addresses = {"127.0.0.1", "127.0.0.2"},
                            .media = "clips",
                            .recordings = "out",
                            .traces = "traces"};
  EXPECT_THAT(
      node_command(options),
      ElementsAre(EndsWith("/submix-node"), "--name", "left", "--nats", "nats://127.0.0.1:4333",
                  "--key", "show.key", "--data-address", "127.0.0.1", "--data-address", "127.0.0.2",
                  "--media", "clips", "--recordings", "out", "--traces", "traces"));
}

TEST(NodeCommand, TakesNothingFromAShowWhileItRenders) {
  EXPECT_THAT(node_command({.name = "film", .is_rendering = true}),
              ElementsAre(EndsWith("/submix-node"), "--name", "film", "--render", "--realtime",
                          "off", "--no-trace-at-end"));
}

}  // namespace
}  // namespace submix::local
