// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/fallback.hpp"

#include "node/plugin/built_ins.hpp"
#include "tests/agent/slot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace submix::agent {
namespace {

using ::testing::HasSubstr;

class FallbackTest : public ::testing::Test {
 protected:
  FallbackTest() { plugin::add_built_ins(catalog_); }

  /// Slots whose plugin is "bad" are at fault.
  static engine::SlotFaults faults_of(const show::Submix& submix) {
    engine::SlotFaults faults;
    for (const auto& each : submix.slots) {
      if (each.plugin == "bad")
        faults.push_back(engine::fault_of(submix.name, each.name, "is bad"));
    }
    return faults;
  }
  [[nodiscard]] std::optional<Fallback> find(const show::Submix& wanted,
                                             const show::Submix* good) const {
    return find_fallback(wanted, good, catalog_, faults_of);
  }

  plugin::Catalog catalog_{{}};
  show::Submix wanted_{"a", "", {slot("p", "pattern"), slot("s", "stamp"), slot("n", "null")}};
};

TEST_F(FallbackTest, IsNoneForASubmixWithoutAFault) {
  EXPECT_FALSE(find(wanted_, nullptr));
}

TEST_F(FallbackTest, HasTheSlotAsItRanBefore) {
  const auto good = wanted_;
  wanted_.slots[1].plugin = "bad";
  const auto fallback = find(wanted_, &good);
  ASSERT_TRUE(fallback);
  EXPECT_EQ(fallback->submix, good);
  EXPECT_THAT(fallback->error, HasSubstr("slot \"s\": is bad; the slot goes on as it was before"));
}

TEST_F(FallbackTest, PassesTheInputOnWhereNothingRanBefore) {
  wanted_.slots[1].plugin = "bad";
  wanted_.slots[1].inputs = std::vector<std::string>{"p", "n@1"};
  const auto fallback = find(wanted_, nullptr);
  ASSERT_TRUE(fallback);
  EXPECT_EQ(fallback->submix.slots[1].plugin, plugin::kStandInFilter);
  EXPECT_EQ(fallback->submix.slots[1].inputs, std::vector<std::string>{"p"});
}

TEST_F(FallbackTest, IsBlackInPlaceOfASource) {
  wanted_.slots[0].plugin = "bad";
  const auto fallback = find(wanted_, nullptr);
  ASSERT_TRUE(fallback);
  EXPECT_EQ(fallback->submix.slots[0].plugin, plugin::kStandInSource);
  EXPECT_THAT(fallback->error, HasSubstr("black stands in for it"));
}

TEST_F(FallbackTest, StandsInForASlotThatIsBadAsItRanBefore) {
  wanted_.slots[1].plugin = "bad";
  const auto good = wanted_;
  const auto fallback = find(wanted_, &good);
  ASSERT_TRUE(fallback);
  EXPECT_EQ(fallback->submix.slots[1].plugin, plugin::kStandInFilter);
}

TEST_F(FallbackTest, IsNoneForAFaultOfTheWholeSubmix) {
  const auto circle = [](const show::Submix&) { return engine::SlotFaults{{"", "a circle"}}; };
  EXPECT_FALSE(find_fallback(wanted_, nullptr, catalog_, circle));
}

}  // namespace
}  // namespace submix::agent
