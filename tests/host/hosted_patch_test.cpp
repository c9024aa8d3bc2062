// SPDX-License-Identifier: GPL-3.0-or-later
// Hosted plugins in a running patch.

#include "node/engine/graph.hpp"
#include "node/host/host_keeper.hpp"
#include "node/host/hosted_plugin.hpp"
#include "node/host/memory_probe.hpp"
#include "tests/engine/fakes.hpp"
#include "tests/support/plugin_hosts.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace submix::host {
namespace {

using ::testing::HasSubstr;

/// The hosts that have a slot; no spares.
std::set<pid_t> hosts() {
  const auto found = testing::plugin_hosts_of_this().at_work;
  return {found.begin(), found.end()};
}

class HostedPatch : public ::testing::Test {
 protected:
  HostedPatch() { host_with(bench_); }

  void host_with(engine::Workbench& bench) const {
    host_plugins_of(bench.catalog, *keeper_);
    bench.options.size = {64, 64};
    bench.options.is_free_running = false;
    bench.options.rate = {100, 1};
  }

  static show::Slot hosted(std::string name) {
    auto slot = engine::slot(std::move(name), "frei0r/deeds");
    slot.hosting = show::Hosting::own_process;
    slot.parameters = {{"level", 1.0}};
    return slot;
  }
  [[nodiscard]] bool makes_frames() const {
    const auto picture = patch_->latest_frame("fx").value();
    return picture && picture.rgba()[0] == 255 && !is_in_trouble();
  }
  [[nodiscard]] bool is_in_trouble() const { return !reading().trouble.empty(); }
  [[nodiscard]] telemetry::StageReading reading() const {
    return engine::reading_of(patch_->telemetry(), "fx");
  }

  const std::unique_ptr<HostKeeper> keeper_ = HostKeeper::open(SUBMIX_PLUGIN_HOST).value();
  engine::Workbench bench_{{SUBMIX_TEST_PLUGINS}};
  std::unique_ptr<engine::Patch> patch_;
};

constexpr std::string_view kWaitForACore = "run_delay_us";  // as busy as the machine is

TEST_F(HostedPatch, CopiesNothing) {
  patch_ = bench_
               .build({engine::slot("p", "pattern"), hosted("fx"), hosted("fy"),
                       engine::slot("n", "null")})
               .value();
  patch_->start();
  ASSERT_TRUE(engine::eventually([&] { return patch_->telemetry().frames >= 20; }));
  EXPECT_TRUE(makes_frames());
  for (const auto& stage : patch_->telemetry().stages) {
    for (const auto& [name, count] : stage.counters) {
      if (name == kWaitForACore) continue;
      EXPECT_EQ(count, 0U) << stage.slot << " " << name;
    }
  }
}

TEST_F(HostedPatch, HasAGraphThatSaysWhichSlotsHaveProcesses) {
  auto in_process = hosted("fy");
  in_process.hosting = show::Hosting::in_process;
  const auto submix = bench_.submix({engine::slot("p", "pattern"), hosted("fx"), in_process});
  const auto graph = engine::Graph::plan(submix, bench_.catalog).value();
  EXPECT_FALSE(graph.slots[0].is_hosted);
  EXPECT_TRUE(graph.slots[1].is_hosted);
  EXPECT_FALSE(graph.slots[2].is_hosted);
}

// Two pictures of a size that has huge pages to itself: 4 MiB each instead of 3.
TEST_F(HostedPatch, IsRefusedWhereItsPicturesTakeMoreMemoryThanIsFree) {
  bench_.options.size = {1024, 768};
  const auto refused = engine::Patch::build(
      bench_.submix({engine::slot("p", "pattern"), hosted("fx"), engine::slot("n", "null")}),
      bench_.options,
      {.catalog = bench_.catalog,
       .events = bench_.events,
       .clock = bench_.clock,
       .transport = bench_.transport,
       .memory_free = [] { return std::size_t{7'000'000}; }});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr("need at least 8 MB of memory more, but 7 MB are free"));
}

TEST_F(HostedPatch, HasAHostForEachHelper) {
  auto fx = hosted("fx");
  fx.helpers = 3;
  patch_ = bench_.build({engine::slot("p", "pattern"), fx, engine::slot("x", "output")}).value();
  patch_->start();
  EXPECT_GE(bench_.ledger.wait_for("x", 20).size(), 20U);
  EXPECT_TRUE(engine::eventually([&] { return makes_frames(); }));
  EXPECT_EQ(hosts().size(), 3U);
  EXPECT_TRUE(
      engine::eventually([] { return testing::plugin_hosts_of_this().spares.size() == 1; }));
  for (const auto& [name, count] : reading().counters) {
    if (name == kWaitForACore) continue;
    EXPECT_EQ(count, 0U) << name;
  }
  ::kill(*hosts().begin(), SIGKILL);
  EXPECT_TRUE(engine::eventually([&] { return hosts().size() == 3 && makes_frames(); }));
  const auto before = patch_->telemetry().frames;
  EXPECT_TRUE(engine::eventually([&] { return patch_->telemetry().frames >= before + 20; }));
}

TEST(MemoryProbe, RunsInAProcessOfItsOwn) {
  const std::filesystem::path deeds = std::filesystem::path(SUBMIX_TEST_PLUGINS) / "deeds.so";
  EXPECT_EQ(probe_memory(SUBMIX_PLUGIN_HOST, deeds).value(), plugin::Memory::none);
  const auto delay = plugin::frei0r_folders().back() / "delay0r.so";
  EXPECT_EQ(probe_memory(SUBMIX_PLUGIN_HOST, delay).value(), plugin::Memory::frames);
  EXPECT_EQ(why(probe_memory(SUBMIX_PLUGIN_HOST, "/nowhere.so")), "it could not be run (status 1)");
  EXPECT_THAT(why(probe_memory("/nowhere", deeds)), HasSubstr("/nowhere cannot be started"));
}

TEST_F(HostedPatch, HasItsHostsReadyBeforeItStarts) {
  patch_ =
      bench_.build({engine::slot("p", "pattern"), hosted("fx"), engine::slot("n", "null")}).value();
  ASSERT_EQ(hosts().size(), 1U);
  std::ifstream maps("/proc/" + std::to_string(*hosts().begin()) + "/maps");
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(maps), {}), HasSubstr("deeds.so"));
}

TEST_F(HostedPatch, WaitsForNoHostThatTakesLongToStart) {
  const testing::TemporaryFolder folder;
  std::filesystem::copy_file(SUBMIX_TEST_BEGINNING, folder / "slow.so");
  engine::Workbench bench({folder.path()});
  host_with(bench);
  const std::vector slots{engine::slot("p", "pattern"), engine::slot("n", "null")};
  const auto patch = bench.build(slots).value();
  patch->start();
  auto with_slow = slots;
  with_slow.push_back(engine::slot("fx", "frei0r/slow"));
  with_slow.back().hosting = show::Hosting::own_process;
  with_slow.push_back(engine::slot("m", "null"));
  ASSERT_TRUE(patch->edit(bench.submix(with_slow)));
  const auto reading = [&] { return engine::reading_of(patch->telemetry(), "fx"); };
  const auto held = [&] { return reading().counters.at(2).second; };
  EXPECT_TRUE(engine::eventually([&] { return held() >= 10; })) << "frames that flow without it";
  EXPECT_TRUE(engine::eventually([&] { return reading().frames >= held() + 10; }))
      << "and then with it";
  EXPECT_EQ(reading().trouble, "");
}

TEST_F(HostedPatch, GoesOnWhileAHostIsKilledAgainAndAgainAndTriesItOnceMoreWhenAsked) {
  patch_ =
      bench_.build({engine::slot("p", "pattern"), hosted("fx"), engine::slot("n", "null")}).value();
  patch_->start();
  for (int turn = 0; turn < 3; ++turn) {
    ASSERT_TRUE(engine::eventually([&] { return makes_frames() && hosts().size() == 1; }));
    const auto before = patch_->telemetry().frames;
    ::kill(*hosts().begin(), SIGKILL);
    EXPECT_TRUE(engine::eventually([&] { return patch_->telemetry().frames > before + 3; }));
  }
  // Three within ten seconds, unless this machine is so busy that they took longer.
  if (!engine::eventually([&] { return is_in_trouble() || makes_frames(); }) || !is_in_trouble())
    return;
  EXPECT_THAT(reading().trouble,
              HasSubstr("`submix bypass left.fx on`, then `off`, tries it again"));
  ASSERT_TRUE(patch_->set_bypassed("fx", true));
  ASSERT_TRUE(patch_->set_bypassed("fx", false));
  EXPECT_TRUE(engine::eventually([&] { return makes_frames(); }));
}

TEST_F(HostedPatch, EndsWithItsHosts) {
  patch_ =
      bench_.build({engine::slot("p", "pattern"), hosted("fx"), engine::slot("n", "null")}).value();
  patch_->start();
  ASSERT_TRUE(engine::eventually([&] { return makes_frames(); }));
  patch_->stop();
  patch_.reset();
  EXPECT_TRUE(engine::eventually([&] { return hosts().empty(); }));
}

}  // namespace
}  // namespace submix::host
