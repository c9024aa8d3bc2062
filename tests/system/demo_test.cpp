// SPDX-License-Identifier: GPL-3.0-or-later
// `submix demo` from a user's view: how it ends, and which faults it survives.

#include "tests/system/shows.hpp"

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "common/media/png.hpp"
#include "tests/support/network_namespaces.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace submix::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::chrono::seconds kDemoPatience(
    150);  // only a failing test waits so long; includes encoding of the clip
constexpr std::chrono::milliseconds kDemoLook(20);
constexpr std::string_view kRestarted =
    "nats-server ended by itself (status 137) and was started again";

class DemoProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_file_atomically(folder_ / "show.toml", kCheckedDuo).has_value());
    fs::create_directory(folder_ / "tmp");
    start();
    ASSERT_TRUE(wait_until([&] { return log().find("The show \"") != std::string::npos; }))
        << log();
  }

  void start() {
    const auto program = fs::path(SUBMIX_NODE).parent_path() / "submix";
    std::vector<std::string> command{"env",
                                     "TMPDIR=" + (folder_ / "tmp").string(),
                                     program.string(),
                                     "demo",
                                     "--headless",
                                     "--show",
                                     (folder_ / "show.toml").string(),
                                     "--out",
                                     (folder_ / "out").string()};
    if (network_.is_ready()) command = network_.command_on("desk", command);
    auto started = ChildProcess::start(command, folder_ / "log");
    ASSERT_TRUE(started.has_value()) << started.error().message;
    demo_.emplace(*std::move(started));
  }

  [[nodiscard]] std::string log() const {
    return read_text_file(folder_ / "log", std::size_t{16} << 20).value_or("");
  }
  template <typename Condition>
  [[nodiscard]] static bool wait_until(const Condition& condition) {
    const auto deadline = std::chrono::steady_clock::now() + kDemoPatience;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(kDemoLook);
    }
    return true;
  }

  /// The present child processes of the demo.
  [[nodiscard]] std::vector<pid_t> children() const {
    const auto pid = std::to_string(demo_->pid());
    std::ifstream list("/proc/" + pid + "/task/" + pid + "/children");
    std::vector<pid_t> pids;
    for (pid_t child = 0; list >> child;)
      pids.push_back(child);
    return pids;
  }
  [[nodiscard]] static std::string name_of(pid_t pid) {
    std::string name;
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
    return name;
  }
  [[nodiscard]] pid_t nats_server() const {
    for (const auto child : children()) {
      if (name_of(child) == "nats-server") return child;
    }
    return 0;
  }
  [[nodiscard]] std::size_t told_restarts() const {
    std::size_t count = 0;
    const auto text = log();
    for (auto at = text.find(kRestarted); at != std::string::npos;
         at = text.find(kRestarted, at + 1))
      ++count;
    return count;
  }
  [[nodiscard]] std::size_t leftovers() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_ / "tmp"), fs::directory_iterator()));
  }

  void expect_all_are_gone(const std::vector<pid_t>& pids) {
    EXPECT_FALSE(pids.empty());
    for (const auto pid : pids)
      EXPECT_TRUE(wait_until([&] { return ::kill(pid, 0) != 0; })) << name_of(pid) << " lives on";
  }

  // With ports of its own: between the end of a killed NATS server and its restart, the demo of
  // another test could take its port.
  const NetworkNamespaces network_{{"desk"}, {.cables = 0}};
  const TemporaryFolder folder_;
  std::optional<ChildProcess> demo_;
};

TEST_F(DemoProgram, EndsAtATerminalsCtrlCWithItsPictureAndWithoutItsChildren) {
  const auto all = children();
  EXPECT_EQ(all.size(), 4U);                    // nats-server and three nodes
  ASSERT_EQ(::kill(-demo_->pid(), SIGINT), 0);  // to the whole group, as a terminal does
  ASSERT_TRUE(wait_until([&] { return demo_->exit_status().has_value(); }));
  EXPECT_EQ(demo_->exit_status(), 0) << log();
  expect_all_are_gone(all);
  EXPECT_TRUE(media::read_png(folder_ / "out/mix.png").has_value()) << log();
  EXPECT_EQ(leftovers(), 0U);
}

TEST_F(DemoProgram, StartsAKilledNatsServerAgainAndGoesOn) {
  const auto first = nats_server();
  ASSERT_GT(first, 0);
  ::kill(first, SIGKILL);
  ASSERT_TRUE(wait_until([&] { return told_restarts() == 1; })) << log();
  EXPECT_NE(nats_server(), first);
  demo_->send_signal(SIGTERM);
  ASSERT_TRUE(wait_until([&] { return demo_->exit_status().has_value(); }));
  EXPECT_EQ(demo_->exit_status(), 0) << log();
  EXPECT_TRUE(media::read_png(folder_ / "out/mix.png").has_value()) << log();
}

TEST_F(DemoProgram, GivesUpANatsServerThatEndsAgainAndAgain) {
  const auto all = children();
  std::size_t restarts = 0;
  // On a slow machine the starts within ten seconds are not the first four.
  for (; !demo_->exit_status(); ++restarts) {
    ASSERT_LT(restarts, 20U) << log();
    const auto server = nats_server();
    ASSERT_GT(server, 0) << log();
    ASSERT_EQ(::kill(server, SIGKILL), 0);
    ASSERT_TRUE(wait_until([&] { return told_restarts() > restarts || demo_->exit_status(); }))
        << log();
  }
  EXPECT_GE(restarts, 4U);
  EXPECT_EQ(demo_->exit_status(), 1);
  EXPECT_THAT(log(),
              HasSubstr("submix: nats-server ended by itself (status 137), 4 times in 10 s; see"));
  expect_all_are_gone(all);
}

TEST(Demo, DrawsTheTableWhereTheControllerFindsNoDisplay) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "show.toml", kCheckedDuo).has_value());
  const auto program = fs::path(SUBMIX_NODE).parent_path() / "submix";
  auto demo = ChildProcess::start(
      {"env", "-u", "SDL_VIDEODRIVER", "DISPLAY=:65432", program.string(), "demo", "--seconds", "3",
       "--show", (folder / "show.toml").string(), "--out", (folder / "out").string()},
      folder / "log");
  ASSERT_TRUE(demo.has_value()) << demo.error().message;
  while (!demo->exit_status())
    std::this_thread::sleep_for(kDemoLook);
  const auto log = read_text_file(folder / "log").value_or("");
  EXPECT_EQ(demo->exit_status(), 0) << log;
  EXPECT_THAT(log, AllOf(HasSubstr("A table instead:"), HasSubstr("NODE   HEALTH")));
}

TEST_F(DemoProgram, SaysWhichNodeEndedAndEndsTheOthers) {
  const auto all = children();
  ::kill(all.back(), SIGKILL);
  ASSERT_TRUE(wait_until([&] { return demo_->exit_status().has_value(); }));
  EXPECT_EQ(demo_->exit_status(), 1);
  EXPECT_THAT(log(), AllOf(HasSubstr("ended by itself (status 137); see"), HasSubstr("/logs/")));
  expect_all_are_gone(all);
}

TEST_F(DemoProgram, LeavesNoProcessWhenKilledAndTheNextOneRemovesItsFolder) {
  const auto all = children();
  demo_->send_signal(SIGKILL);
  expect_all_are_gone(all);
  EXPECT_EQ(leftovers(), 1U);
  start();
  EXPECT_TRUE(wait_until([&] { return nats_server() > 0; }));
  EXPECT_EQ(leftovers(), 1U);  // the demo's own
  demo_->send_signal(SIGTERM);
  ASSERT_TRUE(wait_until([&] { return demo_->exit_status().has_value(); }));
  EXPECT_EQ(leftovers(), 0U);
}

}  // namespace
}  // namespace submix::testing
