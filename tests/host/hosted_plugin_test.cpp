// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/realtime.hpp"
#include "node/host/crash_record.hpp"
#include "tests/host/host_bench.hpp"
#include "tests/support/busy_core.hpp"
#include "tests/support/growth.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace submix::host {
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(HostedPlugin, TakesANumberWithEachFrame) {
  HostBench bench;
  const auto hosted = bench.deeds("");
  for (std::uint64_t i = 0; i <= 100; ++i) {
    hosted->set("level", 0.5);
    hosted->set("level", static_cast<double>(i) / 100);
    EXPECT_EQ(red_of(bench.run(*hosted, i, {bench.filled(1)}), 0),
              static_cast<int>((i * 255 + 50) / 100))
        << i;
  }
}

TEST(HostedPlugin, ShowsAsMuchOfItsPictureAsWetSays) {
  HostBench bench({256, 128}, media::Backing::shared, plugin::frei0r_folders());
  const auto input = bench.filled(255);
  const auto hosted = bench.make("frei0r/invert0r", {{"wet", 0.0}}).value();
  EXPECT_EQ(red_of(bench.run(*hosted, 0, {input}), 5), 255) << "the input";
  for (const int percent : {0, 25, 50, 100}) {
    hosted->set("wet", percent / 100.0);
    EXPECT_NEAR(red_of(bench.run(*hosted, 1, {input}), 5), 255 - 255 * percent / 100, 1);
  }
  EXPECT_EQ(counter(*hosted, "copied"), 0U);
  EXPECT_EQ(counter(*hosted, "held"), 0U);
}

TEST(HostedPlugin, TellsHowLongItsFramesWaitedForACore) {
  HostBench bench;
  const auto hosted = bench.deeds("");
  const auto input = bench.filled(1);
  static_cast<void>(bench.run(*hosted, 0, {input}));
  const testing::BusyCore busy;
  ASSERT_TRUE(busy.admit(HostBench::hosts().at(0)));
  const auto before = counter(*hosted, "run_delay_us");
  const auto began = std::chrono::steady_clock::now();
  EXPECT_TRUE(eventually([&] {
    static_cast<void>(bench.run(*hosted, 1, {input}));
    return counter(*hosted, "run_delay_us") > before + 3000;
  }));
  const auto elapsed = std::chrono::steady_clock::now() - began;
  EXPECT_LE(std::chrono::microseconds(counter(*hosted, "run_delay_us") - before), elapsed);
}

TEST(HostedPlugin, HasItsLatestNumberInANewHost) {
  HostBench bench;
  const auto hosted = bench.deeds("");
  static_cast<void>(bench.run(*hosted, 0, {bench.filled(1)}));
  hosted->set("level", 1.0);
  ::kill(HostBench::hosts().at(0), SIGKILL);
  EXPECT_TRUE(
      eventually([&] { return red_of(bench.run(*hosted, 1, {bench.filled(1)}), 0) == 255; }));
}

// A dying process closes its channel before it is gone.
TEST(HostedPlugin, ThatIsKilledBetweenFramesHasCrashedAndNeverHangs) {
  HostBench bench;
  const auto hosted = bench.deeds("");
  const auto input = bench.filled(1);
  constexpr std::uint64_t kKills = 10;
  for (std::uint64_t kills = 1; kills <= kKills; ++kills) {
    ASSERT_TRUE(eventually(
        [&] { return bench.run(*hosted, kills, {input}).stamp().index.value == kills; }));
    bench.clock().advance(kCrashPeriod);
    const auto host = HostBench::hosts().at(0);
    ::kill(host, SIGKILL);
    hosted->set("deed", "");  // a text goes by message
    (void)bench.run(*hosted, kills, {input});
    ASSERT_TRUE(eventually([&] {
      (void)bench.run(*hosted, kills, {input});
      return counter(*hosted, "crashes") == kills;
    }));
  }
  EXPECT_EQ(counter(*hosted, "hangs"), 0U);
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

/// A deed, and the text of its event.
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
  if (kIsSanitized && std::string(GetParam().deed) == "leak")
    GTEST_SKIP() << "no limit of memory there";
  HostBench bench;
  const auto hosted = bench.deeds(GetParam().deed);
  const auto input = bench.filled(70);
  const auto before = bench.run(*hosted, kDeedFrame - 1, {input});
  EXPECT_EQ(bench.run(*hosted, kDeedFrame, {input}).rgba().data(), before.rgba().data());  // held
  EXPECT_THAT(bench.last_event(), HasSubstr(GetParam().event));
  EXPECT_THAT(before.rgba().subspan(4), Each(70));
  EXPECT_THAT(input.rgba(), Each(70));

  std::uint64_t index = kDeedFrame + 1;
  EXPECT_TRUE(eventually(
      [&] { return bench.run(*hosted, index++, {input}).stamp().index.value > kDeedFrame; }));
  EXPECT_EQ(red_of(bench.run(*hosted, index, {input}), 0), kLevel);  // its parameters are back
  EXPECT_EQ(counter(*hosted, "crashes") + counter(*hosted, "hangs"), 1U);
  RecordProperty("held", static_cast<int>(counter(*hosted, "held")));
}

// A sanitizer ends the process itself in place of a signal, and searches for leaks at its exit, in
// vain.
INSTANTIATE_TEST_SUITE_P(
    All, LethalDeed,
    ::testing::Values(Deed{"crash", kIsSanitized ? "" : "crashed (SIGSEGV)"},
                      Deed{"abort", "crashed (SIGABRT)"},
                      Deed{"exit", kIsSanitized ? "ended by itself" : "ended by itself (status 0)"},
                      Deed{"compute", "hung: no frame for"}, Deed{"sleep", "hung: no frame for"},
                      Deed{"overflow", kIsSanitized ? "" : "crashed (SIGSEGV)"},
                      Deed{"leak", "crashed (SIGABRT)"}, Deed{"descriptors", "crashed (SIGABRT)"},
                      Deed{"write-behind", kIsSanitized ? "" : "crashed (SIGSEGV)"},
                      Deed{"write-before", kIsSanitized ? "" : "crashed (SIGSEGV)"},
                      Deed{"read-behind", kIsSanitized ? "" : "crashed (SIGSEGV)"},
                      Deed{"write-input", kIsSanitized ? "" : "crashed (SIGSEGV)"},
                      Deed{"throw", "crashed (SIGABRT)"}),
    name_of);

// Large enough to have huge pages to themselves, and a margin before them.
class PicturesOfHugePages : public ::testing::Test {
 protected:
  /// The plugin draws between pictures in use. These pictures, and its input among them, must not
  /// change.
  void run(const std::string& deed) {
    const auto hosted = bench_.deeds(deed);
    std::vector<media::Frame> pictures;
    while (pictures.size() < bench_.pool().capacity())
      pictures.push_back(bench_.filled(static_cast<std::uint8_t>(pictures.size())));
    for (const std::size_t free : {3U, 6U, 9U, 12U})
      pictures[free] = {};
    static_cast<void>(bench_.run(*hosted, kDeedFrame - 1, {pictures[kInput]}));
    picture_ = bench_.run(*hosted, kDeedFrame, {pictures[kInput]});
    for (std::size_t i = 0; i < pictures.size(); ++i)
      EXPECT_TRUE(!pictures[i] || is_all(pictures[i].rgba(), i)) << i;
    crashes_ = counter(*hosted, "crashes");
  }
  static bool is_all(std::span<const std::uint8_t> bytes, std::size_t value) {
    return std::ranges::all_of(bytes, [value](std::uint8_t byte) { return byte == value; });
  }

  static constexpr std::size_t kInput = 7;
  HostBench bench_{{1280, 720}};
  media::Frame picture_;
  std::uint64_t crashes_ = 0;
};

TEST_F(PicturesOfHugePages, EndWhereAGuardBegins) {
  run("write-behind");
  EXPECT_EQ(crashes_, 1U);
}

TEST_F(PicturesOfHugePages, HaveAMarginThatIsNobodys) {
  run("write-before");
  EXPECT_EQ(crashes_, 0U);
  EXPECT_EQ(picture_.stamp().index.value, kDeedFrame);
  EXPECT_EQ(red_of(picture_, 0), kLevel);
  EXPECT_TRUE(is_all(picture_.rgba().subspan(8), kInput));
}

TEST_F(PicturesOfHugePages, HaveAGuardBeforeTheirMargin) {
  run("write-far-before");
  EXPECT_EQ(crashes_, 1U);
}

TEST(HostedPlugin, CannotMakeItsInputWritable) {
  HostBench bench;
  const auto hosted = bench.deeds("unprotect-input");
  const auto input = bench.filled(70);
  const auto picture = bench.run(*hosted, kDeedFrame, {input});
  // the write was refused, and the plugin went on
  EXPECT_EQ(picture.stamp().index.value, kDeedFrame);
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
                         ::testing::Values("write", "unlink", "socket", "fork", "exec", "signal",
                                           "owner"),
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
  const auto run = [&](int frames) {
    for (int i = 0; i < frames; ++i)
      (void)bench.run(*hosted, 100, {bench.filled(3)});
  };
  run(100);
  ASSERT_TRUE(eventually([] { return !HostBench::spares().empty(); }))
      << "which the node has memory for, too";
  EXPECT_EQ(testing::least_growth(3, testing::page_faults, [&] { run(1000); }), 0U);
}

TEST(HostedPlugin, RunsAsUrgentlyAsItsNodesSlots) {
  if (!allow_realtime_threads()) GTEST_SKIP() << "not permitted here";
  HostBench bench;
  const auto hosted = bench.deeds("");
  (void)bench.run(*hosted, 0, {bench.filled(1)});
  // The host may have drawn before its pid was known. It is then raised a little later.
  const bool is_raised = eventually([&] {
    const auto hosts = bench.hosts();
    return hosts.size() == 1 && (::sched_getscheduler(hosts[0]) & ~SCHED_RESET_ON_FORK) == SCHED_RR;
  });
  detail::allow_realtime_threads_by(nullptr);  // threads of the other tests are ordinary ones
  EXPECT_TRUE(is_raised);
}

TEST(HostedPlugin, CountsItsHostsTimeAlsoWhenThatIsGone) {
  HostBench bench;
  const auto hosted = bench.deeds("compute");
  (void)bench.run(*hosted, kDeedFrame, {bench.filled(1)});  // it hangs for a while
  const auto alive = bench.keeper().cpu_time();
  EXPECT_GT(alive, std::chrono::milliseconds(10));
  EXPECT_TRUE(eventually([&] { return bench.keeper().hosts_alive() == 1; }));  // the next host
  EXPECT_GE(bench.keeper().cpu_time(), alive);
}

/// The libraries and files that the host has mapped; empty for a host that has just ended.
std::string maps_of(pid_t host) {
  std::ifstream maps("/proc/" + std::to_string(host) + "/maps");
  std::string mapped;
  std::getline(maps, mapped, '\0');  // the whole file
  return mapped;
}

/// True if the spare sleeps: its plugin is loaded and made.
bool waits(pid_t spare) {
  const auto mapped = maps_of(spare);
  std::ifstream stat("/proc/" + std::to_string(spare) + "/stat");
  std::string line;
  std::getline(stat, line);
  return mapped.find("deeds.so") != std::string::npos && line.find(") S ") != std::string::npos;
}

class SpareHost : public ::testing::Test {
 protected:
  SpareHost() { (void)bench_.run(*hosted_, 0, {input_}); }

  pid_t wait_for_spare(pid_t other_than = 0) {
    EXPECT_TRUE(eventually([&] {
      const auto spares = HostBench::spares();
      return spares.size() == 1 && spares[0] != other_than && waits(spares[0]);
    }));
    const auto spares = HostBench::spares();
    return spares.empty() ? 0 : spares[0];
  }

  HostBench bench_;
  const media::Frame input_ = bench_.filled(70);
  std::unique_ptr<plugin::Plugin> hosted_ = bench_.deeds("crash");
};

TEST_F(SpareHost, TakesTheSlotOverWithinOneFrame) {
  const auto spare = wait_for_spare();
  hosted_->set("level", 1.0);
  hosted_->set("file", std::string("/anything"));
  const auto held = bench_.run(*hosted_, kDeedFrame, {input_});
  EXPECT_EQ(held.stamp().index.value, 0U);
  const auto next = bench_.run(*hosted_, kDeedFrame + 1, {input_});
  EXPECT_EQ(next.stamp().index.value, kDeedFrame + 1);
  EXPECT_EQ(red_of(next, 0), 255) << "what was set since the spare was made";
  EXPECT_EQ(counter(*hosted_, "held"), 1U);
  EXPECT_EQ(HostBench::hosts(), std::vector{spare});
}

TEST_F(SpareHost, IsToldOnlyWhatItsPluginWasNotMadeWith) {
  hosted_.reset();
  hosted_ = bench_.make("frei0r/deeds", {{"deed", "count"}}).value();
  (void)bench_.run(*hosted_, 0, {input_});
  const auto spare = wait_for_spare();
  hosted_->set("file", std::string("/anything"));
  ::kill(HostBench::hosts().at(0), SIGKILL);
  EXPECT_TRUE(eventually([&] {
    return bench_.run(*hosted_, kDeedFrame, {input_}).stamp().index.value == kDeedFrame &&
           HostBench::hosts() == std::vector{spare};
  }));
  EXPECT_EQ(red_of(bench_.run(*hosted_, kDeedFrame, {input_}), 1), 2) << "its deed and the file";
}

TEST_F(SpareHost, IsFollowedByAnother) {
  const auto first = wait_for_spare();
  (void)bench_.run(*hosted_, kDeedFrame, {input_});
  (void)bench_.run(*hosted_, 1, {input_});
  EXPECT_NE(wait_for_spare(first), first);
}

TEST_F(SpareHost, IsWaitedForWhereItOnlyBegins) {
  for (int crashes = 0; crashes < 2; ++crashes)
    (void)bench_.run(*hosted_, kDeedFrame, {input_});
  EXPECT_TRUE(eventually([&] { return red_of(bench_.run(*hosted_, 1, {input_}), 0) == kLevel; }));
}

TEST_F(SpareHost, MayEndWithoutHarm) {
  ::kill(wait_for_spare(), SIGKILL);
  EXPECT_TRUE(eventually([&] { return bench_.keeper().hosts_alive() == 1; }));
  EXPECT_EQ(red_of(bench_.run(*hosted_, 1, {input_}), 0), kLevel);
  EXPECT_EQ(counter(*hosted_, "crashes"), 0U);
  (void)bench_.run(*hosted_, kDeedFrame, {input_});
  EXPECT_TRUE(eventually([&] { return red_of(bench_.run(*hosted_, 2, {input_}), 0) == kLevel; }));
  wait_for_spare();
}

TEST_F(SpareHost, EndsWithItsPlugin) {
  wait_for_spare();
  hosted_.reset();
  EXPECT_TRUE(eventually([&] { return bench_.keeper().hosts_alive() == 0; }));
}

TEST(HostedPlugin, IsTriedAgainWithTheLibraryThatIsThereByThen) {
  const auto broken = std::filesystem::path(SUBMIX_TEST_PLUGINS) / "deeds.so";
  const testing::TemporaryFolder folder;
  std::filesystem::copy_file(broken, folder / "deeds.so");
  HostBench bench({256, 128}, media::Backing::shared, {folder.path()});
  const auto hosted = bench.deeds("crash");
  const auto input = bench.filled(70);
  (void)bench.run(*hosted, 0, {input});
  ASSERT_TRUE(eventually([&] {
    (void)bench.run(*hosted, kDeedFrame, {input});
    return !hosted->trouble().empty();
  }));
  ASSERT_TRUE(
      eventually([] { return HostBench::spares().size() == 1 && waits(HostBench::spares()[0]); }));
  std::filesystem::copy_file(broken, folder / "mended");
  std::filesystem::rename(folder / "mended", folder / "deeds.so");
  hosted->try_again();
  ASSERT_TRUE(eventually([&] { return red_of(bench.run(*hosted, 1, {input}), 0) == kLevel; }));
  EXPECT_THAT(maps_of(HostBench::hosts().at(0)), Not(HasSubstr("deeds.so (deleted)")));
}

TEST(HostedPlugin, HasNoSpareBeforeItHasMadeAFrame) {
  HostBench bench;
  const auto hosted = bench.deeds("");
  hosted->wait_until_ready(std::chrono::steady_clock::now() + std::chrono::minutes(1));
  EXPECT_EQ(bench.keeper().hosts_alive(), 1U);
}

TEST(HostProcess, IsWaitedForUntilItIsGone) {
  const auto host =
      HostProcess::prepare({.slot = "left.fx", .file = "any.so", .size = {64, 64}}).value();
  const std::jthread ending([&] { host->finish("was not started"); });
  host->wait_until_gone(std::chrono::steady_clock::now() + std::chrono::minutes(1));
  EXPECT_TRUE(host->is_gone());
}

TEST(HostedPlugin, LeavesNoProcessBehind) {
  HostBench bench;
  {
    const auto working = bench.deeds("");
    (void)bench.run(*working, 0, {bench.filled(1)});
    const auto not_begun = bench.deeds("");
    EXPECT_GE(bench.keeper().hosts_alive(), 2U);
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

std::string lose_the_right_and_have_it_again() {
  if (!allow_realtime_threads()) return "no right to real-time scheduling";
  HostBench bench;
  const auto plugin = bench.deeds("long@0");
  const std::vector<media::Frame> inputs{bench.filled(9)};
  static_cast<void>(bench.run(*plugin, 0, inputs));
  const auto hosts = HostBench::hosts();
  if (hosts.size() != 1) return "there is not one host";
  const auto now = std::chrono::steady_clock::now();
  if (is_child_raised(hosts.front())) return "it is still raised";
  if (bench.keeper().tend_rights(now) != std::vector<std::string>{"left.fx"})
    return "nobody is told";
  if (bench.keeper().tend_rights(now + kLoweredPause / 2).empty()) return "it was raised at once";
  const bool is_raised = eventually([&] {
    static_cast<void>(bench.keeper().tend_rights(now + kLoweredPause + std::chrono::seconds(1)));
    return is_child_raised(hosts.front());
  });
  if (!is_raised) return "it was not raised again";
  return bench.keeper().tend_rights(now + kLoweredPause * 2).empty() ? "" : "it is still told";
}

// Before, it stayed an ordinary program, and nobody was told.
TEST(HostedPlugin, ThatRanForTooLongIsToldAndHasRealTimeSchedulingAgainLater) {
  if (const auto allowed = allow_realtime_threads(); !allowed)
    GTEST_SKIP() << allowed.error().message;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const auto problem = lose_the_right_and_have_it_again();
        std::fputs(problem.c_str(), stderr);
        std::exit(problem.empty() ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace submix::host
