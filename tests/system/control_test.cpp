// SPDX-License-Identifier: GPL-3.0-or-later
// `submix control` between liblo's own client and real nodes.

#include "tests/system/live_cluster.hpp"

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "tests/input/osc_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

namespace submix::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kSolo = R"toml(
[show]
name = "solo"
size = [64, 48]
[[node]]
name = "left"
[[submix]]
name = "left"
node = "left"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "glow", plugin = "frei0r/glow" },
  { name = "end", plugin = "null" },
]
)toml";

class ControlProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster_.start_node("left");
    cluster_.apply(kSolo);
    ASSERT_TRUE(cluster_.wait_until_all_run());
    const auto program = std::filesystem::path(SUBMIX_NODE).parent_path() / "submix";
    auto started =
        ChildProcess::start({"env", "XDG_CONFIG_HOME=" + folder_.path().string(), program.string(),
                             "control", "--osc", "0", "--no-midi", "--nats", cluster_.nats_url()},
                            folder_ / "log");
    ASSERT_TRUE(started) << started.error().message;
    program_.emplace(*std::move(started));
    ASSERT_TRUE(eventually([&] { return log().find(kListens) != std::string::npos; })) << log();
    const auto begin = log().find(kListens) + kListens.size();
    client_.emplace(log().substr(begin, log().find('\n', begin) - begin));
    // An answer proves that the program knows the show and its plugins.
    ASSERT_TRUE(eventually([&] {
      client_->send("/get", "s", "/submix/left/glow/Blur");
      return client_->wait_for("/submix/left/glow/Blur", std::chrono::milliseconds(200)) != "";
    })) << log();
  }

  [[nodiscard]] std::string log() const { return read_text_file(folder_ / "log").value_or(""); }
  template <typename Condition>
  [[nodiscard]] static bool eventually(Condition holds) {
    const auto deadline = std::chrono::steady_clock::now() + LiveCluster::kPatience;
    while (!holds()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
  }

  static constexpr std::string_view kListens = "OSC: UDP ";
  const TemporaryFolder folder_;
  LiveCluster cluster_;
  std::optional<ChildProcess> program_;
  std::optional<OscClient> client_;
};

TEST_F(ControlProgram, MovesRunningNodesByOsc) {
  client_->send("/submix/left/glow/Blur", "f", 0.75);
  client_->send("/bypass/left/glow", "i", 1);
  EXPECT_TRUE(cluster_.wait_until([](const auto& view) {
    const auto* glow = view.show->find_slot({"left", "glow"});
    const auto* node = view.find_node("left");
    return glow->is_bypassed && glow->parameters.contains("Blur") && node != nullptr &&
           node->show_revision == view.show_revision;
  }));
  client_->send("/transport/pause", "i", 1);
  EXPECT_TRUE(cluster_.wait_until([](const auto& view) { return view.transport.is_paused; }));
  EXPECT_TRUE(cluster_.wait_until_still());
  const auto before = frames_of(*cluster_.view(), "left", "pattern");
  client_->send("/transport/step", "i", 1);
  EXPECT_TRUE(cluster_.wait_until(
      [&](const auto& view) { return frames_of(view, "left", "pattern") == before + 1; }));
}

TEST_F(ControlProgram, TellsWhatTheCommandLineMoves) {
  client_->send("/subscribe", "s", "/submix/left/glow/Blur");
  ASSERT_NE(client_->wait_for("/submix/left/glow/Blur"), "");
  const auto program = std::filesystem::path(SUBMIX_NODE).parent_path() / "submix";
  auto set = ChildProcess::start(
      {program.string(), "set", "left.glow.Blur", "0.25", "--nats", cluster_.nats_url()},
      folder_ / "set.log");
  ASSERT_TRUE(set);
  // Earlier questions may have more than one answer.
  EXPECT_TRUE(
      eventually([&] { return client_->wait_for("/submix/left/glow/Blur") == "0.250000"; }));
  EXPECT_TRUE(eventually([&] { return set->exit_status().has_value(); }));
}

TEST_F(ControlProgram, PrintsWhatComesAndEndsAtCtrlC) {
  client_->send("/nonsense", "f", 0.5);
  // Questions from before the show was known got errors, too.
  EXPECT_TRUE(eventually([&] { return client_->wait_for("/error") == "/nonsense"; }));
  const auto is_printed = [&](std::string_view line) {
    return log().find(line) != std::string::npos;
  };
  EXPECT_TRUE(eventually([&] { return is_printed("OSC: /nonsense: no address"); })) << log();
  EXPECT_TRUE(eventually([&] { return is_printed(": /nonsense 0.5"); })) << log();
  EXPECT_THAT(log(), AllOf(HasSubstr("cluster: connected"), HasSubstr("MIDI: off"),
                           HasSubstr("Link: off")));
  program_->send_signal(SIGINT);
  ASSERT_TRUE(eventually([&] { return program_->exit_status().has_value(); }));
  EXPECT_EQ(program_->exit_status(), 0);
}

}  // namespace
}  // namespace submix::testing
