// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict.hpp"

#include "tests/model/slow_show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::HasSubstr;

class VerdictTest : public sample::SlowShow {
 protected:
  VerdictTest() {
    auto show = std::make_shared<show::Show>(*view_.show);
    for (const auto* name : {"left", "right"}) {
      show->submixes.push_back({name, name, {}});
      for (const auto* slot : {"clip", "waves", "out"})
        show->submixes.back().slots.push_back({.name = slot, .plugin = slot, .parameters = {}, .inputs = {}});
    }
    view_.show = show;
    for (auto& node : view_.nodes) {
      node.host = "host of " + node.name;
      node.cpu_cores = 3.8;
    }
  }
  void let_plugin_keep(const char* memory) {
    view_.plugins = std::make_shared<std::map<std::string, cluster::PluginSummary, std::less<>>>(
        std::map<std::string, cluster::PluginSummary, std::less<>>{
            {"waves", {.id = "waves", .memory = memory}}});
  }
  void give_cards() {
    view_.streams[1].receiver.node = "mix";
    for (auto& node : view_.nodes) {
      for (const auto* address : {"198.18.0.1", "198.18.1.1", "198.18.2.1"}) {
        NetworkInterface card;
        card.address = address;
        card.is_up = true;
        node.interfaces.push_back(card);
      }
    }
  }
  [[nodiscard]] std::optional<Remedy> remedy() const { return remedy_of(view_, find_bottleneck(view_)); }
  [[nodiscard]] std::optional<Edit> edit() const {
    const auto found = remedy();
    return found ? found->edit : std::nullopt;
  }
};

TEST_F(VerdictTest, NamesTheSlotThatLimits) {
  let_slot_be_slow();
  EXPECT_EQ(culprit_of(find_bottleneck(view_)), "slot right.waves");
  EXPECT_EQ(headline_of(find_bottleneck(view_)), "slot right.waves: 49.5 of 33.3 ms");
}

TEST_F(VerdictTest, NamesTheLinkThatIsNotOpen) {
  let_links_be_full();
  links()[1].state = telemetry::LinkState::connecting;
  EXPECT_EQ(culprit_of(find_bottleneck(view_)), "link 1 of right");
  EXPECT_EQ(headline_of(find_bottleneck(view_)), "link 1 of right: 70.0 of 82.9 MB/s");
}

TEST_F(VerdictTest, NamesNobodyWhereNothingLimits) {
  mix().fps = 30;
  EXPECT_EQ(culprit_of(find_bottleneck(view_)), "");
  EXPECT_EQ(headline_of(find_bottleneck(view_)), "nothing holds the show back");
  EXPECT_FALSE(remedy());
}

TEST_F(VerdictTest, GivesHelpersToASlowPluginThatKeepsNothing) {
  let_slot_be_slow();
  let_plugin_keep("none");
  EXPECT_EQ(edit(), Edit(SetHelpers{{"right", "waves"}, 2})) << "49.5 ms in frames of 33.3 ms";
}

TEST_F(VerdictTest, GivesNoHelpersToAPluginThatKeepsFrames) {
  let_slot_be_slow();
  let_plugin_keep("frames");
  view_.nodes[0].cpu_cores = 0.4;
  EXPECT_EQ(edit(), Edit(AssignSubmix{"right", "left"})) << "but the idle node";
}

TEST_F(VerdictTest, BypassesASlotWhereNoNodeHasTimeToSpare) {
  let_slot_be_slow();
  EXPECT_EQ(edit(), Edit(SetBypass{{"right", "waves"}, true}));
}

TEST_F(VerdictTest, MovesNothingToAnotherNodeOfABusyMachine) {
  let_slot_be_slow();
  view_.nodes[0].cpu_cores = 0.4;
  view_.nodes[0].host = view_.nodes[2].host;  // where mix has 3.8 of 4 cores
  EXPECT_EQ(edit(), Edit(SetBypass{{"right", "waves"}, true}));
}

TEST_F(VerdictTest, MovesNothingToAMachineThatOtherProgramsKeepBusy) {
  let_slot_be_slow();
  view_.nodes[0].cpu_cores = 0.4;
  view_.nodes[0].core_shares = {0.9, 0.9, 0.5, 0.1};
  EXPECT_EQ(edit(), Edit(SetBypass{{"right", "waves"}, true}));
}

TEST_F(VerdictTest, SaysWhatASlowLinkSaysItself) {
  let_links_be_full();
  links()[0].warning = "eth1 runs at 100 of 1000 Mbit/s";
  ASSERT_TRUE(remedy());
  EXPECT_THAT(remedy()->text, HasSubstr("link 0 says: eth1 runs at 100 of 1000 Mbit/s"));
}

TEST_F(VerdictTest, GivesAFullStreamALinkMoreWhereBothEndsHaveACard) {
  let_links_be_full();
  give_cards();
  EXPECT_EQ(edit(), Edit(SetLinks{"right", 3}));
  view_.nodes[2].interfaces[2].address = "127.0.0.1";
  EXPECT_FALSE(edit()) << "loopback is no card";
}

TEST_F(VerdictTest, LeavesTheRoutesOfAFullStreamToAPerson) {
  let_links_be_full();
  give_cards();
  auto show = std::make_shared<show::Show>(*view_.show);
  show::Stream stream;
  stream.name = "right";
  stream.routes = {{"198.18.0.1", "198.18.0.1"}, {"198.18.1.1", "198.18.1.1"}};
  show->streams = {stream};
  view_.show = show;
  ASSERT_TRUE(remedy());
  EXPECT_THAT(remedy()->text, HasSubstr("give it 3 links"));
  EXPECT_FALSE(edit()) << "a count would forget them";
}

TEST_F(VerdictTest, AsksForHandsWhereALinkIsNotOpen) {
  let_links_be_full();
  links()[1].state = telemetry::LinkState::connecting;
  ASSERT_TRUE(remedy());
  EXPECT_THAT(remedy()->text, HasSubstr("cable or card of link 1"));
  EXPECT_FALSE(remedy()->edit);
}

}  // namespace
}  // namespace submix::model
