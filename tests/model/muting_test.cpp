// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/muting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <variant>

namespace submix::model {
namespace {

using ::testing::IsEmpty;

/// A base without a fader, and three layers above.
class MutingTest : public ::testing::Test {
 protected:
  MutingTest() {
    layers_.push_back({"base", "base"});
    add("low", 0.25);
    add("middle", 0.5);
    add("top", 1);
  }
  void add(const std::string& name, double level) {
    layers_.push_back({name, name, LayerFader{{"mix", "over"}, name, level}});
  }
  /// Does the edit, and returns the faders that it moves.
  std::map<std::string, double> make(const Edit& edit) {
    std::map<std::string, double> moved;
    for (const auto& each : std::get<EditGroup>(edit).edits) {
      const auto& set = std::get<SetParameter>(each);
      moved[set.name] = std::get<double>(*set.value);
    }
    for (auto& layer : layers_) {
      if (moved.contains(layer.stream)) layer.fader->value = moved[layer.stream];
    }
    muting_.follow(layers_);
    return moved;
  }
  [[nodiscard]] Layer& layer(const std::string& name) {
    return *std::ranges::find(layers_, name, &Layer::stream);
  }
  using Moved = std::map<std::string, double>;

  std::vector<Layer> layers_;
  Muting muting_;
};

TEST_F(MutingTest, ALayerComesBackToWhereItsFaderWas) {
  EXPECT_EQ(make(muting_.toggle_mute(layers_, "low")), (Moved{{"low", 0}}));
  EXPECT_TRUE(muting_.is_muted(layer("low")));
  EXPECT_EQ(make(muting_.toggle_mute(layers_, "low")), (Moved{{"low", 0.25}}));
  EXPECT_FALSE(muting_.is_muted(layer("low")));
}

TEST_F(MutingTest, AFaderThatWasPulledDownByHandComesUpFully) {
  layer("low").fader->value = 0;
  EXPECT_FALSE(muting_.is_muted(layer("low")));
  EXPECT_EQ(make(muting_.toggle_mute(layers_, "low")), (Moved{{"low", 1}}));
}

TEST_F(MutingTest, AMutedLayerThatIsPushedUpByHandIsMutedNoMore) {
  make(muting_.toggle_mute(layers_, "low"));
  layer("low").fader->value = 0.75;
  EXPECT_FALSE(muting_.is_muted(layer("low")));
  make(muting_.toggle_mute(layers_, "low"));
  EXPECT_EQ(make(muting_.toggle_mute(layers_, "low")), (Moved{{"low", 0.75}}));
}

// After an undo it came up fully.
TEST_F(MutingTest, ALayerComesBackToItsLevelAfterAnUndoToo) {
  const auto go_back_to = [&](double level) {
    layer("low").fader->value = level;
    muting_.follow(layers_);
  };
  make(muting_.toggle_mute(layers_, "low"));
  make(muting_.toggle_mute(layers_, "low"));
  go_back_to(0);
  EXPECT_TRUE(muting_.is_muted(layer("low")));
  EXPECT_EQ(make(muting_.toggle_mute(layers_, "low")), (Moved{{"low", 0.25}}));
  make(muting_.toggle_solo(layers_, "top"));
  go_back_to(0.25);
  go_back_to(0);
  EXPECT_EQ(make(muting_.toggle_mute(layers_, "low")), (Moved{{"low", 0.25}}));
  go_back_to(0.75);
  go_back_to(0);
  EXPECT_EQ(make(muting_.toggle_mute(layers_, "low")), (Moved{{"low", 1}})) << "by hand";
}

TEST_F(MutingTest, WhatHasNoFaderCannotBeTakenOut) {
  EXPECT_THAT(make(muting_.toggle_mute(layers_, "base")), IsEmpty());
  EXPECT_THAT(make(muting_.toggle_mute(layers_, "nobody")), IsEmpty());
}

TEST_F(MutingTest, ASoloTakesTheOthersOutAndBringsThemBack) {
  make(muting_.toggle_mute(layers_, "top"));
  EXPECT_EQ(make(muting_.toggle_solo(layers_, "low")), (Moved{{"middle", 0}}));
  EXPECT_TRUE(muting_.is_solo(layers_, "low"));
  EXPECT_FALSE(muting_.is_solo(layers_, "middle"));
  EXPECT_EQ(make(muting_.toggle_solo(layers_, "low")), (Moved{{"middle", 0.5}}))
      << "the layer that was muted before stays out";
  EXPECT_FALSE(muting_.is_solo(layers_, "low"));
}

TEST_F(MutingTest, TheBaseAloneIsSeenByItsSolo) {
  EXPECT_EQ(make(muting_.toggle_solo(layers_, "base")),
            (Moved{{"low", 0}, {"middle", 0}, {"top", 0}}));
  EXPECT_EQ(make(muting_.toggle_solo(layers_, "base")),
            (Moved{{"low", 0.25}, {"middle", 0.5}, {"top", 1}}));
}

TEST_F(MutingTest, ASoloBringsItsOwnLayerInAndEndsTheFormerSolo) {
  make(muting_.toggle_solo(layers_, "low"));
  EXPECT_EQ(make(muting_.toggle_solo(layers_, "top")), (Moved{{"low", 0}, {"top", 1}}));
  EXPECT_TRUE(muting_.is_solo(layers_, "top"));
  EXPECT_EQ(make(muting_.toggle_solo(layers_, "top")), (Moved{{"low", 0.25}, {"middle", 0.5}}));
}

TEST_F(MutingTest, ALayerThatWasPushedUpAndPulledDownByHandIsNotMuted) {
  make(muting_.toggle_mute(layers_, "low"));
  layer("low").fader->value = 0.75;
  muting_.follow(layers_);
  layer("low").fader->value = 0;
  muting_.follow(layers_);
  EXPECT_FALSE(muting_.is_muted(layer("low")));
}

TEST_F(MutingTest, RemembersALayerUntilTheShowHasTheEdit) {
  const auto edit = muting_.toggle_mute(layers_, "low");
  muting_.follow(layers_);
  make(edit);
  EXPECT_EQ(make(muting_.toggle_mute(layers_, "low")), (Moved{{"low", 0.25}}));
}

TEST_F(MutingTest, ALayerThatIsMutedDuringASoloStaysMutedAfterIt) {
  make(muting_.toggle_solo(layers_, "low"));
  make(muting_.toggle_mute(layers_, "middle"));
  make(muting_.toggle_mute(layers_, "middle"));
  EXPECT_EQ(make(muting_.toggle_solo(layers_, "low")), (Moved{{"top", 1}}));
  EXPECT_TRUE(muting_.is_muted(layer("middle")));
}

TEST_F(MutingTest, AMutedLayerIsMutedAgainAfterItsSolo) {
  make(muting_.toggle_mute(layers_, "low"));
  EXPECT_EQ(make(muting_.toggle_solo(layers_, "low")),
            (Moved{{"low", 0.25}, {"middle", 0}, {"top", 0}}));
  EXPECT_EQ(make(muting_.toggle_solo(layers_, "low")),
            (Moved{{"low", 0}, {"middle", 0.5}, {"top", 1}}));
  EXPECT_TRUE(muting_.is_muted(layer("low")));
}

TEST_F(MutingTest, ASoloIsSeenAlsoIfAllOthersAreOutAlready) {
  for (const auto* name : {"low", "middle"})
    make(muting_.toggle_mute(layers_, name));
  EXPECT_THAT(make(muting_.toggle_solo(layers_, "top")), IsEmpty());
  EXPECT_TRUE(muting_.is_solo(layers_, "top"));
  EXPECT_THAT(make(muting_.toggle_solo(layers_, "top")), IsEmpty());
  EXPECT_FALSE(muting_.is_solo(layers_, "top"));
}

TEST_F(MutingTest, ForgetsLayersThatAreGone) {
  make(muting_.toggle_solo(layers_, "low"));
  muting_.follow({});
  EXPECT_FALSE(muting_.is_solo(layers_, "low"));
  EXPECT_FALSE(muting_.is_muted(layer("middle")));
}

TEST_F(MutingTest, IsNoStructure) {
  EXPECT_FALSE(is_structural(muting_.toggle_mute(layers_, "low")));
  EXPECT_FALSE(is_structural(muting_.toggle_solo(layers_, "low")));
}

}  // namespace
}  // namespace submix::model
