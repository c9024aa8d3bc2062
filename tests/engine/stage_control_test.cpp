// SPDX-License-Identifier: GPL-3.0-or-later
// Requests to a stage and their application at frame boundaries, without threads.
#include "node/engine/stage_control.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace submix::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::shared_ptr<FrameQueue> queue() {
  return std::make_shared<FrameQueue>(2);
}

Wiring wiring_from(std::shared_ptr<FrameQueue> input) {
  Wiring wiring;
  wiring.inputs.push_back({"a", std::move(input), 0});
  return wiring;
}

TEST(StageControl, AChangeIsDueAtItsFrameAndInOrder) {
  StageControl control(1, false);
  const auto first = queue();
  const auto second = queue();
  control.rewire(5, wiring_from(first));
  control.rewire(7, wiring_from(second));
  EXPECT_FALSE(control.due_change(4));
  EXPECT_FALSE(control.may_have_change(4));

  const auto change = control.due_change(7);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->position, 5U);
  control.change_applied();
  EXPECT_EQ(control.wiring()->inputs.front().queue, first);
  EXPECT_FALSE(control.due_change(6));
  ASSERT_TRUE(control.due_change(7));
  control.change_applied();
  EXPECT_EQ(control.wiring()->inputs.front().queue, second);
  EXPECT_FALSE(control.may_have_change(100));
}

TEST(StageControl, AQueueThatEndsIsCountedWithItsInput) {
  StageControl control(1, false);
  const auto former = queue();
  control.begin_with(std::make_shared<const Wiring>(wiring_from(former)));
  ASSERT_TRUE(former->try_push(media::Frame()));
  ASSERT_TRUE(former->try_push(media::Frame()));
  ASSERT_TRUE(former->try_pop());
  control.rewire(3, wiring_from(queue()));
  ASSERT_TRUE(control.due_change(3));
  control.change_applied();

  auto [wiring, ended] = control.queue_history();
  const auto counts = ended[wiring->edge(0)];
  EXPECT_EQ(counts.put, 2U);
  EXPECT_EQ(counts.taken, 1U);
}

TEST(StageControl, ARetiredStageEndsBeforeItsFrame) {
  StageControl control(1, false);
  control.retire(4);
  EXPECT_TRUE(control.is_retiring());
  EXPECT_FALSE(control.due_change(3));
  ASSERT_TRUE(control.due_change(4));
  EXPECT_EQ(control.due_change(4)->wiring, nullptr);
}

TEST(StageControl, CloseClosesTheInputsOfThePresentAndOfComingWirings) {
  StageControl control(1, false);
  const auto present = queue();
  const auto coming = queue();
  control.begin_with(std::make_shared<const Wiring>(wiring_from(present)));
  control.rewire(3, wiring_from(coming));
  control.close();
  EXPECT_TRUE(control.is_closed());
  EXPECT_FALSE(present->push(media::Frame()));
  EXPECT_FALSE(coming->push(media::Frame()));
  EXPECT_FALSE(control.wait_for_change(0));
}

TEST(StageControl, EachWorkerTakesParameterChangesOnce) {
  StageControl control(2, false);
  control.tune({{"level", 1.0}});
  control.tune({{"level", 2.0}});
  for (const std::size_t worker : {0U, 1U}) {
    EXPECT_TRUE(control.has_parameter_changes(worker));
    EXPECT_THAT(control.take_parameter_changes(worker, 0).values,
                ElementsAre(Pair("level", show::ParameterValue(2.0))));
    EXPECT_FALSE(control.has_parameter_changes(worker));
    EXPECT_THAT(control.take_parameter_changes(worker, 0).values, IsEmpty());
  }
}

TEST(StageControl, AModulationIsTakenAtItsFrameAndTheLastOneForAFrameHolds) {
  StageControl control(1, false);
  const auto modulation = std::make_shared<const Modulation>(
      std::vector<Modulation::ParameterCourse>(), show::Tempo(), FrameRate{30, 1});
  control.modulate(6, nullptr, {{"level", 1.0}});
  control.modulate(6, modulation, {{"gain", 2.0}});
  control.tune({{"level", 3.0}});
  EXPECT_EQ(control.modulation(), modulation);

  EXPECT_THAT(control.take_parameter_changes(0, 5).modulations, IsEmpty());
  EXPECT_TRUE(control.has_parameter_changes(0));
  const auto changes = control.take_parameter_changes(0, 6).modulations;
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes.front().modulation, modulation);
  EXPECT_THAT(changes.front().settled, ElementsAre(Pair("gain", show::ParameterValue(2.0)),
                                                   Pair("level", show::ParameterValue(3.0))));
}

TEST(StageControl, TurningABypassOffLetsEachWorkerRetryOnce) {
  StageControl control(2, true);
  EXPECT_FALSE(control.take_retry(0));
  control.set_bypassed(false);
  EXPECT_FALSE(control.is_bypassed());
  EXPECT_TRUE(control.take_retry(0));
  EXPECT_FALSE(control.take_retry(0));
  EXPECT_TRUE(control.take_retry(1));
}

}  // namespace
}  // namespace submix::engine
