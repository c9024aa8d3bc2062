// SPDX-License-Identifier: GPL-3.0-or-later
// Every frei0r plugin of the distribution, in a process of its own.

#include "tests/host/host_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace submix::host {
namespace {

using ::testing::HasSubstr;

TEST(AllOfFrei0r, RunsInHosts) {
  HostBench bench({256, 128}, media::Backing::shared, plugin::frei0r_folders());
  const std::set<std::string> refused{"frei0r/partik0l", "frei0r/pixs0r", "frei0r/uvmap"};
  // All start now, side by side.
  std::map<std::string, std::unique_ptr<plugin::Plugin>> plugins;
  for (const auto& id : bench.catalog().ids()) {
    auto made = bench.make(id);
    EXPECT_EQ(made.has_value(), !refused.contains(id)) << (made ? id : made.error().message);
    if (made) plugins.emplace(id, std::move(*made));
  }
  EXPECT_GE(plugins.size(), 134U);
  for (auto& [id, plugin] : plugins) {
    const auto inputs_wanted = input_count((*bench.catalog().describe(id))->kind).least;
    std::vector<media::Frame> inputs;
    for (std::size_t i = 0; i < inputs_wanted; ++i)
      inputs.push_back(bench.filled(static_cast<std::uint8_t>(40 + 60 * i)));
    for (std::uint64_t index = 0; index < 3; ++index)
      EXPECT_EQ(bench.run(*plugin, index, inputs).stamp().index.value, index) << id;
    EXPECT_EQ(plugin->trouble(), "") << id;
    EXPECT_EQ(counter(*plugin, "held"), 0U) << id;
    plugin.reset();
  }
  EXPECT_THAT(bench.events().lines(), ::testing::IsEmpty());
  EXPECT_TRUE(eventually([&] { return bench.keeper().hosts_alive() == 0; }));
}

TEST(AllOfFrei0r, GivesTheSamePicturesAsInProcess) {
  HostBench bench({256, 128}, media::Backing::shared, plugin::frei0r_folders());
  for (const auto* id :
       {"frei0r/glow", "frei0r/gamma", "frei0r/sobel", "frei0r/multiply", "frei0r/xfade0r",
        "frei0r/cairoblend", "frei0r/RGB", "frei0r/test_pat_B", "frei0r/3dflippo"}) {
    const auto hosted = bench.make(id).value();
    plugin::Setup setup{
        .submix = "left", .slot = "fx", .size = {256, 128}, .rate = {30, 1}, .parameters = {}};
    setup.clock = &bench.clock();
    const auto own = bench.catalog().create(id, setup).value();
    std::vector<media::Frame> inputs;
    for (std::size_t i = 0; i < input_count((*bench.catalog().describe(id))->kind).least; ++i)
      inputs.push_back(bench.filled(static_cast<std::uint8_t>(40 + 60 * i)));
    const auto here = bench.run(*own, 3, inputs);
    const auto there = bench.run(*hosted, 3, inputs);
    EXPECT_TRUE(std::equal(here.rgba().begin(), here.rgba().end(), there.rgba().begin())) << id;
  }
}

}  // namespace
}  // namespace submix::host
