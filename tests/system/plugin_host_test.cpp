// SPDX-License-Identifier: GPL-3.0-or-later
// Plugins that crash in processes of their own, in real nodes.

#include "tests/system/live_cluster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace submix::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHostedShow = R"(
[show]
name = "hosted"
size = [320, 240]
rate = 30
[[node]]
name = "solo"
[[submix]]
name = "solo"
node = "solo"
  [[submix.slot]]
  name = "pattern"
  plugin = "pattern"
  [[submix.slot]]
  name = "fx"
  plugin = "frei0r/deeds"
  host = "own-process"
  [[submix.slot]]
  name = "glow"
  plugin = "frei0r/glow"
  [[submix.slot]]
  name = "end"
  plugin = "null"
)";

/// All processes of `program` with these words in their command lines.
std::set<pid_t> processes(const std::string& program, const std::string& words) {
  std::set<pid_t> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    std::ifstream file(entry.path() / "cmdline");
    std::string line;
    std::getline(file, line);
    std::replace(line.begin(), line.end(), '\0', ' ');
    if (line.find(program) != std::string::npos && line.find(words) != std::string::npos)
      found.insert(std::stoi(entry.path().filename()));
  }
  return found;
}

class PluginHosts : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("FREI0R_PATH", SUBMIX_TEST_PLUGINS ":/usr/lib/frei0r-1", 1);
    cluster_.start_node("solo");
    cluster_.apply(kHostedShow);
    ASSERT_TRUE(cluster_.wait_until_all_run());
  }
  void TearDown() override { ::unsetenv("FREI0R_PATH"); }

  // Other nodes may run on this machine. A host of this node has the node's pid as its last word; a
  // spare host has one word more.
  std::set<pid_t> hosts(const std::string& slot) const {
    auto found = processes("submix-plugin-host " + slot,
                           " " + std::to_string(cluster_.pid_of("solo")) + " ");
    for (const auto spare : spares(slot))
      found.erase(spare);
    return found;
  }
  std::set<pid_t> spares(const std::string& slot) const {
    return processes("submix-plugin-host " + slot,
                     " " + std::to_string(cluster_.pid_of("solo")) + " " + "spare ");
  }
  [[nodiscard]] const model::StageView* slot(const model::ClusterView& view,
                                             std::string_view name) const {
    const auto* submix = view.find_submix("solo");
    if (submix == nullptr) return nullptr;
    for (const auto& stage : submix->stages) {
      if (stage.slot == name) return &stage;
    }
    return nullptr;
  }
  void expect_frames_go_on() {
    const auto before = frames_of(*cluster_.view(), "solo", "end");
    EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView& view) {
      return frames_of(view, "solo", "end") > before + 30;
    }));
  }

  LiveCluster cluster_;
};

TEST_F(PluginHosts, MayBeKilledAndTheNodeGoesOn) {
  ASSERT_EQ(hosts("solo.fx").size(), 1U);
  const auto glow = hosts("solo.glow");
  ASSERT_EQ(glow.size(), 1U);
  ::kill(*hosts("solo.fx").begin(), SIGKILL);
  EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView& view) {
    return counter_of(view, "solo", "fx", "crashes") == 1U && hosts("solo.fx").size() == 1;
  }));
  expect_frames_go_on();
  EXPECT_EQ(hosts("solo.glow"), glow);
  EXPECT_TRUE(
      cluster_.wait_until([&](const model::ClusterView&) { return spares("solo.").size() == 2; }));
  EXPECT_EQ(counter_of(*cluster_.view(), "solo", "glow", "crashes"), 0U);
}

TEST_F(PluginHosts, ThatDieAgainAndAgainAreBypassedUntilABypassIsLifted) {
  for (std::uint64_t crashes = 1; crashes <= 3; ++crashes) {
    for (const auto host : hosts("solo.fx"))
      ::kill(host, SIGKILL);
    ASSERT_TRUE(cluster_.wait_until([&](const model::ClusterView& view) {
      return counter_of(view, "solo", "fx", "crashes") >= crashes &&
             (crashes == 3 || hosts("solo.fx").size() == 1);
    }));
  }
  ASSERT_TRUE(cluster_.wait_until([&](const model::ClusterView& view) {
    const auto* fx = slot(view, "fx");
    return fx != nullptr && !fx->trouble.empty();
  }));
  EXPECT_THAT(slot(*cluster_.view(), "fx")->trouble, HasSubstr("`submix bypass solo.fx on`"));
  expect_frames_go_on();

  std::string bypassed(kHostedShow);
  bypassed.insert(bypassed.find("host = "), "bypass = true\n  ");
  cluster_.apply(bypassed);
  ASSERT_TRUE(cluster_.wait_until([](const model::ClusterView& view) {
    return view.show && view.show->find_slot({"solo", "fx"})->is_bypassed &&
           view.nodes.front().show_revision == view.show_revision;
  }));
  cluster_.apply(kHostedShow);
  EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView& view) {
    const auto* fx = slot(view, "fx");
    return fx != nullptr && fx->trouble.empty() && hosts("solo.fx").size() == 1;
  }));
}

TEST_F(PluginHosts, AreTheOnlyOnesThatLoadThePluginsLibraries) {
  ASSERT_TRUE(cluster_.control().request_plugins("solo"));  // this probes all plugins
  std::ifstream maps("/proc/" + std::to_string(cluster_.pid_of("solo")) + "/maps");
  const std::string all(std::istreambuf_iterator<char>(maps), {});
  EXPECT_THAT(all, HasSubstr("submix-node"));
  EXPECT_THAT(all, Not(HasSubstr("frei0r-1")));
  EXPECT_THAT(all, Not(HasSubstr("deeds.so")));
}

// A library that hangs is refused after ten seconds.
TEST(PluginsThatHang, WhenTheyAreLookedAtHoldUpNoOtherChange) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(SUBMIX_TEST_BEGINNING, folder / "hang.so");
  ::setenv("FREI0R_PATH", (folder.path().string() + ":/usr/lib/frei0r-1").c_str(), 1);
  LiveCluster cluster;
  cluster.start_node("solo");
  ::unsetenv("FREI0R_PATH");
  std::string show(kHostedShow);
  show.replace(show.find("frei0r/deeds"), 12, "frei0r/gamma");
  cluster.apply(show);
  ASSERT_TRUE(cluster.wait_until_all_run());
  const auto is_bypass_followed = [](const model::ClusterView& view) {
    return view.show->find_slot({"solo", "fx"})->is_bypassed &&
           view.nodes.front().show_revision == view.show_revision;
  };

  auto bypassed = show;
  bypassed.insert(bypassed.find("host = "), "bypass = true\n  ");
  auto hanging = show;
  hanging.replace(hanging.find("frei0r/glow"), 11, "frei0r/hang");
  const auto is_looked_at = [&] {
    return !processes("submix-plugin-host --describe",
                      " " + std::to_string(cluster.pid_of("solo")) + " ")
                .empty();
  };
  const auto is_followed_meanwhile = [&] {
    std::filesystem::copy_file(SUBMIX_TEST_BEGINNING, folder / "new");
    std::filesystem::rename(folder / "new",
                            folder / "hang.so");  // the file changed, so the node probes it again
    cluster.apply(hanging);
    EXPECT_TRUE(cluster.wait_until([&](const model::ClusterView&) { return is_looked_at(); }));
    cluster.apply(bypassed);
    EXPECT_TRUE(cluster.wait_until(is_bypass_followed));
    return is_looked_at();
  };
  // On a very busy machine the library may be refused before anything else happens.
  EXPECT_TRUE(is_followed_meanwhile() || is_followed_meanwhile() || is_followed_meanwhile());

  cluster.apply(hanging);
  EXPECT_TRUE(cluster.wait_until([](const model::ClusterView& view) {
    const auto* submix = view.find_submix("solo");
    return submix != nullptr &&
           submix->error.find("did not describe itself within") != std::string::npos;
  }));
}

TEST_F(PluginHosts, EndWithTheirNodeHoweverThatEnds) {
  const auto all = hosts("solo.");
  ASSERT_EQ(all.size(), 2U);
  const auto node = std::to_string(cluster_.pid_of("solo"));
  cluster_.end_node("solo", SIGKILL);
  EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView&) {
    return processes("submix-plugin-host solo.", " " + node + " ").empty();
  }));
}

TEST_F(PluginHosts, MoveIntoTheNodeWhereTheShowSaysSo) {
  std::string in_process(kHostedShow);
  in_process.replace(in_process.find("own-process"), 11, "in-process");
  in_process.insert(in_process.find("  plugin = \"frei0r/glow\""), "  host = \"in-process\"\n");
  cluster_.apply(in_process);
  EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView&) {
    return hosts("solo.").empty() && spares("solo.").empty();
  }));
  ASSERT_TRUE(cluster_.wait_until_all_run());
  expect_frames_go_on();
}

}  // namespace
}  // namespace submix::testing
