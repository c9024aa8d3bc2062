// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/allocation_count.hpp"
#include "tests/support/why.hpp"
#include "tests/throughput/job.hpp"
#include "tests/throughput/ledger.hpp"
#include "tests/throughput/load_command.hpp"
#include "tests/throughput/measurement.hpp"
#include "tests/throughput/rate_timeline.hpp"
#include "tests/throughput/run_json.hpp"
#include "tests/throughput/statistics.hpp"
#include "tests/throughput/usage.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace submix::throughput {
namespace {

TEST(Statistics, GiveTheMedian) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({5}), 5);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({1, 9, 5, 7}), 6);
}

TEST(Statistics, GivePercentilesByNearestRank) {
  std::vector<double> hundred;
  for (int i = 100; i >= 1; --i)
    hundred.push_back(i);
  const auto all = distribution(hundred);
  EXPECT_EQ(all.p50, 50);
  EXPECT_EQ(all.p90, 90);
  EXPECT_EQ(all.p99, 99);
  EXPECT_EQ(all.max, 100);
  EXPECT_EQ(all.count, 100U);
  EXPECT_EQ(percentile({3, 1, 2}, 99), 3);
  EXPECT_EQ(percentile({3, 1, 2}, 0), 1);
  EXPECT_EQ(percentile({}, 50), 0);
}

TEST(RateTimeline, TellsAFramesTimeOnTheWireAcrossChangesOfTheRate) {
  RateTimeline timeline(100);
  timeline.change(10, 10);
  timeline.change(20, 1000);
  EXPECT_DOUBLE_EQ(timeline.wire_seconds(0, 200), 2);  // before any change
  EXPECT_DOUBLE_EQ(timeline.wire_seconds(12, 50), 5);  // within the slow time
  EXPECT_DOUBLE_EQ(timeline.wire_seconds(9, 150), 6);  // 100 bytes in the first second, 50 in five
  EXPECT_DOUBLE_EQ(timeline.wire_seconds(9, 1200), 12);   // 100 + 100 + 1000
  EXPECT_DOUBLE_EQ(timeline.wire_seconds(30, 500), 0.5);  // after all changes
}

TEST(Ledger, IsSharedWithWhoAttachesIt) {
  const auto ledger = Ledger::create({2, 10});
  ASSERT_TRUE(ledger);
  const auto other = Ledger::attach(::dup(ledger->descriptor()));
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(other->shape().frames_max, 10U);
  EXPECT_EQ(other->window(1).begin.load(), Window::kOpen);
  ledger->times(1, 9).released = 42;
  EXPECT_EQ(other->times(1, 9).released, 42);
}

TEST(Ledger, RefusesWhatIsNone) {
  EXPECT_FALSE(Ledger::attach(::dup(0)));
  EXPECT_FALSE(Ledger::attach(-1));
}

constexpr std::size_t kFrameBytes = 30'000;

/// Ten frames a second, each 30 ms late. Frames 2 to 7 are measured.
Ledger regular_ledger() {
  auto ledger = *Ledger::create({1, 10});
  for (std::uint64_t index = 0; index < 10; ++index) {
    auto& times = ledger.times(0, index);
    times.offered = 1'000'000'000 + static_cast<std::int64_t>(index) * 100'000'000;
    times.begun = times.offered + 10'000'000;
    times.released = times.offered + 30'000'000;
  }
  ledger.window(0).begin = 2;
  ledger.window(0).end = 8;
  return ledger;
}

TEST(Window, GivesRateAndLatencyOfTheMeasuredFrames) {
  const auto figures = read_window(regular_ledger(), kFrameBytes);
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->frames, 6U);
  EXPECT_DOUBLE_EQ(figures->frames_per_second, 10);
  EXPECT_DOUBLE_EQ(figures->bytes_per_second, 300'000);
  EXPECT_EQ(figures->latencies_s.size(), 6U);
  EXPECT_DOUBLE_EQ(figures->latencies_s[0], 0.03);
  EXPECT_DOUBLE_EQ(figures->transits_s[0], 0.02);
}

TEST(Window, CountsWhatCameInItAndNoFrameThatOnlyWaitedToBeTaken) {
  const auto ledger = regular_ledger();
  ledger.times(0, 2).waiting_bytes = 90'000;  // three frames: they arrived before the window
  EXPECT_DOUBLE_EQ(read_window(ledger, kFrameBytes)->frames_per_second, 5);
  ledger.times(0, 8).waiting_bytes = 120'000;
  const auto figures = read_window(ledger, kFrameBytes);
  EXPECT_EQ(figures->frames, 6U);
  EXPECT_NEAR(figures->bytes_per_second, 350'000, 1e-6);
}

TEST(Window, LeavesLostFramesOutOfTheLatency) {
  const auto ledger = regular_ledger();
  ledger.times(0, 4).released = 0;
  EXPECT_EQ(read_window(ledger, kFrameBytes)->latencies_s.size(), 5U);
}

TEST(Window, FailsWhereItNeverEnded) {
  const auto ledger = regular_ledger();
  ledger.window(0).end = Window::kOpen;
  EXPECT_FALSE(read_window(ledger, kFrameBytes));
  ledger.window(0).end = 8;
  ledger.times(0, 8).released = 0;
  EXPECT_EQ(why(read_window(ledger, kFrameBytes)), "stream 0: frame 2 or 8 never came");
}

TEST(Pace, CountsAFrameOnTimeWhenItComesBeforeTheNextIsDue) {
  const auto ledger = regular_ledger();
  for (std::uint64_t index = 0; index < 10; ++index)
    ledger.times(0, index).due = ledger.times(0, index).offered;
  ledger.times(0, 3).released += 80'000'000;  // 110 ms after it was due
  ledger.times(0, 5).released = 0;            // lost
  const auto pace = read_pace(ledger, {10, 1});
  ASSERT_TRUE(pace);
  EXPECT_EQ(pace->frames, 6U);
  EXPECT_DOUBLE_EQ(pace->on_time, 4.0 / 6);
  EXPECT_DOUBLE_EQ(pace->jitter_ms.max, 80);
  EXPECT_DOUBLE_EQ(pace->lateness_ms.p50, 30);
  EXPECT_DOUBLE_EQ(pace->lateness_ms.max, 110);
}

TEST(Load, GoesUpToAllCoresByDoubling) {
  EXPECT_EQ(steps_of_load(1), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(steps_of_load(2), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(steps_of_load(6), (std::vector<std::size_t>{0, 1, 2, 4, 6}));
  EXPECT_EQ(steps_of_load(8), (std::vector<std::size_t>{0, 1, 2, 4, 8}));
}

TEST(Job, SurvivesTheWayToTheOtherProcess) {
  Job job;
  job.side = Side::receive;
  job.transport = Transport::plain;
  job.size = {1920, 1080};
  job.rate = FrameRate{30000, 1001};
  job.streams = 3;
  job.frames = 77;
  job.addresses = {"198.18.0.1", "198.18.1.1"};
  job.endpoints = {{"198.18.0.2", 24, 4000, 9000, false}};
  job.local = {"this boot/1", "submix-1"};
  job.is_local = true;
  job.token = {4, 5, 6};
  job.is_remote = true;
  job.key = {1, 2, 3};
  job.has_key = true;
  job.ledger = 9;
  const auto decoded = decode_job(encode(job));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(encode(*decoded), encode(job));
  EXPECT_EQ(decoded->rate, job.rate);
  EXPECT_EQ(decoded->endpoints, job.endpoints);
}

TEST(Report, SurvivesTheWayBack) {
  SideReport report;
  report.frames = {10, 11};
  report.faults = {1, 2, 3, 4};
  report.is_measured = true;
  report.used.page_faults = 5;
  report.frames_measured = 9;
  report.links = {{100, 1}, {200, 0}};
  report.complaints = "link 1 is slow";
  const auto decoded = decode_report(encode(report));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(encode(*decoded), encode(report));
  EXPECT_EQ(decoded->faults, report.faults);
}

TEST(Report, IsTheOtherSidesErrorWhereThatFailed) {
  EXPECT_EQ(why(decode_report(encode_failure({"no port"}))), "no port");
  EXPECT_FALSE(decode_report("{}"));
  EXPECT_FALSE(decode_report("garbage"));
}

TEST(Usage, CountsAllocationsAndPageFaults) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer allocates in its own way";
  const auto before = usage_now();
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  const auto memory = std::make_unique<char[]>(kBytes);  // written to: zeroed
  const auto used = usage_now() - before;
  EXPECT_EQ(used.allocations, 1U);
  EXPECT_GT(used.page_faults, 10U) << static_cast<void*>(memory.get());
  EXPECT_GT(used.cpu.count(), 0);
}

RunFigures figures(double value) {
  RunFigures figures;
  figures.goodput_mb_s = value;
  figures.latency_ms.p99 = value * 2;
  figures.links_alone_mb_s = {value, value + 1};
  figures.faults.lost = 1;
  return figures;
}

TEST(RunResult, TakesMediansOfRoundsAndSumsOfFaults) {
  const auto middle = median_of({figures(3), figures(1), figures(2)});
  EXPECT_EQ(middle.goodput_mb_s, 2);
  EXPECT_EQ(middle.latency_ms.p99, 4);
  EXPECT_EQ(middle.links_alone_mb_s, (std::vector<double>{2, 3}));
  EXPECT_EQ(middle.faults.lost, 3U);
}

TEST(RunResult, HasEachFigureInJsonUnderItsFixedName) {
  RunResult result;
  result.rounds = {figures(1)};
  result.median = figures(1);
  const auto object = nlohmann::json::parse(to_json(RunOptions(), result));
  for (const auto* name :
       {"goodput_mb_s", "line_share", "cpu_s_per_gb_send", "cpu_s_per_gb_receive", "latency_ms_p50",
        "latency_ms_p99", "allocations_per_frame", "faults_per_frame", "frames_lost",
        "frames_duplicated", "frames_reordered", "frames_torn"}) {
    EXPECT_TRUE(object.contains(name)) << name;
    EXPECT_TRUE(object.at("rounds").at(0).contains(name)) << name;
  }
  EXPECT_EQ(object.at("latency_ms_p99"), 2);
  EXPECT_EQ(object.at("frames_lost"), 1);
  result.counts_allocations = false;
  EXPECT_FALSE(
      nlohmann::json::parse(to_json(RunOptions(), result)).contains("allocations_per_frame"));
}

}  // namespace
}  // namespace submix::throughput
