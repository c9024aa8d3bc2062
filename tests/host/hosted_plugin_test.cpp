// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/crash_record.hpp"
#include "tests/host/host_bench.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <fstream>

namespace submix::host {
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::HasSubstr;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

constexpr int kLevel = 51;  // 0.2, of 255

int red_of(const media::Frame& frame, std::size_t pixel) {
  return frame.rgba()[pixel * 4];
}

TEST(HostedPlugin, MakesThePictureThatItMakesInProcess) {
  HostBench bench({256, 128}, media::Backing::shared, plugin::frei0r_folders());
  const auto input = bench.filled(70);
  const auto hosted = bench.make("frei0r/invert0r").value();
  const auto picture = bench.run(*hosted, 0, {input});
  EXPECT_EQ(red_of(picture, 5), 255 - 70);
  EXPECT_EQ(counter(*hosted, "copied"), 0U);
  EXPECT_EQ(picture.stamp().index.value, 0U);
}

TEST(HostedPlugin, CopiesPicturesThatLieInNoSharedMemory) {
  HostBench bench({256, 128}, media::Backing::own);
  const auto hosted = bench.deeds("");
  const auto picture = bench.run(*hosted, 0, {bench.filled(70)});
  EXPECT_EQ(red_of(picture, 5), 70);
  EXPECT_EQ(red_of(picture, 0), kLevel);
  EXPECT_EQ(counter(*hosted, "copied"), 2U);
}

TEST(HostedPlugin, TakesParametersWhileItRuns) {
  HostBench bench;
  const auto hosted = bench.deeds("");
  EXPECT_EQ(red_of(bench.run(*hosted, 0, {bench.filled(1)}), 0), kLevel);
  hosted->set("level", 1.0);
  EXPECT_EQ(red_of(bench.run(*hosted, 1, {bench.filled(1)}), 0), 255);
}

TEST(HostedPlugin, SaysAtOnceWhichParameterIsNoNumber) {
  HostBench bench;
  const auto made = bench.make("frei0r/deeds", {{"level", std::nan("")}});
  ASSERT_FALSE(made.has_value());
  EXPECT_THAT(made.error().message, HasSubstr("is not a number"));
}

TEST(HostedPlugin, ThatCannotBeMadeIsBypassedAndSaysWhy) {
  HostBench bench({16, 16});
  const auto hosted = bench.deeds("");
  EXPECT_EQ(red_of(bench.run(*hosted, 0, {bench.filled(9)}), 0), 9);
  EXPECT_THAT(hosted->trouble(), HasSubstr("cannot be made at size 16x16"));
  EXPECT_THAT(hosted->trouble(), HasSubstr("`submix bypass left.fx on`, then `off`"));
}

/// A deed, and what the event says of it.
struct Deed {
  const char* deed;
  const char* event;
};
void PrintTo(const Deed& deed, std::ostream* out) {
  *out << deed.deed;
}
std::string name_of(const ::testing::TestParamInfo<Deed>& test) {
  std::string name = test.param.deed;
  std::erase(name, '-');
  return name;
}

class LethalDeed : public ::testing::TestWithParam<Deed> {};

TEST_P(LethalDeed, CostsHeldFramesAndNothingElse) {
  if (kIsSanitized && std::string(GetParam().deed) == "leak") GTEST_SKIP() << "no limit of memory there";
  HostBench bench;
  const auto hosted = bench.deeds(GetParam().deed);
  const auto input = bench.filled(70);
  const auto before = bench.run(*hosted, kDeedFrame - 1, {input});
  EXPECT_EQ(bench.run(*hosted, kDeedFrame, {input}).rgba().data(), before.rgba().data());  // held
  EXPECT_THAT(bench.last_event(), HasSubstr(GetParam().event));
  EXPECT_THAT(before.rgba().subspan(4), Each(70));
  EXPECT_THAT(input.rgba(), Each(70));

  std::uint64_t index = kDeedFrame + 1;
  EXPECT_TRUE(
      eventually([&] { return bench.run(*hosted, index++, {input}).stamp().index.value > kDeedFrame; }));
  EXPECT_EQ(red_of(bench.run(*hosted, index, {input}), 0), kLevel);  // its parameters are back
  EXPECT_EQ(counter(*hosted, "crashes") + counter(*hosted, "hangs"), 1U);
  RecordProperty("held", static_cast<int>(counter(*hosted, "held")));
}

// A sanitizer ends the process itself where a signal would have, and looks for leaks, in vain, at its exit.
INSTANTIATE_TEST_SUITE_P(
    All, LethalDeed,
    ::testing::Values(
        Deed{"crash", kIsSanitized ? "" : "crashed (SIGSEGV)"}, Deed{"abort", "crashed (SIGABRT)"},
        Deed{"exit", kIsSanitized ? "ended by itself" : "ended by itself (status 0)"},
        Deed{"compute", "hung: no frame for"}, Deed{"sleep", "hung: no frame for"},
        Deed{"overflow", kIsSanitized ? "" : "crashed (SIGSEGV)"}, Deed{"leak", "crashed (SIGABRT)"},
        Deed{"write-behind", kIsSanitized ? "" : "crashed (SIGSEGV)"},
        Deed{"write-before", kIsSanitized ? "" : "crashed (SIGSEGV)"},
        Deed{"read-behind", kIsSanitized ? "" : "crashed (SIGSEGV)"},
        Deed{"write-input", kIsSanitized ? "" : "crashed (SIGSEGV)"}, Deed{"throw", "crashed (SIGABRT)"}),
    name_of);

TEST(HostedPlugin, CannotMakeItsInputWritable) {
  HostBench bench;
  const auto hosted = bench.deeds("unprotect-input");
  const auto input = bench.filled(70);
  const auto picture = bench.run(*hosted, kDeedFrame, {input});
  EXPECT_EQ(picture.stamp().index.value, kDeedFrame);  // it was refused, and went on
  EXPECT_THAT(input.rgba(), Each(70));
}

class ForbiddenDeed : public ::testing::TestWithParam<const char*> {};

TEST_P(ForbiddenDeed, FailsAndThePluginGoesOn) {
  HostBench bench;
  const testing::TemporaryFolder folder;
  const auto file = (folder / "own.txt").string();
  if (std::string(GetParam()) != "write") std::ofstream(file) << "mine";
  const auto hosted = bench.make("frei0r/deeds", {{"deed", GetParam()}, {"file", file}}).value();
  const auto picture = bench.run(*hosted, kDeedFrame, {bench.filled(70)});
  EXPECT_THAT(red_of(picture, 1), AnyOf(EPERM, EACCES));
  EXPECT_EQ(std::filesystem::exists(file), std::string(GetParam()) != "write");
  EXPECT_TRUE(bench.events().lines().empty());
}

INSTANTIATE_TEST_SUITE_P(All, ForbiddenDeed,
                         ::testing::Values("write", "unlink", "socket", "fork", "exec", "signal"),
                         [](const auto& test) { return std::string(test.param); });

TEST(HostedPlugin, IsBypassedAfterThreeCrashesInTenSecondsAndCanBeTriedAgain) {
  HostBench bench;
  const auto hosted = bench.deeds("crash");
  const auto input = bench.filled(70);
  const auto crash = [&](std::uint64_t crashes) {
    return eventually([&] {
      (void)bench.run(*hosted, kDeedFrame, {input});
      return counter(*hosted, "crashes") == crashes;
    });
  };
  ASSERT_TRUE(crash(1));
  ASSERT_TRUE(crash(2));
  bench.clock().advance(kCrashPeriod);  // long ago by then
  ASSERT_TRUE(crash(3));
  EXPECT_EQ(hosted->trouble(), "");
  ASSERT_TRUE(crash(5));
  EXPECT_THAT(hosted->trouble(), HasSubstr("3 times in 10 s: it is bypassed"));
  EXPECT_EQ(bench.run(*hosted, 1, {input}).rgba().data(), input.rgba().data());

  hosted->try_again();
  EXPECT_EQ(hosted->trouble(), "");
  EXPECT_TRUE(eventually([&] { return red_of(bench.run(*hosted, 2, {input}), 0) == kLevel; }));
}

TEST(HostedPlugin, SeesNoNewPictureOnceItHasSeenAll) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer touches memory of its own";
  HostBench bench;
  const auto hosted = bench.deeds("");
  constexpr int kWarmUp = 100;
  const auto faults = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
  };
  long before = 0;
  for (int i = 0; i < kWarmUp + 1000; ++i) {
    if (i == kWarmUp) before = faults();
    (void)bench.run(*hosted, 100, {bench.filled(3)});
  }
  EXPECT_EQ(faults() - before, 0);
}

TEST(HostedPlugin, LeavesNoProcessBehind) {
  HostBench bench;
  {
    const auto working = bench.deeds("");
    (void)bench.run(*working, 0, {bench.filled(1)});
    const auto not_begun = bench.deeds("");
    EXPECT_EQ(bench.keeper().hosts_alive(), 2U);
  }
  EXPECT_TRUE(eventually([&] { return bench.keeper().hosts_alive() == 0; }));
}

TEST(HostedPlugin, GivesAllSeatsBack) {
  HostBench bench;
  const auto free = bench.pool().seats_free();
  {
    const auto hosted = bench.deeds("compute");
    for (const std::uint64_t index : {1U, 30U, 2U})
      (void)bench.run(*hosted, index, {bench.filled(1)});
  }
  EXPECT_EQ(bench.pool().seats_free(), free);
}

}  // namespace
}  // namespace submix::host
