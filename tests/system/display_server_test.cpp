// SPDX-License-Identifier: GPL-3.0-or-later
// A node's window goes with its display server and comes back with the next one. The node goes on.

#include "tests/io/virtual_screen.hpp"
#include "tests/system/live_cluster.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

namespace submix::testing {
namespace {

/// The frames of the window's patch also go to another node.
constexpr const char* kWindowAndStream = R"toml(
[show]
name = "window"
size = [320, 240]
rate = 30

[[node]]
name = "left"
[[node]]
name = "right"

[[submix]]
name = "left"
node = "left"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "stamp", plugin = "stamp" },
  { name = "window", plugin = "window" },
  { name = "out", plugin = "stream-out" },
]

[[submix]]
name = "right"
node = "right"
slot = [
  { name = "in", plugin = "stream-in" },
  { name = "check", plugin = "checker" },
]

[[stream]]
name = "left"
from = "left.out"
to = "right.in"
)toml";

/// As often as SUBMIX_SERVER_ENDS says.
int number_of_ends() {
  const char* text = std::getenv("SUBMIX_SERVER_ENDS");
  return text == nullptr ? 2 : std::atoi(text);
}

struct Use {
  std::ptrdiff_t threads = 0;
  long resident_kb = 0;
};

Use use_of(pid_t process) {
  const auto folder = std::filesystem::path("/proc") / std::to_string(process);
  Use use;
  use.threads = std::distance(std::filesystem::directory_iterator(folder / "task"), {});
  const auto status = read_text_file(folder / "status").value_or("");
  if (const auto at = status.find("VmRSS:"); at != std::string::npos)
    use.resident_kb = std::atol(status.c_str() + at + 6);
  return use;
}

std::string trouble_in(const model::ClusterView& view) {
  const auto* left = view.find_submix("left");
  const auto* window = left == nullptr ? nullptr : left->find_stage("window");
  return window == nullptr ? "no window" : window->trouble;
}

class DisplayServer : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    server_ = start_virtual_screen(folder_, own_display());
    ASSERT_TRUE(server_) << "Xvfb cannot be started";
    for (const auto* node : {"left", "right"})
      cluster_.start_node(node);
    cluster_.apply(kWindowAndStream);
    ASSERT_TRUE(cluster_.wait_until_all_run());
  }
  void end_server() {
    server_->send_signal(GetParam());
    EXPECT_TRUE(cluster_.wait_until([](const model::ClusterView& view) {
      return trouble_in(view).find("the display server has ended") != std::string::npos;
    }));
  }
  void begin_server() {
    server_ = start_virtual_screen(folder_, own_display());
    ASSERT_TRUE(server_);
    EXPECT_TRUE(cluster_.wait_until(
        [](const model::ClusterView& view) { return trouble_in(view).empty(); }));
  }
  void expect_frames_go_on() {
    const auto before = frames_of(*cluster_.view(), "right", "check");
    EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView& view) {
      return frames_of(view, "right", "check") > before + 30;
    }));
    for (const auto* counter : {"lost", "duplicated", "held", "reordered", "torn"})
      EXPECT_EQ(counter_of(*cluster_.view(), "right", "check", counter), 0U) << counter;
  }

  TemporaryFolder folder_;
  std::optional<ChildProcess> server_;
  LiveCluster cluster_;
};

TEST_P(DisplayServer, ThatEndsTakesNoFrameOfItsNodesStreams) {
  expect_frames_go_on();
  Use before;
  for (int i = 0; i < number_of_ends(); ++i) {
    end_server();
    ASSERT_TRUE(cluster_.is_node_alive("left"));
    expect_frames_go_on();
    begin_server();
    expect_frames_go_on();
    const auto now = use_of(cluster_.pid_of("left"));
    if (i == 0) before = now;  // SDL keeps what it has loaded
    RecordProperty(i == 0 ? "resident_kb_first" : "resident_kb_last",
                   std::to_string(now.resident_kb));
    EXPECT_EQ(now.threads, before.threads);
    EXPECT_LT(now.resident_kb, before.resident_kb + 4096);
  }
  // On a busy machine a frame may be late for other reasons.
  RecordProperty("late_frames", std::to_string(cluster_.view()->find_submix("right")->late_frames));
}

INSTANTIATE_TEST_SUITE_P(, DisplayServer, ::testing::Values(SIGKILL, SIGTERM));

}  // namespace
}  // namespace submix::testing
