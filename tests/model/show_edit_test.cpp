// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/show_edit.hpp"

#include "tests/model/readings.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

const show::Port kGlow{"left", "glow"};

TEST(ShowEdit, RoundTripsThroughItsInverse) {
  const auto original = sample::show();
  const std::vector<Edit> edits{AssignSubmix{"left", "rack2"},
                                SetParameter{kGlow, "Blur", 0.9},
                                SetParameter{kGlow, "Blur", std::nullopt},
                                SetParameter{kGlow, "New", true},
                                SetBypass{kGlow, true},
                                SetLinks{"left", 3},
                                SetLinks{"left", 1, {{"10.0.0.1", "10.0.0.2"}}},
                                SetPolicy{"left", show::InputPolicy::latest},
                                SetPolicy{"left", show::InputPolicy::hold, std::chrono::milliseconds(40)}};
  for (const auto& edit : edits) {
    auto show = original;
    const auto inverse = present(show, edit);
    ASSERT_TRUE(inverse) << title(edit);
    ASSERT_TRUE(apply(show, edit));
    EXPECT_FALSE(show == original) << title(edit);
    ASSERT_TRUE(apply(show, *inverse));
    EXPECT_TRUE(show == original) << title(edit);
  }
}

TEST(ShowEdit, RefusesWhatTheShowDoesNotHave) {
  auto show = sample::show();
  EXPECT_FALSE(apply(show, AssignSubmix{"nobody", "rack1"}));
  EXPECT_FALSE(apply(show, SetBypass{{"left", "nothing"}, true}));
  EXPECT_FALSE(apply(show, SetLinks{"nobody", 2}));
  EXPECT_FALSE(present(show, SetLinks{"nobody", 2}));
  EXPECT_FALSE(apply(show, SetPolicy{"nobody"}));
  EXPECT_FALSE(present(show, SetPolicy{"nobody"}));
  EXPECT_FALSE(present(show, SetParameter{{"nobody", "glow"}, "Blur", 1.0}));
  EXPECT_EQ(show, sample::show());
}

TEST(ShowEdit, TellsTargetsApart) {
  EXPECT_TRUE(is_same_target(SetParameter{kGlow, "Blur", 0.1}, SetParameter{kGlow, "Blur", 0.2}));
  EXPECT_FALSE(is_same_target(SetParameter{kGlow, "Blur", 0.1}, SetParameter{kGlow, "Size", 0.1}));
  EXPECT_TRUE(is_same_target(SetLinks{"left", 2}, SetLinks{"left", 3}));
  EXPECT_FALSE(is_same_target(SetLinks{"left", 2}, AssignSubmix{"left", ""}));
  EXPECT_FALSE(is_same_target(SetLinks{"left", 2}, SetPolicy{"left"}));
  EXPECT_FALSE(is_same_target(SetBypass{kGlow, true}, AssignSubmix{"left", "glow"}));
}

TEST(ShowEdit, HasATitleForPeople) {
  EXPECT_EQ(title(AssignSubmix{"left", "rack2"}), "run left on rack2");
  EXPECT_EQ(title(AssignSubmix{"left", ""}), "run left nowhere");
  EXPECT_EQ(title(SetParameter{kGlow, "Blur", 0.25}), "left.glow: Blur 0.25");
  EXPECT_EQ(title(SetBypass{kGlow, true}), "left.glow: bypass on");
  EXPECT_EQ(title(SetLinks{"left", 3}), "left: 3 links");
  EXPECT_EQ(title(SetLinks{"left", 1}), "left: 1 link");
  EXPECT_EQ(title(SetPolicy{"left", show::InputPolicy::latest}), "left: policy latest");
  EXPECT_EQ(title(SetPolicy{"left", show::InputPolicy::wait, std::chrono::milliseconds(40)}),
            "left: policy wait, pause budget 40 ms");
}

}  // namespace
}  // namespace submix::model
