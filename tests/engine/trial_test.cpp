// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/trial.hpp"

#include "tests/support/event_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::engine {
namespace {

using ::testing::HasSubstr;

show::Slot slot(std::string name, std::string plugin) {
  return {std::move(name), std::move(plugin), {}, {}, false};
}

class TrialTest : public ::testing::Test {
 protected:
  TrialTest() { plugin::add_built_ins(catalog_); }

  [[nodiscard]] Trial try_out(const show::Submix& submix,
                              const show::Submix* running = nullptr) const {
    return try_submix(submix, running, {{320, 240}, {30, 1}}, environment_);
  }

  testing::EventLog events_;
  SteadyClock clock_;
  plugin::Catalog catalog_{{}};
  Transport transport_;
  PatchEnvironment environment_{catalog_, events_, clock_, transport_};
  show::Submix good_{"a", "", {slot("p", "pattern"), slot("s", "stamp"), slot("n", "null")}};
};

TEST_F(TrialTest, FindsNothingInASubmixThatRuns) {
  const auto trial = try_out(good_);
  EXPECT_TRUE(trial.faults.empty()) << to_string(trial.faults);
  EXPECT_GT(trial.memory_bytes, std::size_t{320 * 240 * 4});
}

TEST_F(TrialTest, NamesEachSlotAtFault) {
  good_.slots[0].parameters.emplace("style", std::string("stripes"));
  good_.slots[1].plugin = "stomp";
  const auto faults = try_out(good_).faults;
  ASSERT_EQ(faults.size(), 2U) << to_string(faults);
  EXPECT_EQ(faults[0].slot, "s");
  EXPECT_EQ(faults[1].slot, "p");
  EXPECT_THAT(faults[1].reason, HasSubstr("stripes"));
}

TEST_F(TrialTest, FindsASizeThatAPluginRefuses) {
  const auto faults = try_submix(good_, nullptr, {{16, 16}, {30, 1}}, environment_).faults;
  ASSERT_EQ(faults.size(), 1U) << to_string(faults);
  EXPECT_EQ(faults[0].slot, "s");
}

TEST_F(TrialTest, FindsAnOscillatorThatItsPluginRefuses) {
  show::Oscillator oscillator;
  oscillator.is_on = true;
  good_.slots[0].oscillators.emplace("style", oscillator);
  const auto faults = try_out(good_).faults;
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults[0].reason, HasSubstr("oscillator of \"style\""));
}

TEST_F(TrialTest, DoesNotLookAtSlotsThatRunUnchanged) {
  int looked = 0;
  catalog_.add({.id = "counted", .kind = plugin::Kind::source},
               [&](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                 ++looked;
                 return fail("it is gone by now");
               });
  good_.slots[0].plugin = "counted";
  EXPECT_TRUE(try_out(good_, &good_).faults.empty());
  EXPECT_EQ(looked, 0);
  EXPECT_EQ(try_out(good_).faults.size(), 1U);
}

TEST_F(TrialTest, CountsOnlyPoolsThatAreNotThereYet) {
  EXPECT_EQ(try_out(good_, &good_).memory_bytes, 0U);
}

TEST_F(TrialTest, TellsNothingAndOpensNothingThatOthersSee) {
  catalog_.add(
      {.id = "seen", .kind = plugin::Kind::output},
      [](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
        return fail("a window opens");
      },
      plugin::TryOut::none);
  good_.slots.push_back(slot("w", "seen"));
  // is clamped, with an event, when the plugin is made
  good_.slots[0].parameters.emplace("speed", 1000.0);
  EXPECT_TRUE(try_out(good_).faults.empty());
  EXPECT_TRUE(events_.lines().empty());
}

}  // namespace
}  // namespace submix::engine
