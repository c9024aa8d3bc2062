// SPDX-License-Identifier: GPL-3.0-or-later
// Hosted plugins in a running patch.

#include "node/host/host_keeper.hpp"
#include "node/host/hosted_plugin.hpp"
#include "tests/engine/fakes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace submix::host {
namespace {

using ::testing::HasSubstr;

/// This process's plugin hosts, by what the kernel lists as its children.
std::set<pid_t> hosts() {
  std::set<pid_t> found;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;)
      found.insert(child);
  }
  return found;
}

class HostedPatch : public ::testing::Test {
 protected:
  HostedPatch() {
    bench_.catalog.host_with([this](const plugin::Description& description, const std::filesystem::path& file,
                                    const plugin::Setup& setup) {
      return make_hosted_plugin(*keeper_, description, file, setup);
    });
    bench_.options.size = {64, 64};
    bench_.options.is_free_running = false;
    bench_.options.rate = {100, 1};
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

TEST_F(HostedPatch, CopiesNothing) {
  patch_ = bench_.build({engine::slot("p", "pattern"), hosted("fx"), hosted("fy"), engine::slot("n", "null")})
               .value();
  patch_->start();
  ASSERT_TRUE(engine::eventually([&] { return patch_->telemetry().frames >= 20; }));
  EXPECT_TRUE(makes_frames());
  for (const auto& stage : patch_->telemetry().stages) {
    for (const auto& [name, count] : stage.counters)
      EXPECT_EQ(count, 0U) << stage.slot << " " << name;
  }
}

TEST_F(HostedPatch, GoesOnWhileAHostIsKilledAgainAndAgainAndTriesItOnceMoreWhenAsked) {
  patch_ = bench_.build({engine::slot("p", "pattern"), hosted("fx"), engine::slot("n", "null")}).value();
  patch_->start();
  for (int turn = 0; turn < 3; ++turn) {
    ASSERT_TRUE(engine::eventually([&] { return makes_frames() && hosts().size() == 1; }));
    const auto before = patch_->telemetry().frames;
    ::kill(*hosts().begin(), SIGKILL);
    EXPECT_TRUE(engine::eventually([&] { return patch_->telemetry().frames > before + 3; }));
  }
  // Three within ten seconds, unless this machine is so busy that they took longer.
  if (!engine::eventually([&] { return is_in_trouble() || makes_frames(); }) || !is_in_trouble()) return;
  EXPECT_THAT(reading().trouble, HasSubstr("`submix bypass left.fx on`, then `off`, tries it again"));
  ASSERT_TRUE(patch_->set_bypassed("fx", true));
  ASSERT_TRUE(patch_->set_bypassed("fx", false));
  EXPECT_TRUE(engine::eventually([&] { return makes_frames(); }));
}

TEST_F(HostedPatch, EndsWithItsHosts) {
  patch_ = bench_.build({engine::slot("p", "pattern"), hosted("fx"), engine::slot("n", "null")}).value();
  patch_->start();
  ASSERT_TRUE(engine::eventually([&] { return makes_frames(); }));
  patch_->stop();
  patch_.reset();
  EXPECT_TRUE(engine::eventually([&] { return hosts().empty(); }));
}

}  // namespace
}  // namespace submix::host
