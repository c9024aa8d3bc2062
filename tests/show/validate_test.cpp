// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/validate.hpp"

#include "common/show/circles.hpp"
#include "common/show/edit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace submix::show {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Slot slot(const std::string& name, const std::string& plugin) {
  return {name, plugin, {}, {}, false};
}

Show duo() {
  Show show;
  show.name = "duo";
  show.nodes = {{"a", ""}, {"b", ""}};
  show.submixes = {{"left", "a", {slot("clip", "clip"), slot("out", "stream-out")}},
                   {"mix", "b", {slot("in", "stream-in"), slot("end", "null")}}};
  show.streams = {Stream()};
  show.streams[0].name = "left";
  show.streams[0].from = {"left", "out"};
  show.streams[0].to = {"mix", "in"};
  return show;
}

std::string problems_in(const Show& show) {
  return to_string(validate(show));
}

TEST(Validate, FindsNothingWrongWithAGoodShow) {
  EXPECT_THAT(problems_in(duo()), IsEmpty());
}

TEST(Validate, HoldsSizeAndRateToTheirLimits) {
  for (const Size size :
       {Size{0, 720}, Size{100'000, 720}, Size{1280, 15}, Size{1280, 8193}, Size{-1, -1}}) {
    auto show = duo();
    show.size = size;
    EXPECT_THAT(problems_in(show), AllOf(HasSubstr("show: size ["), HasSubstr("is not within")));
  }
  for (const FrameRate rate : {FrameRate{0, 1}, FrameRate{241, 1}, FrameRate{30, 0},
                               FrameRate{1, 2}, FrameRate{4'000'000'000, 100'000'000}}) {
    auto show = duo();
    show.rate = rate;
    EXPECT_THAT(problems_in(show), HasSubstr("is not within 1 to 240 frames per second"));
  }
}

TEST(Validate, HoldsTheDelayToWhatAReceiverCanKeep) {
  for (const int frames : {-1, 1, 6}) {
    auto show = duo();
    show.delay_frames = frames;
    EXPECT_THAT(problems_in(show), HasSubstr("is not within 2 to 5 frames"));
  }
  for (const int frames : {0, 2, 5}) {
    auto show = duo();
    show.delay_frames = frames;
    EXPECT_THAT(problems_in(show), IsEmpty());
  }
}

TEST(Validate, LetsOnlyANodeOfTheShowListen) {
  auto show = duo();
  show.sound = {show.nodes[0].name, "hw:1,0"};
  EXPECT_THAT(problems_in(show), IsEmpty());
  show.sound.node = "nobody";
  EXPECT_THAT(problems_in(show), HasSubstr("sound: node \"nobody\" is not in the show"));
  show.sound = {"", "hw:1,0"};
  EXPECT_THAT(problems_in(show), HasSubstr("sound: node \"\" is not in the show"));
  show.sound = {show.nodes[0].name, "a\nb\x1b"};
  EXPECT_THAT(problems_in(show), HasSubstr("sound: \"a\\x0ab\\x1b\" is no sound input"));
}

TEST(Validate, RefusesNamesThatAreNotSafeInASubject) {
  for (const std::string name : {"", "a.b", "a b", "Left", "*", ">", "-a", "\xff", "é",
                                 "123456789012345678901234567890123"}) {
    auto show = duo();
    show.nodes[1].name = name;
    show.submixes[1].node = "";
    EXPECT_THAT(problems_in(show), HasSubstr("cannot be used; use 1 to 32 of")) << name;
  }
}

TEST(Validate, RefusesOneNameForTwo) {
  auto show = duo();
  show.nodes.push_back({"a", ""});
  show.submixes.push_back(show.submixes[0]);
  show.submixes[0].slots.push_back(slot("clip", "still"));
  show.streams.push_back(show.streams[0]);
  const auto problems = problems_in(show);
  EXPECT_THAT(problems, HasSubstr("node \"a\": the name \"a\" is taken"));
  EXPECT_THAT(problems, HasSubstr("submix \"left\": the name \"left\" is taken"));
  EXPECT_THAT(problems, HasSubstr("submix \"left\", slot \"clip\": the name \"clip\" is taken"));
  EXPECT_THAT(problems, HasSubstr("stream \"left\": the name \"left\" is taken"));
}

TEST(Validate, NamesUnknownReferencesAndTheNearestKnown) {
  auto show = duo();
  show.submixes[0].node = "aa";
  show.submixes[1].slots[1].inputs = {{"inn"}};
  show.streams[0].from = {"lfet", "out"};
  show.streams[0].to = {"mix", "im"};
  const auto problems = problems_in(show);
  EXPECT_THAT(problems, HasSubstr("node \"aa\" is not in the show (did you mean \"a\"?)"));
  EXPECT_THAT(problems,
              HasSubstr("input \"inn\" is not a slot of this submix (did you mean \"in\"?)"));
  EXPECT_THAT(problems, HasSubstr("submix \"lfet\" is not in the show (did you mean \"left\"?)"));
  EXPECT_THAT(problems, HasSubstr("submix \"mix\" has no slot \"im\" (did you mean \"in\"?)"));
}

TEST(Validate, TellsTheLimitsOfFramesInFlight) {
  auto show = duo();
  for (const int frames : {-1, 65}) {
    show.submixes[0].frames_in_flight = frames;
    EXPECT_THAT(problems_in(show), HasSubstr("submix \"left\": frames_in_flight = " +
                                             std::to_string(frames) + " is not within 1 to 64"));
  }
  show.submixes[0].frames_in_flight = 64;
  EXPECT_EQ(problems_in(show), "");
}

TEST(Validate, TakesACircleOnlyWithADelay) {
  auto show = duo();
  show.submixes[0].slots.push_back(slot("echo", "frei0r/blend"));
  show.submixes[0].slots.back().inputs = {{"clip", "echo"}};
  EXPECT_THAT(problems_in(show),
              HasSubstr("in a circle: echo -> echo; take one of these names out of \"inputs\", or "
                        "give it a delay in frames, as \"name@1\""));
  show.submixes[0].slots.back().inputs = {{"clip", "echo@1"}};
  EXPECT_EQ(problems_in(show), "");
  show.submixes[0].slots.back().inputs = {{"clip", "echo@500"}};
  EXPECT_THAT(
      problems_in(show),
      HasSubstr("slot \"echo\": input \"echo@500\": the delay \"500\" is not within 1 to 120"));
}

TEST(Validate, TellsTheLimitsOfHelpers) {
  auto show = duo();
  for (const int helpers : {0, -1, 9}) {
    show.submixes[0].slots[0].helpers = helpers;
    EXPECT_THAT(problems_in(show), HasSubstr("slot \"clip\": helpers = " + std::to_string(helpers) +
                                             " is not within 1 to 8"));
  }
  show.submixes[0].slots[0].helpers = 8;
  EXPECT_EQ(problems_in(show), "");
  show.submixes[0].slots[0].plugin = "submix/mix";
  EXPECT_THAT(problems_in(show),
              HasSubstr("slot \"clip\": a submix stands here; give helpers to slots of it"));
}

TEST(Validate, RefusesAnInputWiredTwice) {
  auto show = duo();
  show.streams.push_back(show.streams[0]);
  show.streams[1].name = "again";
  EXPECT_THAT(problems_in(show), HasSubstr("stream \"again\": \"mix.in\" is wired twice"));
}

TEST(Validate, TakesSeveralReceiversOfAnOutputUpToALimit) {
  auto show = duo();
  const auto add_receiver = [&](std::size_t number) {
    const auto name = "in-" + std::to_string(number);
    show.submixes[1].slots.push_back(slot(name, "stream-in"));
    show.streams.push_back({name, {"left", "out"}, {"mix", name}, {}, {}, {}, 2, {}});
  };
  while (show.streams.size() < kReceiversMax)
    add_receiver(show.streams.size());
  EXPECT_TRUE(validate(show).empty()) << problems_in(show);
  add_receiver(show.streams.size());
  EXPECT_THAT(problems_in(show),
              HasSubstr("stream \"in-16\": \"left.out\" has more than 16 receivers; let a "
                        "submix that receives it pass it on"));
}

TEST(Validate, RefusesStreamEndsThatAreNoPorts) {
  auto show = duo();
  show.streams[0].from.slot = "clip";
  show.streams[0].to.slot = "end";
  EXPECT_THAT(problems_in(show),
              AllOf(HasSubstr("\"left.clip\" is a \"clip\" slot"), HasSubstr("\"mix.end\" is a")));
}

TEST(Validate, FindsACircleWithinAPatch) {
  auto show = duo();
  show.submixes[0].slots[0].inputs = {{"out"}};
  show.submixes[0].slots[1].inputs = {{"clip"}};
  EXPECT_THAT(problems_in(show),
              HasSubstr("submix \"left\": slots feed each other in a circle: clip -> out -> clip"));
}

TEST(Validate, FindsACircleOfStreams) {
  auto show = duo();
  show.submixes[0].slots.push_back(slot("back", "stream-in"));
  show.submixes[1].slots.push_back(slot("out", "stream-out"));
  show.streams.push_back({"back", {"mix", "out"}, {"left", "back"}, {}, {}, {}, 2, {}});
  EXPECT_THAT(problems_in(show), HasSubstr("streams run in a circle: left -> mix -> left"));
}

TEST(Validate, HoldsLinksToTheirLimits) {
  for (const int links : {0, 9, -1}) {
    auto show = duo();
    show.streams[0].link_count = links;
    EXPECT_THAT(problems_in(show), HasSubstr("links are not within 1 to 8"));
  }
  auto show = duo();
  show.streams[0].routes = {{"10.0.0.1", "rack2"}};
  EXPECT_THAT(problems_in(show), HasSubstr("link address \"rack2\" is not an IP address"));
  show.streams[0].routes = {9, {"fd00::1", "10.0.0.1"}};
  EXPECT_THAT(problems_in(show), HasSubstr("9 links are not within"));
}

TEST(Validate, HoldsACongestionControlToTheKernelsNames) {
  for (const auto* name : {"cubic", "bbr2", "a-b_c", "fifteen-letters"}) {
    auto show = duo();
    show.streams[0].congestion = name;
    EXPECT_EQ(problems_in(show), "") << name;
  }
  for (const auto* name :
       {"", "Cubic", "cu bic", "sixteen-letters!", "sixteen-letters-", "../x", "\xff"}) {
    auto show = duo();
    show.streams[0].congestion = name;
    EXPECT_THAT(problems_in(show), HasSubstr("is no name of a TCP congestion control")) << name;
  }
}

TEST(Validate, RefusesValuesThatCannotBeKept) {
  const std::vector<ParameterValue> bad{
      std::numeric_limits<double>::quiet_NaN(),
      std::numeric_limits<double>::infinity(),
      std::string("\xff"),
      std::string("a\0b", 3),
      std::string(5000, 'x'),
      std::vector<double>(),
      std::vector<double>(17, 0.0),
      std::vector<double>{std::numeric_limits<double>::infinity()}};
  for (const auto& value : bad) {
    auto show = duo();
    ASSERT_TRUE(set_parameter(show, {"left", "clip"}, "speed", value));
    EXPECT_THAT(problems_in(show),
                HasSubstr("submix \"left\", slot \"clip\": parameter \"speed\": "));
  }
}

TEST(Validate, HoldsEveryListToItsLimit) {
  auto show = duo();
  show.nodes.resize(kNodesMax + 1);
  show.submixes.resize(kSubmixesMax + 1);
  show.submixes[0].slots.resize(kSlotsMax + 1);
  show.streams.resize(kStreamsMax + 1);
  const auto problems = problems_in(show);
  EXPECT_THAT(problems, AllOf(HasSubstr("65 [[node]]"), HasSubstr("65 [[submix]]"),
                              HasSubstr("65 slots"), HasSubstr("257 [[stream]]")));
}

TEST(FindCircle, FindsNoneInADiamond) {
  EXPECT_THAT(find_circle({{"a", {"b", "c"}}, {"b", {"d"}}, {"c", {"d"}}}), IsEmpty());
}

}  // namespace
}  // namespace submix::show
