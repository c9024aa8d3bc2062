// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/latest_per_target.hpp"

#include "controller/model/edit/outputs.hpp"
#include "controller/model/edit/performing.hpp"
#include "tests/input/scene.hpp"

#include <gtest/gtest.h>

namespace submix::input {
namespace {

using namespace std::chrono_literals;

class LatestPerTargetTest : public ::testing::Test {
 protected:
  void put(std::string_view target, double position) {
    const auto control = find_control(stage_.scene(), parse_target(target).value()).value();
    latest_.put(order_to(control, value_at(control, position).value()));
  }
  std::vector<Order> take() { return latest_.take_due(stage_.scene(), now_); }
  [[nodiscard]] std::vector<double> tint() const {
    const auto found = find_control(stage_.scene(), parse_target("left.glow.tint").value());
    return std::get<std::vector<double>>(found->present);
  }

  sample::Stage stage_;
  LatestPerTarget latest_;
  LocalTime now_ = LocalTime(1h);
};

TEST_F(LatestPerTargetTest, DoesTheFirstAtOnceAndThenTheNewestOfEach) {
  put("left.glow.Blur", 0.1);
  EXPECT_EQ(take().size(), 1U);
  for (int i = 0; i < 1000; ++i)
    put("left.glow.Blur", i / 1000.0);
  EXPECT_TRUE(take().empty()) << "too early";
  now_ += LatestPerTarget::kPeriod;
  stage_.obey(take());
  EXPECT_DOUBLE_EQ(stage_.blur(), 0.999);
  EXPECT_TRUE(latest_.is_empty());
}

TEST_F(LatestPerTargetTest, KeepsDifferentThingsApart) {
  put("left.glow.Blur", 0.1);
  put("left.clip.speed", 0.1);
  put("bypass left.glow", 1);
  put("pause", 1);
  EXPECT_EQ(take().size(), 4U);
}

TEST_F(LatestPerTargetTest, MakesOneEditOfManyValues) {
  for (int i = 0; i < 20; ++i)
    latest_.put(session::EditShow{model::SetParameter{{"left", "glow"}, fmt::format("p{}", i), 0.5},
                                  0, false});
  put("pause", 1);
  const auto orders = take();
  ASSERT_EQ(orders.size(), 2U);
  const auto& edit = std::get<session::EditShow>(orders[0]);
  EXPECT_EQ(std::get<model::EditGroup>(edit.edit).edits.size(), 20U);
  EXPECT_FALSE(edit.is_undoable);
}

TEST_F(LatestPerTargetTest, KeepsEveryStepUpToABound) {
  latest_.put(session::Step{});
  latest_.put(session::Step{});
  EXPECT_EQ(take().size(), 2U);
  for (int i = 0; i < 1000; ++i)
    latest_.put(session::Step{});
  now_ += LatestPerTarget::kPeriod;
  EXPECT_EQ(take().size(), LatestPerTarget::kStepsMax);
}

TEST_F(LatestPerTargetTest, LosesNoNumberOfAColourThatTwoKnobsTurn) {
  put("left.glow.tint[0]", 0.25);
  put("left.glow.tint[2]", 0.75);
  const auto first = take();
  ASSERT_EQ(first.size(), 1U) << "one edit for both";
  put("left.glow.tint[1]", 0.125);
  now_ += LatestPerTarget::kPeriod;
  const auto second = take();  // the first edit is not visible in the show yet
  stage_.obey(first);
  stage_.obey(second);
  EXPECT_EQ(tint(), (std::vector<double>{0.25, 0.125, 0.75}));
}

TEST_F(LatestPerTargetTest, TakesTheNumbersThatOthersSetMeanwhile) {
  put("left.glow.tint[0]", 0.25);
  stage_.obey(take());
  stage_.change(model::SetParameter{{"left", "glow"}, "tint", std::vector<double>{0, 0, 0.5}});
  now_ += 1s;
  put("left.glow.tint[1]", 0.125);
  stage_.obey(take());
  EXPECT_EQ(tint(), (std::vector<double>{0, 0.125, 0.5}));
}

TEST_F(LatestPerTargetTest, SetsTempoAndSpeedAsOneEdit) {
  latest_.put(SetPace{240.0, {}});
  latest_.put(SetPace{{}, 0.5});
  const auto orders = take();
  ASSERT_EQ(orders.size(), 1U);
  stage_.obey(orders);
  const auto& tempo = stage_.view().show->tempo;
  EXPECT_EQ(tempo.beats_per_minute, 240);
  EXPECT_EQ(tempo.master_speed, 0.5);
}

TEST_F(LatestPerTargetTest, ShiftsTheBeatByTheShowsTime) {
  latest_.put(SetPace{{}, {}, 1.5});
  EXPECT_TRUE(take().empty()) << "the cluster's clock is not known";
  stage_.view().clock_offset = 1h;
  const auto before = stage_.view().show->tempo;
  latest_.put(SetPace{{}, {}, 1.5});
  now_ += LatestPerTarget::kPeriod;
  stage_.obey(take());
  const auto& tempo = stage_.view().show->tempo;
  const auto later = tempo.since + 1s;
  EXPECT_NEAR(show::moment_at(tempo, later).beats, show::moment_at(before, later).beats + 1.5,
              1e-6);
}

TEST_F(LatestPerTargetTest, SetsTempoAndBeatAsOneEdit) {
  stage_.view().clock_offset = 1h;
  const auto before = stage_.view().show->tempo;
  latest_.put(SetPace{240.0, {}, 0.25});
  const auto orders = take();
  ASSERT_EQ(orders.size(), 1U);
  stage_.obey(orders);
  const auto& tempo = stage_.view().show->tempo;
  EXPECT_EQ(tempo.beats_per_minute, 240);
  // From now on, as if the new tempo held already.
  const auto now = std::chrono::nanoseconds(now_.time_since_epoch() + 1h);
  const auto passed = std::chrono::duration<double>(tempo.since - now).count() * 240 / 60;
  EXPECT_NEAR(tempo.beats, show::moment_at(before, now).beats + 0.25 + passed, 1e-6);
}

TEST_F(LatestPerTargetTest, KeepsATempoThatIsNotSeenYetWhenTheSpeedIsSet) {
  latest_.put(SetPace{240.0, {}});
  const auto first = take();
  latest_.put(SetPace{{}, 0.5});
  now_ += LatestPerTarget::kPeriod;
  const auto second = take();
  stage_.obey(first);
  stage_.obey(second);
  EXPECT_EQ(stage_.view().show->tempo.beats_per_minute, 240);
  EXPECT_EQ(stage_.view().show->tempo.master_speed, 0.5);
}

TEST_F(LatestPerTargetTest, TurnsAKnobWithAllThatItMoves) {
  auto show = *stage_.view().show;
  show.knobs = {{"heat", 0, {{{"left", "glow"}, "Blur", 1, 0}, {{"left", "clip"}, "speed", 0, 2}}}};
  stage_.view().show = std::make_shared<const show::Show>(std::move(show));
  put("knob heat", 0.25);
  const auto orders = take();
  ASSERT_EQ(orders.size(), 1U);
  EXPECT_FALSE(std::get<session::EditShow>(orders[0]).is_undoable);
  stage_.obey(orders);
  EXPECT_DOUBLE_EQ(stage_.blur(), 0.75);
  EXPECT_EQ(stage_.view().show->knobs[0].value, 0.25);
}

TEST_F(LatestPerTargetTest, DoesTheNextCue) {
  auto show = *stage_.view().show;
  show.cues.resize(2);
  show.cues[0].name = "one";
  show.cues[1].name = "two";
  show.cues[0].changes = {show::CueBypass{{"left", "glow"}, true}};
  stage_.view().show = std::make_shared<const show::Show>(std::move(show));
  latest_.put(Go{});
  stage_.obey(take());
  EXPECT_TRUE(stage_.view().show->find_slot({"left", "glow"})->is_bypassed);
  EXPECT_EQ(model::next_cue(*stage_.view().show)->name, "two");
}

TEST_F(LatestPerTargetTest, DropsAPartOfWhatIsGone) {
  put("left.glow.tint[0]", 0.25);
  stage_.view().show = nullptr;
  EXPECT_TRUE(take().empty());
}

// Presets, outputs and recorders.

TEST_F(LatestPerTargetTest, AppliesPresets) {
  auto show = *stage_.view().show;
  show.presets = {{"soft", {"left", "glow"}, {{"Blur", 0.875}}, {}}};
  stage_.view().show = std::make_shared<const show::Show>(show);
  put("preset soft", 1);
  stage_.obey(take());
  EXPECT_DOUBLE_EQ(stage_.blur(), 0.875);
}

TEST_F(LatestPerTargetTest, CoversTheScreensOfAllOutputs) {
  const show::Port window{"mix", "screen"};
  put("fullscreen", 1);
  stage_.obey(take());
  EXPECT_EQ(stage_.view().show->find_slot(window)->parameters.at("fullscreen"),
            show::ParameterValue(true));
  EXPECT_TRUE(latest_.is_empty());
}

TEST_F(LatestPerTargetTest, RecordsTheMix) {
  auto show = *stage_.view().show;
  show.find_submix("mix")->slots.push_back(
      model::sample::slot("film", "record", {{"recording", false}}));
  stage_.view().show = std::make_shared<const show::Show>(show);
  put("record", 1);
  stage_.obey(take());
  EXPECT_TRUE(model::is_recording(*stage_.view().show));
  now_ += LatestPerTarget::kPeriod;
  put("record", 0);
  stage_.obey(take());
  EXPECT_FALSE(model::is_recording(*stage_.view().show));
}

TEST_F(LatestPerTargetTest, DoesNothingForPerformersWithoutAShow) {
  for (const Order& order : {Order(Go{}), Order(ApplyPreset{"soft"}), Order(SetFullScreen{true}),
                             Order(SetRecording{true}), Order(TurnKnob{"heat", 1})})
    latest_.put(order);
  latest_.put(session::SetBlack{true});
  stage_.view().show = nullptr;
  const auto orders = take();
  ASSERT_EQ(orders.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<session::SetBlack>(orders[0]));
}

}  // namespace
}  // namespace submix::input
