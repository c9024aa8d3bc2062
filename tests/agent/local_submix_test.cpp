// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/local_submix.hpp"

#include "node/plugin/built_ins.hpp"
#include "tests/support/event_log.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace submix::agent {
namespace {

using LocalState = LocalSubmix::State;
using Event = LocalSubmix::Event;

constexpr LocalState kStates[] = {LocalState::unbuilt,  LocalState::held_back,
                                  LocalState::running,  LocalState::staged,
                                  LocalState::retiring, LocalState::moving_out};
constexpr Event kEvents[] = {Event::fail,  Event::hold_back, Event::stage,    Event::unstage,
                             Event::start, Event::retire,    Event::move_out, Event::take_back};

TEST(LocalSubmixTable, HasTheseTransitionsAndNoOthers) {
  const std::map<std::pair<LocalState, Event>, LocalState> table{
      {{LocalState::unbuilt, Event::fail}, LocalState::unbuilt},
      {{LocalState::held_back, Event::fail}, LocalState::unbuilt},
      {{LocalState::running, Event::fail}, LocalState::running},
      {{LocalState::unbuilt, Event::hold_back}, LocalState::held_back},
      {{LocalState::held_back, Event::hold_back}, LocalState::held_back},
      {{LocalState::unbuilt, Event::stage}, LocalState::staged},
      {{LocalState::held_back, Event::stage}, LocalState::staged},
      {{LocalState::running, Event::stage}, LocalState::staged},
      {{LocalState::staged, Event::unstage}, LocalState::running},
      {{LocalState::staged, Event::start}, LocalState::running},
      {{LocalState::running, Event::retire}, LocalState::retiring},
      {{LocalState::running, Event::move_out}, LocalState::moving_out},
      {{LocalState::retiring, Event::take_back}, LocalState::running},
      {{LocalState::moving_out, Event::take_back}, LocalState::running},
  };
  for (const auto state : kStates) {
    for (const auto event : kEvents) {
      const auto found = table.find({state, event});
      const auto expected = found == table.end() ? std::nullopt : std::optional(found->second);
      EXPECT_EQ(LocalSubmix::next(state, event, true), expected)
          << to_string(state) << ", event " << static_cast<int>(event);
    }
  }
}

TEST(LocalSubmixTable, LeadsToUnbuiltWhereTheOnlyPatchIsGivenUp) {
  EXPECT_EQ(LocalSubmix::next(LocalState::staged, Event::unstage, false), LocalState::unbuilt);
}

class LocalSubmixTest : public ::testing::Test {
 protected:
  LocalSubmixTest() { plugin::add_built_ins(catalog_); }

  LocalSubmix::SharedPatch built() {
    const engine::PatchEnvironment environment{catalog_, events_, clock_, transport_};
    engine::PatchOptions options;
    options.size = {64, 64};
    options.rate = {240, 1};
    const show::Submix submix{"a", "here", {{"p", "pattern", {}, {}, false}}};
    return engine::Patch::build(submix, options, environment).value();
  }
  LocalSubmix running() {
    LocalSubmix submix;
    submix.stage({.patch = built()});
    submix.start();
    return submix;
  }

  testing::EventLog events_;
  SteadyClock clock_;
  plugin::Catalog catalog_{{}};
  engine::Transport transport_;
};

TEST_F(LocalSubmixTest, RunsItsFormerPatchWhileASuccessorIsStaged) {
  auto submix = running();
  const auto former = submix.patch();
  const auto next = built();
  submix.stage({.patch = next});
  EXPECT_EQ(submix.patch(), former);

  EXPECT_EQ(submix.release_former(), former);
  EXPECT_EQ(submix.patch(), nullptr);
  submix.start();
  EXPECT_EQ(submix.patch(), next);
  EXPECT_EQ(submix.successor(), nullptr);
  EXPECT_EQ(submix.state(), LocalState::running);
}

TEST_F(LocalSubmixTest, GoesOnWithItsFormerPatchWhereTheSuccessorIsGivenUp) {
  auto submix = running();
  const auto former = submix.patch();
  const auto next = built();
  submix.stage({.patch = next});
  EXPECT_EQ(submix.unstage(), next);
  EXPECT_EQ(submix.patch(), former);
  EXPECT_EQ(submix.state(), LocalState::running);
}

TEST_F(LocalSubmixTest, IsUnbuiltWhereItsFirstPatchIsGivenUp) {
  LocalSubmix submix;
  submix.stage({.patch = built()});
  EXPECT_NE(submix.unstage(), nullptr);
  EXPECT_EQ(submix.state(), LocalState::unbuilt);
}

TEST_F(LocalSubmixTest, ForgetsAFaultOfItsFormerPatchWithTheStartOfTheNext) {
  auto submix = running();
  EXPECT_TRUE(submix.fail("no such plugin", false));
  EXPECT_FALSE(submix.fail("no such plugin", false)) << "the same error again";
  submix.to_renew().insert("out");
  submix.stage({.patch = built()});
  EXPECT_EQ(submix.error(), "no such plugin");
  submix.start();
  EXPECT_EQ(submix.error(), "");
  EXPECT_TRUE(submix.to_renew().empty());
}

TEST_F(LocalSubmixTest, KeepsItsPatchFromTheShowWhileItRetiresAndUntilItIsTakenBack) {
  auto submix = running();
  const auto patch = submix.patch();
  submix.retire({{}});
  submix.awaited() = {"b"};
  EXPECT_EQ(submix.patch(), patch);
  EXPECT_EQ(submix.wanted_patch(), nullptr);

  submix.take_back();
  EXPECT_EQ(submix.wanted_patch(), patch);
  EXPECT_TRUE(submix.awaited().empty());
  EXPECT_TRUE(submix.streams().empty());
}

TEST_F(LocalSubmixTest, RemembersWhenItMovedOut) {
  auto submix = running();
  const auto now = clock_.now();
  submix.move_out(now);
  EXPECT_EQ(submix.moved_at(), now);
  EXPECT_EQ(submix.wanted_patch(), nullptr);
  submix.take_back();
  EXPECT_NE(submix.wanted_patch(), nullptr);
}

TEST_F(LocalSubmixTest, IsHeldBackUntilABuildSucceedsOrFails) {
  LocalSubmix submix;
  EXPECT_TRUE(submix.hold_back("no file; node \"b\" goes on"));
  EXPECT_EQ(submix.state(), LocalState::held_back);
  EXPECT_FALSE(submix.is_followed());
  EXPECT_TRUE(submix.fail("no file", false));
  EXPECT_EQ(submix.state(), LocalState::unbuilt);
}

using LocalSubmixDeathTest = LocalSubmixTest;

TEST_F(LocalSubmixDeathTest, DoesNotRetireBeforeItRuns) {
  LocalSubmix submix;
  EXPECT_DEATH(submix.retire({}), "has_value");
}

}  // namespace
}  // namespace submix::agent
