// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/world.hpp"

#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/verdict/ledger.hpp"
#include "controller/model/view/cluster_model.hpp"
#include "controller/simulation/simulated_show.hpp"
#include "tests/simulation/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// A controller's view of a simulated cluster.
namespace submix::simulation {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class WorldTest : public ::testing::Test {
 protected:
  void begin(const show::Show& show, bool has_incidents = false, std::uint64_t seed = 1) {
    World::WorldSettings settings{{}, seed, has_incidents};
    for (const auto& node : show.nodes)
      settings.nodes.push_back(node.name);
    world_ = std::make_unique<World>(settings, now_);
    model_.set_connection(model::ConnectionState::connected, "test", now_);
    follow(show);
  }
  void follow(const show::Show& show) {
    world_->follow(show, ++revision_);
    model_.set_show(std::make_shared<const show::Show>(show), revision_, "test");
  }
  void run(std::chrono::milliseconds time) {
    for (auto at = 0ms; at < time; at += 100ms) {
      now_ += 100ms;
      world_->advance(now_);
      for (std::size_t i = 0; i < world_->node_count(); ++i) {
        if (!world_->node(i).is_alive()) continue;
        model_.accept(world_->node(i).report(), now_);
        model_.accept(world_->next_reading(i), now_);
      }
      for (auto& event : world_->take_events())
        model_.accept(std::move(event), now_);
      model_.advance(now_);
    }
  }
  void pause(bool is_paused, std::uint64_t steps = 0) {
    cluster::DesiredTransport transport{is_paused, steps, "test"};
    world_->follow(transport);
    model_.set_transport(transport);
  }
  [[nodiscard]] model::ClusterView view() const { return model_.view(now_); }
  [[nodiscard]] std::uint64_t frames_of(std::string_view submix) const {
    return view().find_submix(submix)->frames;
  }
  void expect_balanced() const {
    for (const auto& edge : model::make_ledger(view()))
      EXPECT_NE(edge.balance, model::Balance::off) << edge.name << ": " << edge.remark;
  }

  LocalTime now_ = LocalTime(1h);
  std::uint64_t revision_ = 0;
  std::unique_ptr<World> world_;
  model::ClusterModel model_;
};

TEST_F(WorldTest, RunsADuoAtTheShowsRate) {
  begin(sample::duo());
  run(5s);
  EXPECT_EQ(view().find_node("a")->health, model::Health::healthy);
  EXPECT_EQ(view().find_submix("left")->state, model::SubmixState::running);
  EXPECT_NEAR(view().master_fps, 30, 1.5);
  EXPECT_NEAR(view().streams[0].mb_per_second(), 83, 5);
  EXPECT_EQ(model::find_bottleneck(view()).kind, model::Bottleneck::Kind::nothing);
  expect_balanced();
}

TEST_F(WorldTest, IsLabelledAsSimulated) {
  begin(sample::duo());
  run(200ms);
  const auto seen = view();
  for (const auto& node : seen.nodes) {
    EXPECT_THAT(node.host, HasSubstr("simulated"));
    EXPECT_THAT(node.instance, HasSubstr("simulated"));
  }
}

TEST_F(WorldTest, HasCardsThatCarryWhatStreamsDo) {
  begin(sample::duo());
  run(5s);
  double sent = 0;
  const auto seen = view();
  for (const auto& card : seen.find_node("a")->cards)
    sent += card.sent_mb_per_second;
  EXPECT_NEAR(sent, view().streams[0].mb_per_second() * 1.025, 5);
  EXPECT_EQ(view().find_node("a")->core_shares.size(), 8U);
  EXPECT_GT(view().find_node("a")->busiest_core_share(), 0.05);
}

TEST_F(WorldTest, FollowsPauseStepsAndResume) {
  begin(sample::duo());
  run(2s);
  pause(true);
  run(2s);
  const auto frames = frames_of("mix");
  run(2s);
  EXPECT_EQ(frames_of("mix"), frames);
  expect_balanced();
  pause(true, 5);
  run(2s);
  EXPECT_EQ(frames_of("mix"), frames + 5);
  pause(false, 5);
  run(2s);
  EXPECT_GT(frames_of("mix"), frames + 40);
}

TEST_F(WorldTest, MovesASubmixAndLosesNoCount) {
  auto show = sample::duo();
  begin(show);
  run(2s);
  show.submixes[0].node = "b";
  follow(show);
  run(3s);
  EXPECT_EQ(view().find_submix("left")->state, model::SubmixState::running);
  EXPECT_NEAR(view().master_fps, 30, 1.5);
  EXPECT_EQ(view().streams[0].sender.node, "b");
  EXPECT_EQ(view().streams[0].sender.links.at(0).local, "shared memory");
  expect_balanced();
}

TEST_F(WorldTest, StandsStillWhereNobodyRunsWhatOthersWaitFor) {
  auto show = sample::duo();
  begin(show);
  run(2s);
  show.submixes[0].node = "";
  follow(show);
  run(3s);
  EXPECT_EQ(view().master_fps, 0);
}

TEST_F(WorldTest, KeepsCountsOfSlotsThatStay) {
  auto show = sample::duo();
  begin(show);
  run(2s);
  const auto frames = view().find_submix("left")->find_stage("source")->frames;
  show.submixes[0].slots.insert(show.submixes[0].slots.begin() + 1,
                                sample::slot("more", "frei0r/tint0r"));
  follow(show);
  run(1s);
  EXPECT_GE(view().find_submix("left")->find_stage("source")->frames, frames);
  EXPECT_NE(view().find_submix("left")->find_stage("more"), nullptr);
}

TEST_F(WorldTest, AnswersWithAPictureOfTheFrameThatASlotMadeLast) {
  begin(sample::duo());
  run(1s);
  const auto picture = world_->picture(0, {cluster::CommandKind::snapshot, "left", "look", 320});
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->size, (Size{320, 180}));
  EXPECT_EQ(picture->rgb24.size(), 320U * 180 * 3);
  EXPECT_GT(picture->frame, 0U);
  EXPECT_FALSE(world_->picture(1, {cluster::CommandKind::snapshot, "left", "look", 320}));
  EXPECT_FALSE(world_->picture(0, {cluster::CommandKind::snapshot, "left", "no", 320}));
}

TEST_F(WorldTest, HasATraceOfWhatItsSlotsDid) {
  begin(sample::duo());
  run(1s);
  const auto trace = world_->trace(0, 1s);
  EXPECT_THAT(trace, HasSubstr("\"left.source\""));
  EXPECT_THAT(trace, HasSubstr("\"name\":\"working\""));
}

TEST_F(WorldTest, NamesASlowedLinkAsWhatHoldsTheShowBack) {
  begin(sample::duo(), true);
  run(18s);
  const auto bottleneck = model::find_bottleneck(view());
  EXPECT_EQ(bottleneck.kind, model::Bottleneck::Kind::link) << bottleneck.sentence;
  EXPECT_THAT(bottleneck.sentence, HasSubstr("mix waits for left"));
  EXPECT_LT(view().master_fps, 25);
  run(10s);
  EXPECT_NEAR(view().master_fps, 30, 1.5) << "and then it is as before";
  expect_balanced();
}

TEST_F(WorldTest, LetsANodeDieAndReturnAsAnotherInstance) {
  begin(sample::duo(), true);
  run(31s);
  const auto instance = view().find_node("a")->instance;
  run(6s);
  EXPECT_NE(view().find_node("a")->health, model::Health::healthy);
  run(9s);
  EXPECT_EQ(view().find_node("a")->health, model::Health::healthy);
  EXPECT_NE(view().find_node("a")->instance, instance);
  EXPECT_EQ(view().find_node("a")->restarts, 1U);
  EXPECT_NEAR(view().master_fps, 30, 1.5);
  expect_balanced();
}

TEST_F(WorldTest, TellsOfASlotInTrouble) {
  begin(sample::duo(), true);
  run(50s);
  EXPECT_THAT(view().find_submix("left")->find_stage("look")->trouble, HasSubstr("simulated"));
  run(6s);
  EXPECT_EQ(view().find_submix("left")->find_stage("look")->trouble, "");
}

TEST_F(WorldTest, KeepsALargeShowAtItsRateWhileNothingGoesWrong) {
  begin(*make_show({64, 256, 1}));
  run(6s);
  const auto all = view();
  EXPECT_EQ(std::ranges::count(all.nodes, model::Health::healthy, &model::NodeView::health), 64);
  EXPECT_EQ(all.streams.size(), 256U);
  EXPECT_NEAR(all.master_fps, 30, 1.5) << model::find_bottleneck(all).sentence;
  expect_balanced();
}

TEST_F(WorldTest, KeepsItsBooksThroughTwoMinutesOfTrouble) {
  begin(*make_show({12, 30, 3}), true, 3);
  for (int i = 0; i < 24; ++i) {
    run(5s);
    ASSERT_NO_FATAL_FAILURE(expect_balanced());
  }
}

// The show is edited during each incident. The incident must end nevertheless, and nothing else may
// change.
TEST_F(WorldTest, EndsWhatWentWrongThoughTheShowWasEditedMeanwhile) {
  auto show = *make_show({6, 12, 3});
  begin(show, true, 3);
  const auto about = [&](std::string_view text) {
    std::vector<std::string> things;
    for (const auto& item : view().events) {
      if (item.event.text.find(text) != std::string::npos) things.push_back(item.event.about);
    }
    return things;
  };
  run(12s);
  ASSERT_EQ(about("carries a tenth").size(), 1U);
  std::ranges::reverse(show.streams);
  follow(show);
  run(38s);
  ASSERT_EQ(about("crashed three times").size(), 1U);
  std::ranges::reverse(show.submixes);
  follow(show);
  run(10s);
  EXPECT_EQ(about("as fast as before"), about("carries a tenth"));
  EXPECT_EQ(about("works again"), about("crashed three times"));
}

}  // namespace
}  // namespace submix::simulation
