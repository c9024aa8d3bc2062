// SPDX-License-Identifier: GPL-3.0-or-later
// From a slot's state and a change to its tuning, without threads.
#include "node/engine/patch_tuning.hpp"

#include "tests/support/event_log.hpp"
#include "tests/support/manual_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class PatchTuning : public ::testing::Test {
 protected:
  PatchTuning() {
    description_.id = "filter";
    description_.kind = plugin::Kind::filter;
    for (const auto* name : {"level", "gain"}) {
      plugin::ParameterDescription parameter{.name = name};
      parameter.initial = 0.5;
      parameter.maximum = 10.0;
      description_.parameters.push_back(std::move(parameter));
    }
    slot_.name = "m";
    slot_.plugin = "filter";
    slot_.parameters = {{"level", 2.0}};
  }

  [[nodiscard]] RunningSlot running(std::shared_ptr<const Modulation> modulation = nullptr) const {
    return {.stated = &slot_, .description = &description_, .modulation = std::move(modulation)};
  }
  [[nodiscard]] std::shared_ptr<const Modulation> moved(const show::Slot& slot) const {
    return make_modulation(slot, description_, context_).value();
  }
  [[nodiscard]] static show::SlotChange change(
      std::map<std::string, std::optional<show::ParameterValue>, std::less<>> parameters) {
    return {{"left", "m"}, std::move(parameters), {}, {}};
  }

  testing::EventLog events_;
  testing::ManualClock clock_;
  Transport transport_;
  Credits credits_{1, true};
  Governor governor_{std::nullopt, transport_, clock_};
  Holders holders_;
  FlightTimes flights_;
  ShowCount count_{{30, 1}};
  StageContext context_{.submix = "left",
                        .rate = {30, 1},
                        .epoch = 1,
                        .credits = credits_,
                        .governor = governor_,
                        .events = events_,
                        .clock = clock_,
                        .holders = holders_,
                        .flights = flights_,
                        .count = count_};
  plugin::Description description_;
  show::Slot slot_;
};

TEST_F(PatchTuning, AChangedValueIsClampedAndNotedAsStated) {
  const auto slot = tuning_by_change(running(), change({{"level", 20.0}}), context_);
  EXPECT_THAT(slot.errors, IsEmpty());
  EXPECT_THAT(slot.tuning.values, ElementsAre(Pair("level", show::ParameterValue(10.0))));
  EXPECT_EQ(slot.after.parameters.at("level"), show::ParameterValue(20.0));
  EXPECT_FALSE(slot.tuning.is_moved);
}

TEST_F(PatchTuning, AnEmptyValueGivesThePluginsInitialValue) {
  const auto slot = tuning_by_change(running(), change({{"level", std::nullopt}}), context_);
  EXPECT_THAT(slot.tuning.values, ElementsAre(Pair("level", show::ParameterValue(0.5))));
  EXPECT_THAT(slot.after.parameters, IsEmpty());
}

TEST_F(PatchTuning, AWrongValueIsLeftOutAndTheOthersHold) {
  const auto slot = tuning_by_change(running(), change({{"colour", 1.0}, {"gain", 3.0}}), context_);
  ASSERT_EQ(slot.errors.size(), 1U);
  EXPECT_THAT(slot.errors.front(), HasSubstr("submix \"left\", slot \"m\""));
  EXPECT_THAT(slot.tuning.values, ElementsAre(Pair("gain", show::ParameterValue(3.0))));
  EXPECT_FALSE(slot.after.parameters.contains("colour"));
}

TEST_F(PatchTuning, AStatedValueOfAMovingParameterIsNotToldButNoted) {
  slot_.oscillators = {{"level", show::Oscillator{}}};
  const auto slot = tuning_by_change(running(moved(slot_)), change({{"level", 7.0}}), context_);
  EXPECT_THAT(slot.tuning.values, IsEmpty());
  EXPECT_EQ(slot.after.parameters.at("level"), show::ParameterValue(7.0));
}

TEST_F(PatchTuning, AParameterThatStopsMovingSettlesAtItsStatedValue) {
  slot_.oscillators = {{"gain", show::Oscillator{}}, {"level", show::Oscillator{}}};
  auto without = change({});
  without.oscillators = show::Oscillators();
  const auto slot = tuning_by_change(running(moved(slot_)), without, context_);
  EXPECT_TRUE(slot.tuning.is_moved);
  EXPECT_EQ(slot.tuning.modulation, nullptr);
  EXPECT_THAT(slot.tuning.settled, ElementsAre(Pair("gain", show::ParameterValue(0.5)),
                                               Pair("level", show::ParameterValue(2.0))));
  EXPECT_THAT(slot.after.oscillators, IsEmpty());
}

TEST_F(PatchTuning, AnOscillatorThatDoesNotFitLeavesTheFormerOnesAndTheValues) {
  auto wrong = change({{"level", 4.0}});
  wrong.oscillators = show::Oscillators{{"colour", show::Oscillator{}}};
  const auto slot = tuning_by_change(running(), wrong, context_);
  EXPECT_EQ(slot.errors.size(), 1U);
  EXPECT_THAT(slot.tuning.values, ElementsAre(Pair("level", show::ParameterValue(4.0))));
  EXPECT_FALSE(slot.tuning.is_moved);
  EXPECT_THAT(slot.after.oscillators, IsEmpty());
  EXPECT_EQ(slot.after.parameters.at("level"), show::ParameterValue(4.0));
}

TEST_F(PatchTuning, AnEditTellsAKeptSlotOnlyWhatDiffers) {
  auto after = slot_;
  after.parameters = {{"gain", 3.0}};
  const auto tuning = tuning_by_edit(running(), after, description_, context_);
  ASSERT_TRUE(tuning);
  EXPECT_THAT(tuning->values, ElementsAre(Pair("gain", show::ParameterValue(3.0)),
                                          Pair("level", show::ParameterValue(0.5))));
  EXPECT_TRUE(tuning_by_edit(running(), slot_, description_, context_)->values.empty());
}

TEST_F(PatchTuning, AnEditTellsANewSlotNothing) {
  const auto tuning = tuning_by_edit({}, slot_, description_, context_);
  ASSERT_TRUE(tuning);
  EXPECT_THAT(tuning->values, IsEmpty());
  EXPECT_THAT(tuning->settled, IsEmpty());
}

TEST_F(PatchTuning, AModulationThatStaysIsNotToldAgain) {
  slot_.oscillators = {{"level", show::Oscillator{}}};
  const auto present = moved(slot_);
  const auto tuning = tuning_by_edit(running(present), slot_, description_, context_);
  ASSERT_TRUE(tuning);
  const auto begun = modulation_from(*tuning, nullptr, {});
  ASSERT_TRUE(begun);
  EXPECT_FALSE(modulation_from(*tuning, begun->modulation, {}));
  EXPECT_FALSE(modulation_from(Tuning(), present, {}));
}

}  // namespace
}  // namespace submix::engine
