// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::input {
namespace {

TEST(Target, IsTheSameAfterItWasText) {
  for (const Target& target :
       {Target(ParameterTarget{{"left", "glow"}, "Border width"}),
        Target(ParameterTarget{{"left", "glow"}, "inner.tint", 2}),
        Target(BypassTarget{{"left", "glow"}}), Target(AssignTarget{"left"}),
        Target(TransportTarget::pause), Target(TransportTarget::step),
        Target(TransportTarget::black), Target(TransportTarget::freeze),
        Target(TransportTarget::fullscreen), Target(TransportTarget::record),
        Target(PaceTarget::tempo), Target(PaceTarget::speed), Target(PaceTarget::tap),
        Target(KnobTarget{"heat"}), Target(CueTarget{}), Target(CueTarget{"finale"}),
        Target(PresetTarget{"warm"})}) {
    const auto parsed = parse_target(to_string(target));
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(*parsed, target) << to_string(target);
  }
}

TEST(Target, IsCalledAsInTheWindow) {
  EXPECT_EQ(words_of(TransportTarget::black), "BLACK-OUT");
  EXPECT_EQ(words_of(CueTarget{}), "GO");
  EXPECT_EQ(words_of(CueTarget{"finale"}), "go finale");
}

TEST(Target, KeepsABracketThatNamesNoPart) {
  EXPECT_EQ(parse_target("a.b.gain[x]"), Target(ParameterTarget{{"a", "b"}, "gain[x]"}));
}

TEST(Target, RefusesWhatIsNone) {
  for (const auto* text :
       {"", "left", "left.glow", "left.glow.", ".glow.x", "bypass left", "left.gl ow.x"})
    EXPECT_FALSE(parse_target(text)) << text;
  EXPECT_FALSE(parse_target("a.b." + std::string(5000, 'x')));
}

}  // namespace
}  // namespace submix::input
