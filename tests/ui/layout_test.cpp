// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/layout.hpp"

#include <gtest/gtest.h>

namespace submix::ui {
namespace {

constexpr Size kLaptop{1024, 600};
constexpr Size kLarge{3840, 2160};

TEST(FittingScale, IsTheUsualOneWhereAllColumnsFit) {
  EXPECT_EQ(fitting_scale(1, kLarge), 1);
  EXPECT_EQ(fitting_scale(1, kLayoutSize), 1);
}

TEST(FittingScale, IsSmallerInASmallWindowThatNobodyWantsLarger) {
  EXPECT_LT(fitting_scale(1, kLaptop), 0.84F);
  EXPECT_GE(fitting_scale(1, kLaptop), kScaleMin);
}

TEST(FittingScale, IsWhatIsWantedAboveTheUsualOneInAnyWindow) {
  for (const auto window : {kLaptop, kLarge})
    EXPECT_EQ(fitting_scale(kScaleMax, window), kScaleMax);
}

}  // namespace
}  // namespace submix::ui
