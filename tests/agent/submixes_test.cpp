// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/submixes.hpp"

#include "common/base/mutex.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace submix::agent {
namespace {

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

show::Slot slot(std::string name, std::string plugin) {
  return {std::move(name), std::move(plugin), {}, {}, false};
}

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

/// Counts how often it is made.
plugin::Factory counted(int& made) {
  return [&made](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
    ++made;
    return std::make_unique<PassOn>();
  };
}

TEST_F(SubmixesTest, RenewAStreamsEndAlsoWhenItsEditFailedAtFirst) {
  int made = 0;
  catalog_.add({.id = std::string(show::kStreamOutPlugin), .kind = plugin::Kind::output}, counted(made));
  auto show = show_of({{"a", "here", {slot("p", "pattern"), slot("out", "stream-out")}}});
  submixes_.converge(show);
  wait_for_more_frames("a");
  show.streams.emplace_back();
  show.streams[0].name = "s";
  show.streams[0].from = {"a", "out"};
  show.streams[0].to = {"b", "in"};
  show.submixes[0].slots.push_back(slot("x", "no-such"));
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
  submixes_.converge(show_of({kPattern}));  // back to the plugin's own value
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

TEST_F(SubmixesTest, FollowTheTempoAlsoWhereTheirEditFails) {
  submixes_.converge(show_of({kPattern}));
  auto show = show_of({kPattern});
  show.tempo.beats_per_minute = 97;
  show.submixes[0].slots[1].plugin = "nul";
  submixes_.converge(show);
  EXPECT_EQ(submixes_.readings().at(0).timeline.beats_per_minute, 97.0);
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

/// Says when it ends.
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

  const show::Submix kMortal{"a", "here", {slot("p", "pattern"), slot("m", "mortal"), slot("n", "null")}};
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

TEST_F(MovedSubmix, EndsAtOnceWhereNobodyTakesOver) {
  submixes_.converge(show_of({}));
  EXPECT_FALSE(is_alive_);
}

TEST_F(MovedSubmix, ThatComesBackIsBuiltOnce) {
  submixes_.converge(show_of({}), {"a"});
  submixes_.converge(show_of({kMortal}));
  EXPECT_FALSE(submixes_.is_handing_over());
  EXPECT_TRUE(is_alive_) << "the new one, made after the former had ended";
  wait_for_more_frames("a");
}

TEST_F(SubmixesTest, NameASubmixThatDoesNotRunHere) {
  const auto picture = submixes_.picture("nowhere", "", 0);
  ASSERT_FALSE(picture.has_value());
  EXPECT_THAT(picture.error().message, HasSubstr("\"nowhere\""));
}

}  // namespace
}  // namespace submix::agent
