// SPDX-License-Identifier: GPL-3.0-or-later
// Page faults of a running patch: in this process and in plugin hosts.
#include "common/media/mapped_memory.hpp"
#include "node/host/host_keeper.hpp"
#include "node/host/hosted_plugin.hpp"
#include "tests/engine/fakes.hpp"
#include "tests/support/growth.hpp"
#include "tests/support/plugin_hosts.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace submix::engine {
namespace {

constexpr std::uint64_t kFirstFrames = 100;
constexpr std::uint64_t kFrames = 300;
constexpr int kStretches = 5;  // the test itself allocates while it waits

/// Fields ten and twelve, as proc(5) describes them: minor and major faults. The second field, the
/// name, may contain blanks.
std::uint64_t faults_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream rest(text.substr(text.rfind(')') + 1));
  std::vector<std::string> fields;
  for (std::string field; rest >> field;)
    fields.push_back(field);
  return std::stoull(fields.at(7)) + std::stoull(fields.at(9));
}

class PatchPageFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    bench_.options.size = {640, 360};
    host::host_plugins_of(bench_.catalog, *keeper_);
  }

  static show::Slot frei0r(std::string name, const std::string& plugin, show::Hosting hosting) {
    auto made = slot(std::move(name), "frei0r/" + plugin);
    made.hosting = hosting;
    return made;
  }

  /// The growth of `count` while the patch makes `kFrames`; the smallest of several stretches.
  template <typename Count>
  std::uint64_t growth(std::vector<show::Slot> slots, Count count) {
    const auto patch = bench_.build(std::move(slots)).value();
    patch->start();
    const auto wait_for = [&](std::uint64_t frames) {
      return eventually([&] { return patch->telemetry().frames >= frames; });
    };
    EXPECT_TRUE(wait_for(kFirstFrames));
    const auto least = testing::least_growth(
        kStretches, count, [&] { EXPECT_TRUE(wait_for(patch->telemetry().frames + kFrames)); });
    patch->stop();
    return least;
  }

  const std::unique_ptr<host::HostKeeper> keeper_ =
      host::HostKeeper::open(SUBMIX_PLUGIN_HOST).value();
  Workbench bench_{plugin::frei0r_folders()};
};

TEST_F(PatchPageFaults, AreCounted) {
  const auto before = testing::page_faults();
  const auto memory = media::MappedMemory::own(std::size_t{4} << 20U);  // touches what it maps
  ASSERT_TRUE(memory);
  EXPECT_GT(testing::page_faults(), before);
  EXPECT_GE(faults_of(::getpid()), before) << "by the other way to ask";
}

TEST_F(PatchPageFaults, AreNoneOfBuiltIns) {
  EXPECT_EQ(
      growth({slot("p", "pattern"), slot("s", "stamp"), slot("c", "checker"), slot("n", "null")},
             testing::page_faults),
      0U);
}

TEST_F(PatchPageFaults, AreNoneWhereSlotsMixAndFeedEachOther) {
  EXPECT_EQ(growth({slot("p", "pattern"), slot("q", "pattern"),
                    slot("m", "mix", {{"p", "q", "s@2"}}), slot("s", "stamp"), slot("n", "null")},
                   testing::page_faults),
            0U);
}

TEST_F(PatchPageFaults, AreNoneOfFrei0rInThisProcess) {
  const auto here = show::Hosting::in_process;
  EXPECT_EQ(growth({slot("p", "pattern"), frei0r("i", "invert0r", here), frei0r("g", "gamma", here),
                    frei0r("b", "brightness", here), slot("n", "null")},
                   testing::page_faults),
            0U);
}

TEST_F(PatchPageFaults, AreNoneOfFrei0rInProcessesOfTheirOwnNeitherHereNorThere) {
  const auto own = show::Hosting::own_process;
  const auto count = [] {
    auto sum = testing::page_faults();
    for (const auto host : testing::plugin_hosts_of_this().at_work)
      sum += faults_of(host);
    return sum;
  };
  EXPECT_EQ(growth({slot("p", "pattern"), frei0r("i", "invert0r", own), frei0r("g", "gamma", own),
                    slot("n", "null")},
                   count),
            0U);
}

}  // namespace
}  // namespace submix::engine
