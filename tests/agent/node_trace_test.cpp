// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/node_trace.hpp"

#include "node/agent/trace_shelf.hpp"
#include "tests/support/event_log.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace submix::agent {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<telemetry::SubmixReading> late(std::uint64_t late_frames, std::uint64_t frame) {
  telemetry::SubmixReading reading;
  reading.name = "mix";
  reading.missed_frames = late_frames;
  reading.missed_frame = frame;
  reading.frames = frame + 1;
  return {reading};
}

TEST(LateWatch, TellsALateFrameOnceAndThenNoneForAWhile) {
  testing::ManualClock clock;
  LateWatch watch;
  EXPECT_FALSE(watch.find_late(late(0, 0), clock.now()));
  EXPECT_EQ(watch.find_late(late(1, 70), clock.now()), (LateFrame{"mix", 70}));
  EXPECT_FALSE(watch.find_late(late(1, 70), clock.now()));
  clock.advance(LateWatch::kReportInterval - 1s);
  EXPECT_FALSE(watch.find_late(late(2, 80), clock.now()));
  clock.advance(1s);
  EXPECT_FALSE(watch.find_late(late(2, 80), clock.now())) << "long ago by now";
  EXPECT_EQ(watch.find_late(late(3, 90), clock.now()), (LateFrame{"mix", 90, 1}));
}

TEST(LateWatch, TellsOnceHowManyItLeftOut) {
  testing::ManualClock clock;
  LateWatch watch;
  EXPECT_EQ(watch.find_late(late(1, 70), clock.now()), (LateFrame{"mix", 70}));
  EXPECT_FALSE(watch.find_late(late(5, 74), clock.now()));
  EXPECT_EQ(watch.take_untold(clock.now()), 0U) << "there may be more";
  clock.advance(LateWatch::kReportInterval);
  EXPECT_EQ(watch.take_untold(clock.now()), 4U);
  EXPECT_EQ(watch.take_untold(clock.now()), 0U);
  EXPECT_EQ(watch.find_late(late(8, 90), clock.now()), (LateFrame{"mix", 90, 2}))
      << "three at once";
}

TEST(LateWatch, CountsOnWhereAPatchIsBuiltAnew) {
  testing::ManualClock clock;
  LateWatch watch;
  EXPECT_EQ(watch.find_late(late(9, 70), clock.now()), (LateFrame{"mix", 70, 8}));
  clock.advance(LateWatch::kReportInterval);
  EXPECT_EQ(watch.find_late(late(1, 3), clock.now()), (LateFrame{"mix", 3}));
}

TEST(LateWatch, TellsNothingWhereAWindowHasGoneWithItsCount) {
  testing::ManualClock clock;
  LateWatch watch;
  auto readings = late(9, 70);
  readings[0].frames = 100;
  EXPECT_TRUE(watch.find_late(readings, clock.now()));
  clock.advance(LateWatch::kReportInterval);
  readings[0].frames = 110;
  readings[0].missed_frames = 4;
  EXPECT_EQ(watch.find_late(readings, clock.now()), std::nullopt);
  readings[0].missed_frames = 5;
  EXPECT_EQ(watch.find_late(readings, clock.now()), (LateFrame{"mix", 70}));
}

class NodeTraceTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::size_t file_count() const {
    const std::filesystem::directory_iterator files(folder_.path() / "traces");
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

  static void look(NodeTrace& trace, std::uint64_t late_frames, std::uint64_t frame) {
    const auto found = trace.find_late(late(late_frames, frame));
    ASSERT_TRUE(found);
    trace.write_late(*found, {});
  }

  testing::TemporaryFolder folder_;
  testing::EventLog events_;
  testing::ManualClock clock_;
  NodeTrace trace_{"rack", folder_.path() / "traces", events_, clock_};
};

TEST_F(NodeTraceTest, WritesAFileForALateFrameAndSaysWhichSlotTookLongest) {
  const auto ring = trace_.trace().open("mix.glow");
  ring->add({clock_.now(), clock_.now() + 120ms, 70});
  look(trace_, 1, 70);
  const auto file = folder_.path() / "traces" / "rack-late-mix-70.json";
  EXPECT_THAT(events_.lines(), ElementsAre("mix: frame 70 missed its deadline: slot \"mix.glow\" "
                                           "took longest, 120.0 ms; its trace is " +
                                           file.string()));
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(NodeTraceTest, KeepsTheNewestFilesOnly) {
  for (std::uint64_t i = 1; i <= NodeTrace::kFilesMax + 3; ++i) {
    look(trace_, i, i);
    clock_.advance(LateWatch::kReportInterval);
  }
  EXPECT_EQ(file_count(), NodeTrace::kFilesMax);
}

TEST_F(NodeTraceTest, SaysHowManyMissedWithoutATrace) {
  look(trace_, 1, 70);
  EXPECT_FALSE(trace_.find_late(late(4, 73)));
  clock_.advance(LateWatch::kReportInterval);
  EXPECT_FALSE(trace_.find_late(late(4, 73)));
  ASSERT_EQ(events_.lines().size(), 2U);
  EXPECT_THAT(events_.lines()[1],
              HasSubstr("rack: 3 more frames missed their deadlines after the last trace"));
}

TEST_F(NodeTraceTest, WritesOneMoreAtTheEnd) {
  trace_.write_at_end({});
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "traces" / "rack-end.json"));
}

TEST_F(NodeTraceTest, SaysWhereItCannotWrite) {
  NodeTrace nowhere("rack", "/proc/nowhere", events_, clock_);
  look(nowhere, 1, 70);
  ASSERT_EQ(events_.lines().size(), 1U);
  EXPECT_THAT(events_.lines()[0], HasSubstr("/proc/nowhere/rack-late-mix-70.json"));
  EXPECT_THAT(events_.lines()[0], HasSubstr("--traces"));
}

cluster::Command ask(std::string token, std::uint32_t part) {
  cluster::Command command;
  command.kind = cluster::CommandKind::trace;
  command.token = std::move(token);
  command.part = part;
  command.seconds = 3;
  return command;
}

TEST(TraceShelf, GivesOneTraceInPartsThoughOthersAreMadeMeanwhile) {
  std::size_t made = 0;
  TraceShelf shelf([&made](std::chrono::seconds look_back) {
    EXPECT_EQ(look_back, 3s);
    return std::string(cluster::kTracePartBytes + 5, static_cast<char>('a' + made++));
  });
  EXPECT_EQ(shelf.part(ask("one", 0))->parts, 2U);
  EXPECT_EQ(shelf.part(ask("two", 0))->parts, 2U);
  EXPECT_EQ(shelf.part(ask("one", 1))->text, "aaaaa");
  EXPECT_EQ(shelf.part(ask("two", 1))->text, "bbbbb");
  EXPECT_EQ(why(shelf.part(ask("two", 2))), "the trace has 2 parts, and no part 2");
}

TEST(TraceShelf, KeepsFewTraces) {
  TraceShelf shelf([](std::chrono::seconds) { return std::string("x"); });
  for (const auto* token : {"a", "b", "c", "d", "e"})
    EXPECT_TRUE(shelf.part(ask(token, 0)));
  EXPECT_THAT(why(shelf.part(ask("a", 1))), HasSubstr("ask for it again"));
}

}  // namespace
}  // namespace submix::agent
