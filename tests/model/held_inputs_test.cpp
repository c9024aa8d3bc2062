// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/held_inputs.hpp"

#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/verdict/verdict.hpp"
#include "tests/model/slow_show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace sample;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// Right is too slow, and the mix does not wait for it.
class HeldInputsTest : public SlowShow {
 protected:
  HeldInputsTest() {
    mix().fps = 30;
    stream().policy = show::InputPolicy::hold;
    stream().receiver.is_current = true;
    stream().receiver.detached = "its frames have come 500 ms late in all";
    stream().receiver.fps = 12.5;
  }
  StreamView& stream() { return view_.streams[1]; }
  [[nodiscard]] std::string only() const {
    const auto held = find_held_inputs(view_);
    EXPECT_EQ(held.size(), 1U);
    return held.empty() ? std::string() : held.front().sentence;
  }
};

TEST_F(HeldInputsTest, SaysHowMuchOfTheShowsRateComes) {
  EXPECT_EQ(only(), "right is held: node \"right\" sends 12.5 of 30 fps");
  const auto held = find_held_inputs(view_).front();
  EXPECT_EQ(held.stream, "right");
  EXPECT_EQ(held.node, "right");
  EXPECT_EQ(held.fps, 12.5);
}

TEST_F(HeldInputsTest, NamesTheSlotThatIsSlow) {
  let_slot_be_slow();
  EXPECT_THAT(
      only(),
      StartsWith("right is held: node \"right\" sends 12.5 of 30 fps: slot \"right.waves\""));
}

TEST_F(HeldInputsTest, NamesTheLinkThatIsSlow) {
  let_links_be_full();
  EXPECT_THAT(only(), HasSubstr("12.5 of 30 fps: stream \"right\" carries"));
}

TEST_F(HeldInputsTest, NamesTheNodeThatIsGone) {
  view_.nodes[1].health = Health::gone;
  EXPECT_THAT(
      only(),
      StartsWith("right is held: node \"right\", which is to run submix \"right\": silent"));
}

TEST_F(HeldInputsTest, SaysThatNoLinkIsOpen) {
  for (auto& link : links())
    link.state = telemetry::LinkState::connecting;
  EXPECT_EQ(only(), "right is held: none of its links is open");
}

TEST_F(HeldInputsTest, SaysWhatStandsInForOneThatIsGone) {
  stream().receiver.fps = 0;
  EXPECT_EQ(only(), "right is held: node \"right\" sends no frame");
  stream().policy = show::InputPolicy::black;
  EXPECT_THAT(only(), StartsWith("right is black: "));
  stream().policy = show::InputPolicy::standby;
  EXPECT_THAT(only(), StartsWith("right shows its stand-by picture: "));
  stream().receiver.fps = 5;
  EXPECT_THAT(only(), StartsWith("right is held: ")) << "between its frames";
}

TEST_F(HeldInputsTest, AreToldOnlyWhileTheyAreTrue) {
  view_.transport.is_paused = true;
  EXPECT_THAT(find_held_inputs(view_), IsEmpty());
  view_.transport.is_paused = false;
  stream().receiver.is_current = false;
  EXPECT_THAT(find_held_inputs(view_), IsEmpty());
  stream().receiver.is_current = true;
  stream().receiver.detached.clear();
  EXPECT_THAT(find_held_inputs(view_), IsEmpty());
}

TEST(HeldInputs, OfNodesThatAreGoneAreNotCalledSlow) {
  Bottleneck found;
  found.kind = Bottleneck::Kind::nothing;
  for (const auto* node : {"rack1", "rack2"}) {
    HeldInput held;
    held.node = node;
    held.is_away = true;
    found.held.push_back(held);
  }
  EXPECT_EQ(headline_of(found), "2 performers are gone; their inputs go on without");
}

TEST_F(HeldInputsTest, AreInTheVerdictOfAShowThatKeepsItsRate) {
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Bottleneck::Kind::nothing);
  EXPECT_EQ(found.sentence,
            "nothing holds the show back: mix shows 30.0 of 30 fps; but right is held: node "
            "\"right\" sends 12.5 of 30 fps");
  EXPECT_EQ(headline_of(found), "right cannot keep up");
}

TEST_F(HeldInputsTest, GetTheRemedyThatTheirPerformerNeeds) {
  EXPECT_FALSE(remedy_of(view_, find_bottleneck(view_)));
  let_links_be_full();
  links()[0].warning = "100 of 1000 Mbit/s";
  const auto remedy = remedy_of(view_, find_bottleneck(view_));
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->text, "link 0 says: 100 of 1000 Mbit/s");
}

/// A missing node whose `count` submixes send a stream each.
class AbsentNodeTest : public HeldInputsTest {
 protected:
  void lose_performers(int count) {
    view_.nodes[1].health = Health::gone;
    view_.nodes[1].host = "rack1";
    for (int i = 1; i < count; ++i) {
      auto performer = view_.submixes[1];
      performer.name = fmt::format("right-{}", i);
      auto its_stream = stream();
      its_stream.name = its_stream.from.submix = performer.name;
      its_stream.to.slot = performer.name;
      view_.submixes.push_back(performer);
      view_.streams.push_back(its_stream);
    }
    for (auto& each : view_.streams) {
      if (each.name.starts_with("right")) each.receiver.fps = 0;
    }
  }
  [[nodiscard]] std::vector<std::string> lines() const {
    return lines_of(view_, find_held_inputs(view_));
  }
};

TEST_F(AbsentNodeTest, IsToldOnceForEightStreams) {
  lose_performers(8);
  EXPECT_THAT(
      lines(),
      ElementsAre("right, right-1, right-2 and 5 more are held: node \"right\", which is to run "
                  "submixes \"right\", \"right-1\", \"right-2\" and 5 more: silent for 0.0 s; if "
                  "it does not run, start it on rack1: submix-node --name right"));
  const auto sentence = find_bottleneck(view_).sentence;
  EXPECT_EQ(sentence.find("submix-node --name"), sentence.rfind("submix-node --name")) << sentence;
  EXPECT_EQ(find_held_inputs(view_).size(), 8U) << "each is known";
}

TEST_F(AbsentNodeTest, IsToldWithAllThatStandsInForIt) {
  lose_performers(3);
  view_.streams[1].policy = show::InputPolicy::black;
  for (const auto& line : lines())
    EXPECT_THAT(line, StartsWith("right is black, right-1 and right-2 are held: node \"right\""));
  EXPECT_EQ(lines().size(), 1U);
}

TEST_F(AbsentNodeTest, IsToldBesideAnInputThatIsSlow) {
  lose_performers(2);
  auto& left = view_.streams[0];
  left.policy = show::InputPolicy::hold;
  left.receiver = view_.streams[1].receiver;
  left.receiver.fps = 12.5;
  EXPECT_THAT(lines(), ElementsAre(StartsWith("left is held: node \"left\" sends 12.5 of 30 fps"),
                                   StartsWith("right and right-1 are held: ")));
}

TEST_F(AbsentNodeTest, IsTheHeadline) {
  lose_performers(8);
  EXPECT_EQ(headline_of(find_bottleneck(view_)), "right is gone; 8 inputs go on without");
}

TEST_F(HeldInputsTest, AreInTheVerdictBesideWhatLimitsTheOthers) {
  mix().fps = 20;
  mix().stages[3].shares = kBusy;
  EXPECT_THAT(find_bottleneck(view_).sentence,
              HasSubstr("; mix shows 20.0 of 30 fps; and right is held: "));
  EXPECT_EQ(find_bottleneck(view_).held.size(), 1U);
}

}  // namespace
}  // namespace submix::model
