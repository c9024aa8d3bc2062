// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/patch.hpp"

#include "tests/simulation/bench.hpp"

#include <gtest/gtest.h>

namespace submix::simulation {
namespace {

using namespace std::chrono_literals;

class SimulatedPatchTest : public ::testing::Test {
 protected:
  void run(std::chrono::milliseconds time, bool is_paused = false) {
    for (auto at = 0ms; at < time; at += 5ms) {
      patch_.advance({now_, 5ms, {30, 1}, is_paused, 0, slowness_}, streams_);
      now_ += 5ms;
    }
  }
  [[nodiscard]] telemetry::StageReading stage(std::string_view name) const {
    for (const auto& stage : patch_.reading().stages) {
      if (stage.slot == name) return stage;
    }
    return {};
  }

  LocalTime now_ = LocalTime(1h);
  double slowness_ = 1;
  std::vector<Stream> streams_;
  Patch patch_{{"solo",
                "a",
                {sample::slot("source", "pattern"), sample::slot("look", "frei0r/glow"),
                 sample::slot("screen", "window")}},
               1};
};

TEST_F(SimulatedPatchTest, ShowsTheShowsRate) {
  run(10s);
  EXPECT_NEAR(static_cast<double>(patch_.reading().frames), 300, 2);
  EXPECT_EQ(patch_.reading().late_frames, 0U);
}

TEST_F(SimulatedPatchTest, BlocksWhoIsFasterThanTheRate) {
  run(10s);
  const auto source = stage("source");
  EXPECT_GT(source.blocked, source.starved);
  EXPECT_NEAR(
      std::chrono::duration<double>(source.working + source.blocked + source.starved).count(), 10,
      0.1);
}

TEST_F(SimulatedPatchTest, IsLateWhereASlotTakesLongerThanAFrameLasts) {
  slowness_ = 20;
  run(10s);
  EXPECT_GT(patch_.reading().late_frames, 0U);
  EXPECT_LT(patch_.reading().frames, 290U);
  EXPECT_GT(stage("screen").starved, 5s) << "who is behind the slow one waits for it";
}

TEST_F(SimulatedPatchTest, CountsEachQueueExactly) {
  for (int i = 0; i < 500; ++i) {
    run(5ms);
    for (const auto& stage : patch_.reading().stages) {
      for (const auto& queue : stage.queues)
        ASSERT_EQ(queue.frames_put, queue.frames_taken + queue.size);
    }
  }
}

TEST_F(SimulatedPatchTest, StandsStillInAPauseAndStepsFrameByFrame) {
  run(1s);
  run(1s, true);
  const auto frames = patch_.reading().frames;
  run(1s, true);
  EXPECT_EQ(patch_.reading().frames, frames);
  patch_.advance({now_, 5ms, {30, 1}, true, 3, 1}, streams_);
  run(1s, true);
  EXPECT_EQ(patch_.reading().frames, frames + 3);
}

TEST_F(SimulatedPatchTest, CountsTheSeatsOfEachPoolOnce) {
  run(1s);
  for (const auto& pool : patch_.reading().pools) {
    std::uint32_t seats = 0;
    for (const auto& each : pool.seats)
      seats += each.seats;
    EXPECT_EQ(seats, pool.capacity) << pool.slot;
  }
}

}  // namespace
}  // namespace submix::simulation
