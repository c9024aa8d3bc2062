// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/cluster_model.hpp"

#include "tests/model/readings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace submix::model {
namespace {

using namespace std::chrono_literals;

const LocalTime kStart = LocalTime(1h);

/// A connected model with the sample show, and a time set by the test.
class ClusterModelTest : public ::testing::Test {
 protected:
  ClusterModelTest() {
    model_.set_connection(ConnectionState::connected, "nats", now_);
    model_.set_show(std::make_shared<const show::Show>(sample::show()), 1, "test");
  }
  /// Ten readings a second of the sending node, from `first` tenths of a second on.
  void play(std::uint64_t first, std::uint64_t last, const std::string& instance = "a") {
    for (auto tenth = first; tenth <= last; ++tenth) {
      now_ += 100ms;
      model_.accept(sample::sender(tenth, instance), now_);
      model_.advance(now_);
    }
  }
  [[nodiscard]] NodeView node(std::string_view name) const {
    const auto view = model_.view(now_);
    const auto* found = view.find_node(name);
    return found == nullptr ? NodeView() : *found;
  }
  [[nodiscard]] LinkView first_link() const {
    const auto view = model_.view(now_);
    const auto& links = view.streams.at(0).links();
    return links.empty() ? LinkView() : links.front();
  }

  LocalTime now_ = kStart;
  ClusterModel model_;
};

TEST_F(ClusterModelTest, ShowsNodesThatOnlyTheShowNames) {
  EXPECT_EQ(node("rack1").health, Health::absent);
  EXPECT_EQ(model_.view(now_).find_submix("left")->state, SubmixState::waiting);
}

TEST_F(ClusterModelTest, StartsWithoutAShow) {
  const ClusterModel empty;
  const auto view = empty.view(now_);
  EXPECT_EQ(view.show, nullptr);
  EXPECT_TRUE(view.submixes.empty());
  EXPECT_EQ(view.connection, ConnectionState::connecting);
}

TEST_F(ClusterModelTest, WorksOutRatesByTheNodesOwnClock) {
  play(1, 20);
  const auto view = model_.view(now_);
  const auto& left = *view.find_submix("left");
  EXPECT_NEAR(left.fps, 30, 1e-6);
  EXPECT_NEAR(left.stages[0].shares.working, 0.25, 1e-6);
  EXPECT_NEAR(left.stages[0].shares.blocked, 0.75, 1e-6);
  EXPECT_NEAR(first_link().mb_per_second, 35, 1e-6);
  EXPECT_NEAR(first_link().shares.idle, 0.7, 1e-6);
  EXPECT_NEAR(first_link().queue_fill(), 0.5, 1e-6);
  EXPECT_NEAR(view.streams[0].mb_per_second(), 70, 1e-6);
  EXPECT_NEAR(view.streams[0].sender.blocked_share, 0.2, 1e-6);
  EXPECT_NEAR(node("rack1").cpu_cores, 0.5, 1e-6);
  EXPECT_NEAR(node("rack1").page_faults_per_second, 30, 1e-6);
  EXPECT_EQ(node("rack1").page_faults, 60U);
  EXPECT_NEAR(node("rack1").allocations_per_second, 20, 1e-6);
  EXPECT_EQ(node("rack1").allocations, 40U);
}

TEST_F(ClusterModelTest, TakesANewSlotForAsQuickAsItsPatchUntilItIsMeasured) {
  play(1, 15);
  auto reading = sample::sender(16);
  reading.submixes[0].stages.push_back({.slot = "recorder",
                                        .plugin = "record",
                                        .frames = 1,
                                        .working = {},
                                        .starved = {},
                                        .blocked = {},
                                        .queues = {},
                                        .counters = {}});
  model_.accept(reading, now_ + 100ms);
  const auto view = model_.view(now_ + 100ms);
  const auto& left = *view.find_submix("left");
  ASSERT_EQ(left.stages.size(), 3U);
  EXPECT_NEAR(left.stages[2].fps, 30, 1e-6);
  EXPECT_NEAR(left.fps, 30, 1e-6);
}

TEST_F(ClusterModelTest, KnowsForHowLongAtLeastNoFrameHasCome) {
  play(1, 5);
  EXPECT_LT(model_.view(now_).find_submix("left")->stages[0].still_for, 200ms);
  for (std::uint64_t i = 6; i <= 20; ++i) {
    auto reading = sample::sender(5);
    reading.sequence = i;
    reading.uptime = 100ms * static_cast<std::int64_t>(i);
    now_ += 100ms;
    model_.accept(reading, now_);
  }
  EXPECT_EQ(model_.view(now_).find_submix("left")->stages[0].still_for, 1500ms);
  EXPECT_EQ(model_.view(now_).find_submix("left")->still_for, 1500ms);
}

TEST_F(ClusterModelTest, MeasuresASlowShowOverTenOfItsFrames) {
  auto slow = sample::show();
  slow.rate = {2, 1};
  model_.set_show(std::make_shared<const show::Show>(slow), 2, "test");
  play(1, 80);
  EXPECT_NEAR(node("rack1").measured_seconds, 5, 0.11);
}

TEST_F(ClusterModelTest, TellsTheSendersLinkWhatItsReceiverFoundDamaged) {
  play(1, 3);
  telemetry::StreamReading stream;
  stream.stream = "left";
  stream.links.resize(1);
  stream.links[0].index = 1;
  stream.links[0].stripes_damaged = 5;
  telemetry::NodeReading mix;
  mix.node = "rack2";
  mix.instance = "b";
  mix.streams = {stream};
  model_.accept(mix, now_);
  const auto links = model_.view(now_).streams.at(0).links();
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].stripes_damaged, 0U);
  EXPECT_EQ(links[1].stripes_damaged, 5U);
}

TEST(StreamPrivacy, IsThatOfItsWorstLinkBetweenPcs) {
  StreamView stream;
  EXPECT_EQ(stream.privacy(), "") << "no link yet";
  LinkView link;
  link.state = telemetry::LinkState::open;
  link.local = telemetry::kSharedMemory;
  stream.sender.links = {link};
  EXPECT_EQ(stream.privacy(), "") << "nothing leaves the machine";
  link.local = "10.0.0.1:1";
  link.protection = Protection::chacha20_poly1305;
  stream.sender.links = {link, link};
  EXPECT_EQ(stream.privacy(), "encrypted");
  stream.sender.links[1].protection = Protection::xxh3;
  EXPECT_EQ(stream.privacy(), "in the clear");
  stream.sender.links[1].state = telemetry::LinkState::connecting;
  EXPECT_EQ(stream.privacy(), "encrypted");
}

TEST_F(ClusterModelTest, FollowsAChangeOfRateWithinASecond) {
  play(1, 20);
  for (std::uint64_t tenth = 21; tenth <= 31; ++tenth) {  // paused: counters stand still
    auto reading = sample::sender(20);
    reading.sequence = tenth;
    reading.uptime = 100ms * static_cast<std::int64_t>(tenth);
    model_.accept(reading, now_ += 100ms);
  }
  EXPECT_EQ(model_.view(now_).find_submix("left")->fps, 0);
}

TEST_F(ClusterModelTest, CallsANodeSilentAndThenGone) {
  model_.accept(sample::report("rack1"), now_);
  EXPECT_EQ(node("rack1").health, Health::starting);
  play(1, 3);
  EXPECT_EQ(node("rack1").health, Health::healthy);
  now_ += kSilentAfter;
  EXPECT_EQ(node("rack1").health, Health::silent);
  EXPECT_EQ(model_.view(now_).find_submix("left")->fps, 0) << "a silent node has no rates";
  now_ += kGoneAfter;
  EXPECT_EQ(node("rack1").health, Health::gone);
  play(4, 4);
  EXPECT_EQ(node("rack1").health, Health::healthy);
}

TEST_F(ClusterModelTest, CallsANodeUnheardWhoseFramesStillCome) {
  model_.accept(sample::report("rack1"), now_);
  play(1, 3);
  telemetry::NodeReading receiver;
  receiver.node = "rack2";
  receiver.instance = "b";
  telemetry::StreamReading end;
  end.stream = "left";
  end.links.resize(1);
  end.links[0].state = telemetry::LinkState::open;
  for (std::uint64_t tenth = 1; tenth < 80; ++tenth) {
    receiver.sequence = tenth;
    receiver.uptime = 100ms * static_cast<std::int64_t>(tenth);
    end.frames = tenth < 70 ? 3 * tenth : 210;
    end.links[0].bytes = end.frames * 1'000'000;
    receiver.streams = {end};
    model_.accept(receiver, now_ += 100ms);
    if (tenth == 20 || tenth == 65) {
      EXPECT_EQ(node("rack1").health, Health::unheard) << tenth;
      EXPECT_NEAR(node("rack1").unheard_mb_per_second, 30, 0.1);
    }
  }
  EXPECT_EQ(node("rack1").health, Health::unheard) << "frames of the last second count";
  receiver.sequence = 100;
  receiver.uptime = 10s;
  model_.accept(receiver, now_ += 1s);
  receiver.sequence = 110;
  receiver.uptime = 11s;
  model_.accept(receiver, now_ += 1s);
  EXPECT_EQ(node("rack1").health, Health::gone);
}

TEST_F(ClusterModelTest, TakesAReportThatNatsKeptForNoSignOfLife) {
  model_.accept(sample::report("rack1"), now_ += 500ms);
  now_ += 600ms;
  EXPECT_EQ(node("rack1").health, Health::silent) << "a second after this observer began to listen";
  EXPECT_FALSE(node("rack1").is_silence_complete);
  play(1, 3);
  EXPECT_TRUE(node("rack1").is_silence_complete);
  model_.accept(sample::report("rack2"), now_ += kSilentAfter);
  EXPECT_EQ(node("rack2").health, Health::starting) << "somebody starts it now";
}

TEST_F(ClusterModelTest, CountsASilenceFromTheLastSignOfLifeThatTheClusterKnows) {
  model_.accept(sample::report("rack1"), now_ += 500ms);
  now_ += 600ms;
  model_.accept_sign_of_life("rack1", now_ - 40s);
  EXPECT_EQ(node("rack1").health, Health::silent) << "one observer's second is not enough for gone";
  EXPECT_EQ(node("rack1").silence, 40s);
  EXPECT_TRUE(node("rack1").is_silence_complete);
  play(1, 3);
  EXPECT_LT(node("rack1").silence, 1s) << "it is heard now";
  model_.accept_sign_of_life("unheard-of", now_);
  EXPECT_EQ(node("unheard-of").health, Health::absent);
}

TEST_F(ClusterModelTest, ForgetsTheFiguresOfANodeThatIsSilent) {
  play(1, 20);
  EXPECT_GT(node("rack1").cpu_cores, 0);
  now_ += kSilentAfter;
  EXPECT_EQ(node("rack1").cpu_cores, 0);
  EXPECT_EQ(node("rack1").memory_bytes, 0U);
  EXPECT_TRUE(node("rack1").core_shares.empty());
}

TEST_F(ClusterModelTest, DoesNotBlameNodesForALostConnection) {
  play(1, 20);
  model_.set_connection(ConnectionState::lost, "gone", now_);
  now_ += 1min;
  EXPECT_EQ(node("rack1").health, Health::unknown);
  EXPECT_NEAR(model_.view(now_).find_submix("left")->fps, 30, 1e-6) << "the last known";
  model_.set_connection(ConnectionState::connected, "back", now_);
  EXPECT_EQ(node("rack1").health, Health::healthy) << "it gets its second to be heard again";
  now_ += kSilentAfter;
  EXPECT_EQ(node("rack1").health, Health::silent);
}

TEST_F(ClusterModelTest, KnowsNothingOfANodeThatIsNotHeardWhileTheStoreIsSilent) {
  play(1, 10);
  now_ += kGoneAfter;
  model_.set_store_silent(true);
  EXPECT_EQ(node("rack1").health, Health::unknown) << "which was heard before";
  EXPECT_EQ(node("rack2").health, Health::unknown) << "which was never heard";
  EXPECT_EQ(node("rack1").cpu_cores, 0) << "its figures are old";
  EXPECT_FALSE(model_.view(now_).is_known_now());
  play(11, 12);
  EXPECT_EQ(node("rack1").health, Health::healthy) << "it is heard";
  model_.set_store_silent(false);
  EXPECT_EQ(node("rack2").health, Health::absent);
}

TEST_F(ClusterModelTest, DoesNotTakeAShowThatTheStoreHidesForNone) {
  model_.set_show(nullptr, 0, "");
  EXPECT_EQ(model_.view(now_).show_error, "");
  model_.set_store_silent(true);
  EXPECT_NE(model_.view(now_).show_error.find("NATS at nats: its store does not answer"),
            std::string::npos);
}

TEST_F(ClusterModelTest, BeginsAnewWithANewInstance) {
  play(1000, 1020);
  play(1, 1, "b");
  EXPECT_EQ(node("rack1").restarts, 1U);
  EXPECT_EQ(node("rack1").cpu_cores, 0) << "no rate from one reading";
  play(2, 12, "b");
  EXPECT_NEAR(first_link().mb_per_second, 35, 1e-6);
}

TEST_F(ClusterModelTest, DropsLateAndDoubledReadings) {
  play(1, 20);
  model_.accept(sample::sender(20), now_);
  model_.accept(sample::sender(3), now_);
  EXPECT_NEAR(first_link().mb_per_second, 35, 1e-6);
}

TEST_F(ClusterModelTest, NeverShowsANegativeRate) {
  play(100, 120);
  auto reading = sample::sender(121);
  reading.cpu = 0ns;
  reading.page_faults = 0;
  reading.submixes[0].stages[0].frames = 1;
  reading.streams[0].links[0].bytes = 5;
  model_.accept(reading, now_ += 100ms);
  EXPECT_EQ(node("rack1").cpu_cores, 0);
  EXPECT_EQ(node("rack1").page_faults_per_second, 0);
  EXPECT_EQ(model_.view(now_).find_submix("left")->stages[0].fps, 0);
  EXPECT_EQ(first_link().mb_per_second, 0);
}

TEST_F(ClusterModelTest, ShowsAStreamsPolicyWhatItSkippedAndWhyItIsDetached) {
  auto show = sample::show();
  show.streams[0].policy = show::InputPolicy::hold;
  model_.set_show(std::make_shared<const show::Show>(std::move(show)), 2, "me");
  play(1, 20);
  auto reading = sample::sender(21);
  reading.streams[0].frames_skipped = 7;
  reading.streams[0].detached = "node rack2 took no frame";
  model_.accept(reading, now_ += 100ms);
  const auto stream = model_.view(now_).streams.at(0);
  EXPECT_EQ(stream.policy, show::InputPolicy::hold);
  EXPECT_EQ(stream.sender.frames_skipped, 7U);
  EXPECT_EQ(stream.sender.detached, "node rack2 took no frame");
}

TEST_F(ClusterModelTest, SurvivesAbsurdFigures) {
  play(1, 5);
  auto reading = sample::sender(6);
  reading.uptime = std::chrono::nanoseconds::max();
  reading.cpu = std::chrono::nanoseconds::min();
  auto& stage = reading.submixes[0].stages[0];
  stage.frames = std::numeric_limits<std::uint64_t>::max();
  stage.working = std::chrono::nanoseconds::max();
  stage.blocked = std::chrono::nanoseconds::min();
  reading.streams[0].links[0].bytes = std::numeric_limits<std::uint64_t>::max();
  reading.streams[0].links[0].queue_bytes = std::numeric_limits<std::uint64_t>::max();
  model_.accept(reading, now_ += 100ms);
  model_.advance(now_);
  EXPECT_TRUE(std::isfinite(first_link().mb_per_second));
  EXPECT_LE(first_link().queue_fill(), 1);
  EXPECT_LE(model_.view(now_).find_submix("left")->stages[0].shares.working, 1);
  reading.uptime = -1ns;
  reading.sequence = std::numeric_limits<std::uint64_t>::max();
  model_.accept(reading, now_ += 100ms);
  EXPECT_GE(first_link().mb_per_second, 0);
}

TEST_F(ClusterModelTest, KeepsABoundedNumberOfNodesAndEvents) {
  for (std::size_t i = 0; i < 2 * ClusterModel::kNodesMax; ++i) {
    model_.accept(sample::report(fmt::format("n{}", i)), now_);
    model_.accept(cluster::Event{"rack1", Severity::note, "x", std::to_string(i)}, now_);
  }
  const auto view = model_.view(now_);
  EXPECT_LE(view.nodes.size(), ClusterModel::kNodesMax + 2);
  EXPECT_EQ(view.events.size(), ClusterModel::kEventsMax);
}

TEST_F(ClusterModelTest, KnowsTheNewestFileOfEachRecorder) {
  model_.accept(cluster::Event{"rack1", Severity::note, "mix.record", "recorded to /a.mkv"}, now_);
  model_.accept(cluster::Event{"rack1", Severity::note, "left.record", "recorded to /b.mkv"}, now_);
  model_.accept(cluster::Event{"rack1", Severity::note, "mix.record", "recorded to /c.mkv"}, now_);
  const auto recorded = model_.view(now_).recorded;
  ASSERT_EQ(recorded.size(), 2U);
  EXPECT_EQ(recorded[0].path, "/c.mkv");
  EXPECT_EQ(recorded[1].path, "/b.mkv");
  EXPECT_EQ(recorded[1].slot, "left.record");
}

TEST_F(ClusterModelTest, KeepsABoundedNumberOfRecordedFiles) {
  for (std::size_t i = 0; i < 2 * ClusterModel::kRecordedMax; ++i)
    model_.accept(cluster::Event{"rack1", Severity::note, std::to_string(i), "recorded to /a.mkv"},
                  now_);
  EXPECT_EQ(model_.view(now_).recorded.size(), ClusterModel::kRecordedMax);
}

TEST_F(ClusterModelTest, CountsARepeatedEvent) {
  const cluster::Event event{"rack1", Severity::warning, "link 1 of left", "closed"};
  model_.accept(event, now_);
  model_.accept(cluster::Event{"rack1", Severity::note, "left", "other"}, now_);
  model_.accept(event, now_ + 1s);
  const auto view = model_.view(now_ + 1s);
  ASSERT_EQ(view.events.size(), 2U);
  EXPECT_EQ(view.events.back().count, 2U);
  EXPECT_EQ(view.events.back().at, now_ + 1s);
}

TEST_F(ClusterModelTest, RecordsTwoMinutesOfEachLink) {
  play(1, 1400);
  const auto history = first_link().history;
  ASSERT_EQ(history.size(), kHistorySamples);
  EXPECT_NEAR(history.back(), 35, 1e-3);
}

TEST_F(ClusterModelTest, DrawsSilenceAsZero) {
  play(1, 30);
  now_ += 3s;
  model_.advance(now_);
  EXPECT_EQ(first_link().history.back(), 0.0F);
}

TEST_F(ClusterModelTest, AddsUpTheCheckersCounters) {
  auto reading = sample::sender(1);
  reading.submixes[0].stages[0].plugin = "checker";
  reading.submixes[0].stages[0].counters = {{"lost", 2}};
  reading.submixes[0].stages[1].plugin = "checker";
  reading.submixes[0].stages[1].counters = {{"lost", 1}, {"torn", 4}};
  model_.accept(reading, now_);
  const auto counters = model_.view(now_).checker_counters();
  EXPECT_EQ(counters.at("lost"), 3U);
  EXPECT_EQ(counters.at("torn"), 4U);
}

TEST_F(ClusterModelTest, NamesTheNodeWithAnotherVersion) {
  auto odd = sample::report("rack1");
  odd.version = "0.2.0";
  model_.accept(odd, now_);
  model_.accept(sample::report("rack2"), now_);
  model_.accept(sample::report("rack3"), now_);
  EXPECT_TRUE(node("rack1").is_other_version);
  EXPECT_FALSE(node("rack2").is_other_version);
}

TEST_F(ClusterModelTest, ForgetsNodesThatLeftForGood) {
  model_.accept(sample::report("guest"), now_);
  model_.accept(sample::report("rack1"), now_);
  now_ += 11min;
  model_.advance(now_);
  EXPECT_EQ(model_.view(now_).find_node("guest"), nullptr);
  EXPECT_EQ(node("rack1").health, Health::gone) << "the show still names it";
}

TEST_F(ClusterModelTest, SaysWhyASubmixFailed) {
  auto report = sample::report("rack1");
  report.submixes = {{"left", cluster::SubmixState::failed, "clip: no such file"}};
  model_.accept(report, now_);
  play(1, 2);
  const auto view = model_.view(now_);
  EXPECT_EQ(view.find_submix("left")->state, SubmixState::failed);
  EXPECT_EQ(view.find_submix("left")->error, "clip: no such file");
}

TEST_F(ClusterModelTest, ShowsWhatTheFormerNodeMakesOfASubmixThatNobodyHasTakenOver) {
  auto moved = sample::show();
  for (auto& submix : moved.submixes) {
    if (submix.name == "left") submix.node = "rack9";
  }
  model_.set_show(std::make_shared<const show::Show>(moved), 2, "test");
  auto report = sample::report("rack1");
  report.submixes = {{"left", cluster::SubmixState::running, ""}};
  model_.accept(report, now_);
  play(1, 20);

  const auto view = model_.view(now_);
  const auto& left = *view.find_submix("left");
  EXPECT_EQ(left.node, "rack9");
  EXPECT_EQ(left.runs_on, "rack1");
  EXPECT_EQ(left.state, SubmixState::running);
  EXPECT_NEAR(left.fps, 30, 1e-6);
  EXPECT_EQ(left.error, "node \"rack9\" is not there to run it; node \"rack1\" goes on with it");
  EXPECT_NEAR(first_link().mb_per_second, 35, 1e-6);
}

TEST_F(ClusterModelTest, CallsTheSubmixNobodyStreamsFromFinal) {
  const auto view = model_.view(now_);
  EXPECT_TRUE(view.find_submix("mix")->is_final);
  EXPECT_FALSE(view.find_submix("left")->is_final);
}

TEST_F(ClusterModelTest, WaitsForNoSubmixThatStandsInOthers) {
  auto show = sample::show();
  const auto before = model_.view(now_).submixes.size();
  show.submixes.push_back(
      {"look", "", {{"in", "stream-in", {}, {}, false}, {"out", "stream-out", {}, {}, false}}});
  show.output_chain = "look";
  model_.set_show(std::make_shared<const show::Show>(show), 2, "test");
  const auto view = model_.view(now_);
  ASSERT_EQ(view.submixes.size(), before + 1);
  EXPECT_EQ(view.find_submix("look")->state, SubmixState::in_others);
  EXPECT_FALSE(view.find_submix("look")->is_final);
}

}  // namespace
}  // namespace submix::model
