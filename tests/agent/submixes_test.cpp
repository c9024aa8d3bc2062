// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/submixes.hpp"

#include "common/base/mutex.hpp"
#include "node/plugin/built_ins.hpp"
#include "tests/agent/machines.hpp"
#include "tests/agent/slot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace submix::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RecordedEvents final : public EventSink {
 public:
  void report(Severity severity, std::string about, std::string text) override {
    MutexLock lock(mutex_);
    if (severity == Severity::fault) faults_ += about + ": " + text + "\n";
  }
  [[nodiscard]] std::string faults() const {
    MutexLock lock(mutex_);
    return faults_;
  }

 private:
  mutable Mutex mutex_;
  std::string faults_ SUBMIX_GUARDED_BY(mutex_);
};

show::Show show_of(std::vector<show::Submix> submixes) {
  show::Show show;
  show.size = {64, 64};
  show.rate = {240, 1};
  show.submixes = std::move(submixes);
  return show;
}

class SubmixesTest : public ::testing::Test {
 protected:
  SubmixesTest() { plugin::add_built_ins(catalog_); }

  std::uint64_t frames_of(const std::string& submix) const {
    for (const auto& reading : submixes_.readings()) {
      if (reading.name == submix) return reading.frames;
    }
    return 0;
  }

  void wait_for_more_frames(const std::string& submix) const {
    const auto before = frames_of(submix);
    while (frames_of(submix) <= before)
      std::this_thread::yield();  // bounded by ctest
  }

  RecordedEvents events_;
  SteadyClock clock_;
  plugin::Catalog catalog_{{}};
  engine::Transport transport_;
  engine::PatchEnvironment environment_{catalog_, events_, clock_, transport_};
  EpochClock epochs_;
  Submixes submixes_{environment_, epochs_};
};

class PassOn final : public plugin::Plugin {
 public:
  std::optional<media::Frame> process(plugin::Work& work) override { return work.inputs[0]; }
  void set(std::string_view, const show::ParameterValue&) override {}
};

const show::Submix kPattern{"a", "here", {slot("p", "pattern"), slot("n", "null")}};

TEST_F(SubmixesTest, RunWhatTheShareSays) {
  submixes_.converge(show_of({kPattern}));
  wait_for_more_frames("a");
  ASSERT_EQ(submixes_.reports().size(), 1U);
  EXPECT_EQ(submixes_.reports()[0].state, cluster::SubmixState::running);
  EXPECT_EQ(events_.faults(), "");
}

TEST_F(SubmixesTest, StopWhatTheShareNoLongerHas) {
  submixes_.converge(show_of({kPattern}));
  submixes_.converge(show_of({}));
  EXPECT_TRUE(submixes_.reports().empty());
  EXPECT_TRUE(submixes_.readings().empty());
}

TEST_F(SubmixesTest, ThatDidNotChangeGoOnUndisturbed) {
  submixes_.converge(show_of({kPattern}));
  wait_for_more_frames("a");
  const auto before = frames_of("a");
  submixes_.converge(show_of({kPattern, {"b", "here", {slot("p", "pattern")}}}));
  EXPECT_GE(frames_of("a"), before);
  wait_for_more_frames("b");
}

TEST_F(SubmixesTest, ThatCannotBeBuiltAreReportedAndTheirOldPatchGoesOn) {
  submixes_.converge(show_of({kPattern}));
  auto broken = kPattern;
  broken.slots[1].plugin = "nul";
  submixes_.converge(show_of({broken}));
  ASSERT_EQ(submixes_.reports().size(), 1U);
  EXPECT_EQ(submixes_.reports()[0].state, cluster::SubmixState::failed);
  EXPECT_THAT(submixes_.reports()[0].error, HasSubstr("\"nul\""));
  EXPECT_THAT(submixes_.reports()[0].error, HasSubstr("what ran before goes on"));
  wait_for_more_frames("a");
}

TEST_F(SubmixesTest, ThatFailedAreTriedAgainWithTheNextShow) {
  auto broken = kPattern;
  broken.slots[1].plugin = "nul";
  submixes_.converge(show_of({broken}));
  submixes_.converge(show_of({kPattern}));
  wait_for_more_frames("a");
  EXPECT_EQ(submixes_.reports()[0].state, cluster::SubmixState::running);
}

/// Counts its constructions.
plugin::Factory counted(int& made) {
  return [&made](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
    ++made;
    return std::make_unique<PassOn>();
  };
}

TEST_F(SubmixesTest, RenewAStreamsEndAlsoWhenItsEditFailedAtFirst) {
  int made = 0;
  catalog_.add({.id = std::string(show::kStreamOutPlugin), .kind = plugin::Kind::output},
               counted(made), plugin::TryOut::none);
  auto show = show_of({{"a", "here", {slot("p", "pattern"), slot("out", "stream-out")}}});
  submixes_.converge(show);
  wait_for_more_frames("a");
  show.streams.emplace_back();
  show.streams[0].name = "s";
  show.streams[0].from = {"a", "out"};
  show.streams[0].to = {"b", "in"};
  show.submixes[0].slots.push_back(slot("x", "stamp"));
  show.submixes[0].slots.back().inputs =
      std::vector<std::string>{"nowhere"};  // nothing can stand in for that
  submixes_.converge(show);
  EXPECT_EQ(made, 1);
  show.submixes[0].slots.pop_back();
  submixes_.converge(show);
  EXPECT_EQ(made, 2) << "the stream that it leads to is new";
  EXPECT_EQ(submixes_.reports()[0].state, cluster::SubmixState::running);
}

TEST_F(SubmixesTest, TakeAParameterWithoutBeingBuiltAnew) {
  submixes_.converge(show_of({kPattern}));
  wait_for_more_frames("a");
  auto changed = kPattern;
  changed.slots[0].parameters["speed"] = 2.0;
  const auto before = frames_of("a");
  submixes_.converge(show_of({changed}));
  EXPECT_GE(frames_of("a"), before);
  submixes_.converge(show_of({kPattern}));  // back to the plugin's default value
  EXPECT_GE(frames_of("a"), before);
  EXPECT_EQ(events_.faults(), "");
}

TEST_F(SubmixesTest, AreFailedWhereOneOfSeveralSettingsIs) {
  show::Submix two{"a", "here", {slot("p", "pattern"), slot("q", "pattern"), slot("n", "null")}};
  submixes_.converge(show_of({two}));
  two.slots[0].parameters["speed"] = "fast";
  two.slots[1].parameters["speed"] = 2.0;
  submixes_.converge(show_of({two}));
  EXPECT_EQ(submixes_.reports()[0].state, cluster::SubmixState::failed);
  EXPECT_THAT(submixes_.reports()[0].error, HasSubstr("\"speed\""));
}

/// Passes frames on, and tells its level.
class TellsLevel final : public plugin::Plugin {
 public:
  explicit TellsLevel(std::atomic<double>& level) : level_(level) {}
  std::optional<media::Frame> process(plugin::Work& work) override { return work.inputs[0]; }
  void set(std::string_view, const show::ParameterValue& value) override {
    level_ = std::get<double>(value);
  }

 private:
  std::atomic<double>& level_;
};

TEST_F(SubmixesTest, FollowTheTempoAlsoWhereTheirEditFails) {
  std::atomic<double> level = 0;
  catalog_.add({.id = "level", .kind = plugin::Kind::filter, .parameters = {{.name = "level"}}},
               [&level](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                 return std::make_unique<TellsLevel>(level);
               });
  show::Submix moved{"a", "here", {slot("p", "pattern"), slot("l", "level"), slot("n", "null")}};
  moved.slots[1].oscillators = {{"level", {.waveform = show::Waveform::ramp_up, .beats = 8}}};
  auto show = show_of({moved});
  submixes_.converge(show);
  show.tempo.master_speed = 0;
  show.tempo.beats = 5;
  show.submixes[0].slots[2].plugin = "nul";
  submixes_.converge(show);
  while (level != 0.625)
    std::this_thread::yield();  // bounded by ctest
}

TEST_F(SubmixesTest, StartAnewAtAnotherSize) {
  submixes_.converge(show_of({kPattern}));
  wait_for_more_frames("a");
  auto larger = show_of({kPattern});
  larger.size = {128, 64};
  submixes_.converge(larger);
  wait_for_more_frames("a");
  const auto picture = submixes_.picture("a", "p", 0).value();
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->image.size, (Size{128, 64}));
}

TEST_F(SubmixesTest, ThatComeBackFromANodeWhoseClockIsAheadHaveAGreaterEpoch) {
  EpochClock ahead(
      [] { return std::chrono::system_clock::now().time_since_epoch() + std::chrono::minutes(1); });
  Submixes younger(environment_, ahead);
  younger.converge(show_of({kPattern}));
  const auto epoch_of = [](const Submixes& submixes) {
    for (;;) {  // bounded by ctest
      const auto picture = submixes.picture("a", "p", 0);
      if (picture && *picture) return (*picture)->stamp.epoch;
      std::this_thread::yield();
    }
  };
  const auto epoch_away = epoch_of(younger);
  younger.converge(show_of({}));
  epochs_.hear(ahead.to_be_told());
  submixes_.converge(show_of({kPattern}));
  EXPECT_GT(epoch_of(submixes_), epoch_away);
}

/// Reports its destruction.
class Mortal final : public plugin::Plugin {
 public:
  explicit Mortal(std::atomic<bool>& is_alive) : is_alive_(is_alive) { is_alive_ = true; }
  Mortal(const Mortal&) = delete;
  Mortal& operator=(const Mortal&) = delete;
  ~Mortal() override { is_alive_ = false; }
  std::optional<media::Frame> process(plugin::Work& work) override { return work.inputs[0]; }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  std::atomic<bool>& is_alive_;
};

class MovedSubmix : public SubmixesTest {
 protected:
  MovedSubmix() {
    catalog_.add({.id = "mortal", .kind = plugin::Kind::filter},
                 [this](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                   return std::make_unique<Mortal>(is_alive_);
                 });
    submixes_.converge(show_of({kMortal}));
    wait_for_more_frames("a");
  }

  const show::Submix kMortal{
      "a", "here", {slot("p", "pattern"), slot("m", "mortal"), slot("n", "null")}};
  std::atomic<bool> is_alive_ = false;
};

TEST_F(MovedSubmix, GoesOnUntilItsNewNodeHasTakenOver) {
  submixes_.converge(show_of({}), {"a"});
  EXPECT_TRUE(submixes_.reports().empty()) << "it is the other node's";
  submixes_.tend([](const std::string&) { return false; });
  EXPECT_TRUE(is_alive_);
  EXPECT_TRUE(submixes_.is_handing_over());
  submixes_.tend([](const std::string& name) { return name == "a"; });
  EXPECT_FALSE(is_alive_);
  EXPECT_FALSE(submixes_.is_handing_over());
}

TEST_F(MovedSubmix, IsReportedWhileItRunsOnInTheShowsFormat) {
  submixes_.converge(show_of({}), {"a"});
  ASSERT_EQ(submixes_.reports_of_moved().size(), 1U);
  EXPECT_EQ(submixes_.reports_of_moved()[0].name, "a");
  EXPECT_FALSE(submixes_.reports_of_moved()[0].awaits_first_frame);
  auto larger = show_of({});
  larger.size = {128, 64};
  submixes_.converge(larger, {"a"});
  EXPECT_TRUE(submixes_.reports_of_moved().empty()) << "its frames are of no use to the show";
}

TEST_F(MovedSubmix, IsMeasuredAndSeenWhileItRunsOn) {
  submixes_.converge(show_of({}), {"a"});
  const auto readings = submixes_.readings();
  ASSERT_EQ(readings.size(), 1U);
  EXPECT_EQ(readings[0].name, "a");
  EXPECT_TRUE(submixes_.picture("a", "", 0).has_value());
  submixes_.converge(show_of({}));
  EXPECT_TRUE(submixes_.readings().empty());
}

TEST_F(MovedSubmix, EndsWhenTheShowGivesItToNobodyAfterItsMove) {
  submixes_.converge(show_of({}), {"a"});
  ASSERT_TRUE(is_alive_);
  submixes_.converge(show_of({}));
  EXPECT_FALSE(is_alive_);
}

TEST_F(MovedSubmix, EndsAtOnceWhereNobodyTakesOver) {
  submixes_.converge(show_of({}));
  EXPECT_FALSE(is_alive_);
}

TEST_F(MovedSubmix, ThatComesBackHasNeverStopped) {
  const auto before = frames_of("a");
  submixes_.converge(show_of({}), {"a"});
  submixes_.converge(show_of({kMortal}));
  EXPECT_FALSE(submixes_.is_handing_over());
  EXPECT_TRUE(is_alive_);
  EXPECT_GE(frames_of("a"), before) << "a new patch would count from 0";
  wait_for_more_frames("a");
}

/// Black. In trouble while its level has a value with which it could not start.
class Filed final : public plugin::Plugin {
 public:
  static constexpr double kRefusedLevel = 0.75;

  explicit Filed(std::unique_ptr<plugin::Plugin> black) : black_(std::move(black)) {}
  std::optional<media::Frame> process(plugin::Work& work) override { return black_->process(work); }
  void set(std::string_view name, const show::ParameterValue& value) override {
    if (name == "level") is_in_trouble_ = std::get<double>(value) == kRefusedLevel;
  }
  std::string trouble() const override { return is_in_trouble_ ? "no such level" : ""; }

 private:
  std::unique_ptr<plugin::Plugin> black_;
  std::atomic<bool> is_in_trouble_{false};
};

/// The file of these submixes' slots, which may be missing.
class FaultySubmix : public SubmixesTest {
 protected:
  FaultySubmix() {
    plugin::Description file{.id = "file", .kind = plugin::Kind::source};
    file.parameters = {
        {.name = "file", .type = plugin::ParameterType::text, .initial = std::string()},
        {.name = "level"}};
    catalog_.add(
        std::move(file),
        [this](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
          ++times_opened_;
          if (std::get<std::string>(setup.parameters.at("file")) != existing_)
            return fail("{}: there is no such file",
                        std::get<std::string>(setup.parameters.at("file")));
          if (std::get<double>(setup.parameters.at("level")) == Filed::kRefusedLevel)
            return fail("no such level");
          return plugin::make_stand_in_source(with_reason(setup)).map([](auto black) {
            return std::unique_ptr<plugin::Plugin>(std::make_unique<Filed>(std::move(black)));
          });
        });
  }

  static plugin::Setup with_reason(plugin::Setup setup) {
    setup.parameters.emplace("reason", std::string());
    return setup;
  }
  show::Submix playing(const std::string& file) const {
    auto source = slot("clip", "file");
    source.parameters.emplace("file", file);
    return {"a", "here", {source, slot("n", "null")}};
  }
  cluster::SubmixReport report() const { return submixes_.reports().at(0); }
  std::string trouble() const {
    const auto readings = submixes_.readings();
    return readings.empty() ? std::string() : readings[0].stages[0].trouble;
  }

  const show::Submix kOther{"b", "here", {slot("p", "pattern"), slot("n", "null")}};
  std::string existing_ = "clip.mp4";
  int times_opened_ = 0;
};

TEST_F(FaultySubmix, KeepsARefusedFileOutAndFollowsFurtherEdits) {
  submixes_.converge(show_of({playing("clip.mp4")}));
  wait_for_more_frames("a");
  auto wanted = playing("typo.mp4");
  submixes_.converge(show_of({wanted}));
  EXPECT_EQ(report().state, cluster::SubmixState::failed);
  EXPECT_THAT(report().error, HasSubstr("typo.mp4"));

  wanted.slots.push_back(slot("more", "null"));
  submixes_.converge(show_of({wanted}));
  EXPECT_EQ(report().state, cluster::SubmixState::running) << report().error;
  EXPECT_THAT(report().error, HasSubstr("the slot goes on as it was before"));
  EXPECT_EQ(submixes_.readings()[0].stages.size(), 3U);
  wait_for_more_frames("a");

  submixes_.converge(show_of({playing("clip.mp4")}));
  EXPECT_EQ(report().error, "");
}

TEST_F(FaultySubmix, RunsWithBlackInPlaceOfASourceThatWasNeverThere) {
  submixes_.converge(show_of({playing("typo.mp4")}));
  EXPECT_EQ(report().state, cluster::SubmixState::running) << report().error;
  EXPECT_THAT(report().error, HasSubstr("black stands in for it"));
  wait_for_more_frames("a");
  EXPECT_THAT(trouble(), HasSubstr("there is no such file"));
}

TEST_F(FaultySubmix, IsLeftToTheOtherNodeThatMakesFramesOfIt) {
  std::string other = "former";
  Submixes submixes(environment_, epochs_, {}, [&](const std::string&) { return other; });
  submixes.converge(show_of({playing("typo.mp4")}));
  ASSERT_EQ(submixes.reports().size(), 1U);
  EXPECT_EQ(submixes.reports()[0].state, cluster::SubmixState::failed);
  EXPECT_THAT(submixes.reports()[0].error, HasSubstr("node \"former\" goes on with the submix"));
  EXPECT_THAT(submixes.awaited_nodes(), ::testing::ElementsAre("former"));
  submixes.tend();
  EXPECT_TRUE(submixes.readings().empty() || submixes.readings()[0].stages.empty());

  other.clear();  // the other node has ended
  submixes.tend();
  EXPECT_EQ(submixes.reports()[0].state, cluster::SubmixState::running);
  EXPECT_THAT(submixes.reports()[0].error, HasSubstr("black stands in for it"));
  EXPECT_TRUE(submixes.awaited_nodes().empty());
}

TEST_F(FaultySubmix, IsBuiltOnceItsFaultIsMendedThoughAnotherNodeMakesFrames) {
  Submixes submixes(environment_, epochs_, {}, [](const std::string&) { return "former"; });
  submixes.converge(show_of({playing("typo.mp4")}));
  submixes.converge(show_of({playing("clip.mp4")}));
  EXPECT_EQ(submixes.reports()[0].state, cluster::SubmixState::running);
  EXPECT_EQ(submixes.reports()[0].error, "");
  EXPECT_TRUE(submixes.awaited_nodes().empty());
}

TEST_F(FaultySubmix, RunsAfterARestartAsItRanLast) {
  submixes_.remember_good({playing("clip.mp4")});
  submixes_.converge(show_of({playing("typo.mp4")}));
  wait_for_more_frames("a");
  EXPECT_THAT(report().error, HasSubstr("the slot goes on as it was before"));
  EXPECT_EQ(trouble(), "");
}

TEST_F(FaultySubmix, RemembersOnlyWhatRanWithoutAFault) {
  submixes_.converge(show_of({playing("clip.mp4")}));
  submixes_.converge(show_of({playing("typo.mp4")}));
  ASSERT_EQ(submixes_.good().size(), 1U);
  EXPECT_EQ(submixes_.good()[0], playing("clip.mp4"));
}

TEST_F(FaultySubmix, RemembersNoSettingThatPutsAPluginInTrouble) {
  auto wanted = playing("clip.mp4");
  submixes_.converge(show_of({wanted}));
  EXPECT_FALSE(report().has_trouble);
  wanted.slots[0].parameters["level"] = Filed::kRefusedLevel;
  submixes_.converge(show_of({wanted}));
  while (!report().has_trouble)
    std::this_thread::yield();  // bounded by ctest
  EXPECT_EQ(report().error, "") << "it plays on";
  wanted.slots.push_back(slot("more", "null"));
  submixes_.converge(show_of({wanted}));
  EXPECT_EQ(submixes_.good()[0], playing("clip.mp4"));
}

TEST_F(FaultySubmix, IsFoundBeforeItIsFollowed) {
  submixes_.converge(show_of({playing("clip.mp4")}));
  const auto faults = submixes_.find_faults(show_of({playing("typo.mp4")}));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].submix, "a");
  EXPECT_EQ(faults[0].slot, "clip");
  EXPECT_THAT(faults[0].reason, HasSubstr("there is no such file"));
  EXPECT_EQ(report().error, "") << "nothing has changed";
}

TEST_F(FaultySubmix, IsLookedForOnlyAsLongAsAPersonWaits) {
  ForwardClock clock;
  catalog_.add({.id = "slow", .kind = plugin::Kind::source},
               [&](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
                 clock.put_forward(std::chrono::milliseconds(1500));
                 return fail("{}: there is no such file", setup.about());
               });
  testing::EventLog events;
  auto environment = engine::PatchEnvironment{catalog_, events, clock, transport_};
  Submixes submixes(environment, epochs_);
  std::vector<show::Submix> wanted;
  for (const auto* name : {"a", "b", "c", "d"})
    wanted.push_back({name, "here", {slot("s", "slow"), slot("n", "null")}});

  const auto faults = submixes.find_faults(show_of(wanted));
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[1].submix, "b");
  EXPECT_THAT(events.lines(), ElementsAre(HasSubstr("2 of 4 submixes")));
  EXPECT_EQ(submixes.find_faults(show_of(wanted), true).size(), 4U) << "a whole check has time";
}

TEST_F(FaultySubmix, IsNotBlamedOnAnEditThatLeavesTheFaultAsItIs) {
  submixes_.converge(show_of({playing("typo.mp4")}));
  auto next = playing("typo.mp4");
  next.slots.push_back(slot("more", "null"));
  EXPECT_TRUE(submixes_.find_faults(show_of({next})).empty());
  next.slots.push_back(slot("worse", "nul"));
  EXPECT_EQ(submixes_.find_faults(show_of({next})).size(), 1U);
}

TEST_F(FaultySubmix, IsNotBlamedOnAnEditElsewhereWhileItsPatchWaitsForItsStreams) {
  Submixes starting(environment_, epochs_, [](const std::string&) { return PeersReady::none; });
  starting.converge(show_of({playing("typo.mp4"), kOther}));
  ASSERT_TRUE(starting.is_handing_over());
  auto next = kOther;
  next.slots.push_back(slot("more", "null"));
  EXPECT_TRUE(starting.find_faults(show_of({playing("typo.mp4"), next})).empty());
  auto worse = playing("typo.mp4");
  worse.slots.push_back(slot("worse", "nul"));
  EXPECT_EQ(starting.find_faults(show_of({worse, next})).size(), 1U);
}

TEST_F(FaultySubmix, WithoutAPatchBlocksNoEdit) {
  auto broken = playing("clip.mp4");
  broken.slots[1].inputs = std::vector<std::string>{"nowhere"};  // nothing can stand in for that
  submixes_.converge(show_of({broken, kOther}));
  ASSERT_EQ(report().state, cluster::SubmixState::failed);
  auto next = kOther;
  next.slots.push_back(slot("more", "null"));
  EXPECT_TRUE(submixes_.find_faults(show_of({broken, next})).empty());
  broken.slots.push_back(slot("more", "null"));
  EXPECT_TRUE(submixes_.find_faults(show_of({broken, next})).empty()) << "nor one beside the fault";
  broken.slots.push_back(slot("worse", "nul"));
  EXPECT_FALSE(submixes_.find_faults(show_of({broken, next})).empty());
}

TEST_F(FaultySubmix, IsRefusedWithoutRoomForTheReceiverOfANewStream) {
  environment_.memory_free = [] { return std::size_t{1000}; };
  Submixes small(environment_, epochs_);
  auto share = show_of({kOther});
  small.converge(share);
  show::Stream stream;
  stream.name = "new";
  stream.from = {"elsewhere", "out"};
  stream.to = {kOther.name, "in"};
  share.streams.push_back(stream);
  const auto faults = small.find_faults(share);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults[0].reason, HasSubstr("MB of memory more"));
  small.converge(share);
  EXPECT_TRUE(small.find_faults(share).empty()) << "its receiver is there";
}

TEST_F(FaultySubmix, ThatTheShareLeavesAsItIsNeedsNoMoreRoom) {
  environment_.memory_free = [] { return std::size_t{1000}; };
  Submixes small(environment_, epochs_, [](const std::string&) { return PeersReady::none; });
  small.converge(show_of({playing("clip.mp4")}));
  EXPECT_TRUE(small.find_faults(show_of({playing("clip.mp4")})).empty());
}

TEST_F(FaultySubmix, IsFoundWhereOnlyANumberDiffers) {
  submixes_.converge(show_of({playing("clip.mp4")}));
  auto next = playing("clip.mp4");
  next.slots[0].parameters["level"] = Filed::kRefusedLevel;
  const auto faults = submixes_.find_faults(show_of({next}));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].slot, "clip");
  EXPECT_THAT(faults[0].reason, HasSubstr("level"));
}

TEST_F(FaultySubmix, IsFoundInWhatStaysAsItIsWhereTheWholeIsLookedAt) {
  const auto show = show_of({playing("typo.mp4")});
  submixes_.converge(show);
  EXPECT_TRUE(submixes_.find_faults(show).empty());
  EXPECT_EQ(submixes_.find_faults(show, true).size(), 1U);
}

TEST_F(FaultySubmix, IsOpenedOnceWhereTheWholeIsLookedAt) {
  EXPECT_EQ(submixes_.find_faults(show_of({playing("typo.mp4")}), true).size(), 1U);
  EXPECT_EQ(times_opened_, 1) << "a slow file takes its time once";
  submixes_.converge(show_of({playing("clip.mp4")}));
  times_opened_ = 0;
  EXPECT_EQ(submixes_.find_faults(show_of({playing("typo.mp4")}), true).size(), 1U);
  EXPECT_EQ(times_opened_, 1);
}

TEST_F(FaultySubmix, WithoutRoomForItsFramesIsRefusedBeforeItIsBuilt) {
  environment_.memory_free = [] { return std::size_t{1000}; };
  const Submixes small(environment_, epochs_);
  const auto faults = small.find_faults(show_of({playing("clip.mp4")}));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults[0].reason, HasSubstr("memory"));
}

TEST_F(SubmixesTest, NameASubmixThatDoesNotRunHere) {
  const auto picture = submixes_.picture("nowhere", "", 0);
  ASSERT_FALSE(picture.has_value());
  EXPECT_THAT(picture.error().message, HasSubstr("\"nowhere\""));
}

}  // namespace
}  // namespace submix::agent
