// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/verdict.hpp"

#include "controller/model/verdict/alerts.hpp"
#include "tests/model/slow_show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using sample::HealthyShow;
using ::testing::HasSubstr;

class VerdictTest : public sample::SlowShow {
 protected:
  VerdictTest() {
    auto show = std::make_shared<show::Show>(*view_.show);
    for (const auto* name : {"left", "right"}) {
      show->submixes.push_back({name, name, {}});
      for (const auto* slot : {"clip", "waves", "out"})
        show->submixes.back().slots.push_back(
            {.name = slot, .plugin = slot, .parameters = {}, .inputs = {}});
    }
    view_.show = show;
    for (auto& node : view_.nodes) {
      node.host = "host of " + node.name;
      node.cpu_cores = 3.8;
    }
  }
  void let_plugin_keep(const char* memory, const char* kind = "filter") {
    view_.plugins = std::make_shared<std::map<std::string, cluster::PluginSummary, std::less<>>>(
        std::map<std::string, cluster::PluginSummary, std::less<>>{
            {"waves", {.id = "waves", .kind = kind, .memory = memory}}});
  }
  /// Three cards each, on three cables; the two links of both streams use the first two.
  void give_cards() {
    int number = 0;
    for (auto& node : view_.nodes) {
      ++number;
      node.interfaces = {{"lo", "127.0.0.1", 8, 65536, 0, true, 0},
                         {"lo", "::1", 128, 65536, 0, true, 0}};
      for (int card = 0; card < 3; ++card) {
        const auto address = fmt::format("198.18.{}.{}", card, number);
        node.interfaces.push_back(
            {fmt::format("eth{}", card), address, 24, 1500, 1000, true, 1000});
        node.interfaces.push_back({fmt::format("eth{}", card), fmt::format("fe80::{}", number), 64,
                                   1500, 1000, true, 1000});
        node.endpoints.push_back({address, 24, 7400, 1500, true, 1000, 1000});
        node.cards.push_back({.name = fmt::format("eth{}", card),
                              .addresses = {address},
                              .mtu_bytes = 1500,
                              .speed_mbit = 1000,
                              .speed_max_mbit = 1000,
                              .is_up = true});
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      view_.streams[i].receiver.node = "mix";
      for (auto& link : view_.streams[i].sender.links) {
        link.local = fmt::format("198.18.{}.{}:40000", link.index, i + 1);
        link.remote = fmt::format("198.18.{}.3:7400", link.index);
      }
    }
  }
  [[nodiscard]] std::optional<Remedy> remedy() const {
    return remedy_of(view_, find_bottleneck(view_));
  }
  [[nodiscard]] std::optional<Edit> edit() const {
    const auto found = remedy();
    return found ? found->edit : std::nullopt;
  }
};

TEST_F(VerdictTest, NamesTheSlotThatLimits) {
  let_slot_be_slow();
  EXPECT_EQ(culprit_of(find_bottleneck(view_)), "slot right.waves");
  EXPECT_EQ(headline_of(find_bottleneck(view_)), "waves of right takes 49.5 of 33.3 ms");
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
  view_.nodes[1].cpu_cores = 1;
  let_plugin_keep("none");
  EXPECT_EQ(edit(), Edit(SetHelpers{{"right", "waves"}, 2})) << "49.5 ms in frames of 33.3 ms";
}

TEST_F(VerdictTest, GivesNoHelpersToASourceOrAnOutput) {
  let_slot_be_slow();
  view_.nodes[1].cpu_cores = 1;
  for (const auto* kind : {"source", "output"}) {
    let_plugin_keep("none", kind);
    EXPECT_FALSE(std::holds_alternative<SetHelpers>(edit().value_or(SetBypass()))) << kind;
  }
}

TEST_F(VerdictTest, MovesNoSlotFromAComputerThatHasTimeToSpare) {
  let_slot_be_slow();
  let_plugin_keep("frames");
  view_.nodes[0].cpu_cores = 0.4;
  view_.nodes[1].cpu_cores = 1;
  EXPECT_EQ(edit(), Edit(SetBypass{{"right", "waves"}, true})) << "one thread is as slow there";
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
  view_.nodes[0].host = view_.nodes[2].host;  // mix uses 3.8 of 4 cores there
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
}

TEST_F(VerdictTest, GivesNoLinkMoreWhereNoPairOfCardsIsFree) {
  let_links_be_full();
  give_cards();
  view_.nodes[1].endpoints.pop_back();
  ASSERT_TRUE(remedy());
  EXPECT_FALSE(edit()) << "the third cable does not lead to right";
  EXPECT_THAT(remedy()->text,
              HasSubstr("left and right share host of mix's eth0 and host of mix's eth1"));
}

TEST_F(VerdictTest, CountsOnlyAddressesThatOtherComputersReach) {
  let_links_be_full();
  give_cards();
  for (const auto* address : {"127.0.0.1", "::1", "fe80::1", "169.254.0.9"}) {
    for (auto& node : view_.nodes) {
      node.endpoints.back() = {address, 8, 7400, 1500, true, 0, 0};
    }
    EXPECT_FALSE(edit()) << address;
  }
}

TEST_F(VerdictTest, GivesNoLinkMoreOnACardThatAnotherStreamUses) {
  let_links_be_full();
  give_cards();
  view_.streams[0].sender.links.push_back(sample::link(2, 35, 0.1));
  view_.streams[0].sender.links.back().local = "198.18.2.1:40000";
  view_.streams[0].sender.links.back().remote = "198.18.2.3:7400";
  EXPECT_FALSE(edit());
}

TEST_F(VerdictTest, SendsAPersonToACableThatCarriesTooLittle) {
  let_links_be_full();
  give_cards();
  view_.streams[1].sender.is_current = true;
  for (auto& node : view_.nodes)
    node.cpu_cores = 1;
  links()[0].mb_per_second = links()[0].capacity_mb_per_second = 80;
  links()[1].mb_per_second = links()[1].capacity_mb_per_second = 2.4;
  ASSERT_TRUE(remedy());
  EXPECT_FALSE(edit()) << "one link more would only hide it";
  EXPECT_EQ(remedy()->text,
            "host of right's eth1 carries 2.4 of 119 MB/s: check its plug, its cable and its port "
            "of the switch, up to host of mix's eth1");
}

TEST_F(VerdictTest, SaysWhatTwoStreamsShareThoughOneCameLater) {
  let_links_be_full();
  give_cards();
  for (auto& link : links()) {
    link.greatest_mb_per_second = 110;
    link.mb_per_second = link.capacity_mb_per_second = 55;
  }
  auto& cards = view_.nodes[2].cards;
  for (auto& card : cards)
    card.received_mb_per_second = 60;
  EXPECT_THAT(find_bottleneck(view_).sentence, HasSubstr("50 % of the 110.0 it has carried"));
  for (auto& card : cards)
    card.received_mb_per_second = 115;
  EXPECT_THAT(find_bottleneck(view_).sentence,
              HasSubstr("its 2 links are full: left and right share host of mix's eth0"));
}

TEST_F(VerdictTest, GivesNoHelpersWhereTheComputerHasNoTimeLeft) {
  let_slot_be_slow();
  let_plugin_keep("none");
  view_.nodes[1].cpu_cores = 3.9;
  EXPECT_EQ(edit(), Edit(SetBypass{{"right", "waves"}, true}));
}

TEST_F(VerdictTest, BypassesNeitherSourcesNorOutputs) {
  right(0).shares = sample::kBusy;
  right(1).shares = right(2).shares = sample::kWaiting;
  ASSERT_TRUE(remedy());
  EXPECT_FALSE(edit()) << "without its source there is no picture";
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

TEST_F(VerdictTest, BeginsWhileItsNodesAreNewOrItsSubmixesStart) {
  const auto is_beginning_now = [&] { return is_beginning(view_, find_bottleneck(view_)); };
  for (auto& node : view_.nodes)
    node.uptime = std::chrono::hours(1);
  let_slot_be_slow();
  ASSERT_TRUE(find_bottleneck(view_).is_behind);
  EXPECT_FALSE(is_beginning_now());
  view_.nodes[1].uptime = 2 * kSettlingMax - std::chrono::milliseconds(1);
  EXPECT_TRUE(is_beginning_now());
  view_.nodes[1].uptime = 2 * kSettlingMax;
  EXPECT_FALSE(is_beginning_now());
  view_.submixes[0].state = SubmixState::starting;
  view_.nodes[0].show_revision = view_.show_revision + 1;
  EXPECT_TRUE(is_beginning_now()) << "another size is on its way";
  Bottleneck still = find_bottleneck(view_);
  still.still_for = kSettlingMax;
  EXPECT_FALSE(is_beginning(view_, still)) << "nobody waits so long for a start";
}

TEST_F(HealthyShow, DoesNotBeginWhenItKeepsItsRate) {
  for (auto& node : view_.nodes)
    node.uptime = std::chrono::seconds(1);
  const auto verdict = find_bottleneck(view_);
  ASSERT_EQ(verdict.kind, Bottleneck::Kind::nothing) << verdict.sentence;
  EXPECT_FALSE(is_beginning(view_, verdict));
}

}  // namespace
}  // namespace submix::model
