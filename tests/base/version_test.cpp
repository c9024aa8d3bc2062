// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/version.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix {
namespace {

using ::testing::HasSubstr;

bool may_work_together(std::string_view one, std::string_view other) {
  const bool there =
      version_gap({"left", std::string(one)}, {"right", std::string(other)}).has_value();
  const bool back =
      version_gap({"right", std::string(other)}, {"left", std::string(one)}).has_value();
  EXPECT_EQ(there, back) << one << " and " << other;
  return !there;
}

TEST(VersionGap, IsNoneBetweenNeighbours) {
  EXPECT_TRUE(may_work_together("0.2.0", "0.2.0"));
  EXPECT_TRUE(may_work_together("0.2.0", "0.2.17"));
  EXPECT_TRUE(may_work_together("0.2.0", "0.1.9"));
  EXPECT_TRUE(may_work_together("1.9.0", "1.10.0"));
  EXPECT_TRUE(may_work_together("0.2.0", "0.3.0-rc1"));
}

TEST(VersionGap, IsThereBetweenAllOthers) {
  EXPECT_FALSE(may_work_together("0.2.0", "0.4.0"));
  EXPECT_FALSE(may_work_together("0.1.0", "0.10.0"));
  EXPECT_FALSE(may_work_together("0.2.0", "1.2.0"));
  EXPECT_FALSE(may_work_together("0.0.0", "4294967295.4294967295.0"));
}

TEST(VersionGap, IsNotJudgedByATextThatIsNoVersion) {
  for (const auto* text : {"", "0", "v9.9", "9", "9.", ".9.9", "99999999999.9", "9.-9", "nine"})
    EXPECT_TRUE(may_work_together("0.2.0", text)) << text;
}

TEST(VersionGap, NamesBothAndTheOlderOneForTheUpdate) {
  const auto gap = version_gap({"node left", "0.2.0"}, {"desk rack2", "0.9.1"});
  ASSERT_TRUE(gap);
  EXPECT_THAT(*gap, HasSubstr("node left has Submix 0.2.0 and desk rack2 has 0.9.1"));
  EXPECT_THAT(*gap, HasSubstr("update node left"));
  EXPECT_THAT(version_gap({"node left", "0.2.0"}, {"desk rack2", "0.0.1"}).value_or(""),
              HasSubstr("update desk rack2"));
}

TEST(VersionGap, IsNoneToItself) {
  EXPECT_FALSE(version_gap({"left"}, {"right"}));
  EXPECT_TRUE(version_gap({"left"}, {"right", "999.0.0"})) << "this build's version is no version";
}

}  // namespace
}  // namespace submix
