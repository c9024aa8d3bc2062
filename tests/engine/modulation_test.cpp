// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters that oscillators move, in a running patch.
#include "node/engine/modulation.hpp"
#include "common/show/announce.hpp"
#include "node/engine/latest_sound.hpp"
#include "tests/engine/fakes.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::engine {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

/// The patch's output, and the values told to a filter. Synchronized.
struct Told {
  Mutex mutex;
  Condition changed;
  std::vector<std::pair<std::uint64_t, int>> levels;  // for each frame: its number, its level
  std::vector<int> inner_levels;                      // levels from the slot before
  std::size_t settings = 0;
  std::vector<std::pair<std::uint64_t, double>> beats;  // for each frame, by a plugin that follows

  std::vector<std::pair<std::uint64_t, int>> wait_for(std::size_t frames) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    const MutexLock lock(mutex);
    while (levels.size() < frames) {
      if (changed.wait_until(mutex, deadline) == std::cv_status::timeout) break;
    }
    return levels;
  }
};

/// Notes each frame's number and its first bytes.
class Notes final : public plugin::Plugin {
 public:
  explicit Notes(Told& told) : told_(told) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    const MutexLock lock(told_.mutex);
    told_.levels.emplace_back(work.stamp.index.value, work.inputs[0].rgba()[0]);
    told_.inner_levels.push_back(work.inputs[0].rgba()[1]);
    told_.changed.notify_all();
    return work.inputs[0];
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  Told& told_;
};

/// Makes frames of its level, followed by its input's level, and counts how often it is told a
/// level.
class Level final : public plugin::Plugin {
 public:
  Level(Told& told, const plugin::Setup& setup) : told_(told) {
    if (const auto level = setup.parameters.find("level"); level != setup.parameters.end())
      level_ = static_cast<std::uint8_t>(std::get<double>(level->second));
  }
  std::optional<media::Frame> process(plugin::Work& work) override {
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    output->rgba()[0] = level_;
    output->rgba()[1] = work.inputs[0].rgba()[0];
    return std::move(*output).publish();
  }
  void set(std::string_view, const show::ParameterValue& value) override {
    level_ = static_cast<std::uint8_t>(std::get<double>(value));
    const MutexLock lock(told_.mutex);
    ++told_.settings;
  }

 private:
  Told& told_;
  std::uint8_t level_ = 0;
};

/// Notes the beat of each frame, and the next one's by its pace.
class Follower final : public plugin::Plugin {
 public:
  explicit Follower(Told& told) : told_(told) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    const MutexLock lock(told_.mutex);
    told_.beats.emplace_back(work.stamp.index.value, beat_.count);
    told_.beats.emplace_back(work.stamp.index.value + 1, beat_.count + beat_.per_frame);
    return work.inputs[0];
  }
  void set(std::string_view, const show::ParameterValue&) override {}
  void tell_beat(const plugin::Beat& beat) override { beat_ = beat; }

 private:
  Told& told_;
  plugin::Beat beat_;
};

// A ramp that shows a frame's number: each frame is a level higher.
show::Oscillator ramp() {
  return {.waveform = show::Waveform::ramp_up, .frequency = 1.0, .from = 0, .to = 100};
}
constexpr FrameRate kRate{100, 1};

class Modulations : public ::testing::Test {
 protected:
  Modulations() {
    bench_.options.rate = kRate;
    bench_.catalog.add(
        {.id = "level",
         .kind = plugin::Kind::filter,
         .parameters = {{.name = "level", .maximum = 255},
                        {.name = "word", .type = plugin::ParameterType::text, .initial = ""}},
         .memory = plugin::Memory::none},
        [this](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
          return std::make_unique<Level>(told_, setup);
        });
    bench_.catalog.add({.id = "follower", .kind = plugin::Kind::filter, .follows_beats = true},
                       [this](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                         return std::make_unique<Follower>(told_);
                       });
    bench_.catalog.add(
        {.id = "notes", .kind = plugin::Kind::output, .parameters = {{.name = "level"}}},
        [this](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
          return std::make_unique<Notes>(told_);
        });
  }

  static show::Slot moved(const show::Oscillator& oscillator, int helpers = 1) {
    auto slot = engine::slot("m", "level");
    slot.helpers = helpers;
    slot.oscillators = {{"level", oscillator}};
    return slot;
  }
  [[nodiscard]] static std::vector<show::Slot> slots(show::Slot filter) {
    return {engine::slot("s", "source"), std::move(filter), engine::slot("n", "notes")};
  }
  void start(show::Slot filter) {
    patch_ = bench_.build(slots(std::move(filter))).value();
    patch_->start();
  }
  [[nodiscard]] Result<void> tune(show::Oscillators oscillators) {
    return patch_->tune({{"left", "m"}, {}, {}, std::move(oscillators)});
  }
  // The right level of a frame, as every node computes it.
  static int level_of(const show::Oscillator& oscillator, std::uint64_t frame,
                      const show::Tempo& tempo = {}) {
    return static_cast<int>(show::value_at(oscillator, show::moment_of(tempo, kRate, {frame}),
                                           show::seed_of("left.m.level")));
  }
  // The greatest change from a frame to the next; `period` is the number of levels after which the
  // ramp begins again.
  static int widest_step(const std::vector<std::pair<std::uint64_t, int>>& levels, int period) {
    int widest = 0;
    for (std::size_t i = 1; i < levels.size(); ++i)
      widest = std::max(widest, (levels[i].second - levels[i - 1].second + period) % period);
    return widest;
  }
  // Pauses the patch; returns a time that no source has reached, a few frames ahead.
  [[nodiscard]] std::chrono::milliseconds pause_before() {
    bench_.transport.pause();
    return std::chrono::milliseconds(10 * (told_.wait_for(1).size() + 30));
  }
  static std::uint64_t frame_at(std::chrono::milliseconds time) {
    return kRate.index_at(time).value;
  }
  static std::size_t wrong(const std::vector<std::pair<std::uint64_t, int>>& levels,
                           const show::Oscillator& oscillator, const show::Tempo& tempo = {}) {
    return static_cast<std::size_t>(std::count_if(
        levels.begin(), levels.end(),
        [&](const auto& each) { return each.second != level_of(oscillator, each.first, tempo); }));
  }
  bool reaches(int level) {
    return eventually([&] { return told_.wait_for(1).back().second == level; });
  }
  std::size_t settings() {
    const MutexLock lock(told_.mutex);
    return told_.settings;
  }

  Workbench bench_;
  testing::ManualClock clock_;  // of latest_
  LatestSound latest_{clock_};
  Told told_;
  std::unique_ptr<Patch> patch_;
};

TEST_F(Modulations, GiveEachFrameTheValueOfItsNumber) {
  start(moved(ramp()));
  const auto levels = told_.wait_for(300);
  EXPECT_EQ(wrong(levels, ramp()), 0U);
  EXPECT_EQ(levels[42], std::pair(std::uint64_t{42}, 42));
}

TEST_F(Modulations, AreTheSameWhereHelpersShareTheFrames) {
  auto random = ramp();
  random.waveform = show::Waveform::random;
  random.frequency = 50;
  start(moved(random, 4));
  EXPECT_EQ(wrong(told_.wait_for(400), random), 0U);
}

TEST_F(Modulations, FollowTheSoundUntilNothingIsHeardOfIt) {
  bench_.sound = &latest_;
  start(moved({.waveform = show::Waveform::sound_bass, .from = 10, .to = 110}));
  EXPECT_TRUE(reaches(10)) << "silence before anything is heard";
  latest_.store({.level = 1.0, .bass = 0.5});
  EXPECT_TRUE(reaches(60));
  clock_.advance(LatestSound::kHeld);
  EXPECT_TRUE(reaches(10)) << "the PC that listens has gone";
}

TEST_F(Modulations, StandStillInAPauseAndGoOnByStep) {
  bench_.options.is_free_running = false;
  start(moved(ramp()));
  static_cast<void>(told_.wait_for(5));
  bench_.transport.pause();
  const auto frames = [&] { return patch_->telemetry().frames; };
  for (std::uint64_t before = frames() + 1; before != frames();)
    before = frames();
  const auto paused = told_.wait_for(1).size();
  bench_.transport.step();
  static_cast<void>(told_.wait_for(paused + 1));
  bench_.transport.resume();
  const auto levels = told_.wait_for(paused + 50);
  EXPECT_EQ(wrong(levels, ramp()), 0U);
  EXPECT_EQ(levels.back().first + 1, levels.size());
}

TEST_F(Modulations, ChangeWhileFramesFlowAndLoseNone) {
  start(moved(ramp()));
  static_cast<void>(told_.wait_for(20));
  show::Oscillator high{.waveform = show::Waveform::square, .frequency = 1, .from = 200, .to = 201};
  ASSERT_TRUE(tune({{"level", high}}));
  ASSERT_TRUE(eventually([&] { return told_.wait_for(1).back().second >= 200; }));
  const auto levels = told_.wait_for(told_.wait_for(1).size() + 50);
  const auto first = std::find_if(levels.begin(), levels.end(),
                                  [](const auto& each) { return each.second >= 200; });
  EXPECT_EQ(wrong({levels.begin(), first}, ramp()), 0U);
  EXPECT_EQ(wrong({first, levels.end()}, high), 0U);
  EXPECT_EQ(levels.back().first + 1, levels.size());
}

TEST_F(Modulations, GiveWayToTheStatedValueWhenTheyEnd) {
  auto filter = moved(ramp());
  filter.parameters = {{"level", 77.0}};
  start(filter);
  static_cast<void>(told_.wait_for(20));
  ASSERT_TRUE(patch_->set_parameter("m", "level", 210.0));  // stated, but still moved
  EXPECT_EQ(wrong(told_.wait_for(120), ramp()), 0U);
  auto off = ramp();
  off.is_on = false;
  ASSERT_TRUE(tune({{"level", off}}));
  EXPECT_TRUE(reaches(210));
  ASSERT_TRUE(tune({{"level", ramp()}}));
  EXPECT_TRUE(eventually([&] { return told_.wait_for(1).back().second < 200; }));
  ASSERT_TRUE(patch_->edit(bench_.submix(slots(engine::slot("m", "level")))));
  EXPECT_TRUE(reaches(0));  // the plugin's initial value
}

TEST_F(Modulations, BeginWithAnEditToo) {
  start(engine::slot("m", "level"));
  static_cast<void>(told_.wait_for(20));
  ASSERT_TRUE(patch_->edit(bench_.submix(slots(moved(ramp())))));
  const auto so_far = told_.wait_for(1).size();
  const auto levels = told_.wait_for(so_far + 300);
  EXPECT_EQ(wrong({levels.end() - 200, levels.end()}, ramp()), 0U);
}

TEST_F(Modulations, FollowTheTempoFromTheAnnouncedFrameOn) {
  bench_.options.tempo.master_speed = 2;
  start(moved(ramp()));
  EXPECT_EQ(told_.wait_for(60)[30], std::pair(std::uint64_t{30}, 60));
  const auto at = pause_before();
  const auto tempo = show::changed(bench_.options.tempo, 120, 0, at);
  ASSERT_TRUE(patch_->tune({}, tempo));
  bench_.transport.resume();
  const auto levels = told_.wait_for(frame_at(at) + 50);
  EXPECT_EQ(wrong(levels, ramp(), tempo), 0U);
  EXPECT_EQ(levels.back().second, levels[frame_at(at)].second);
}

// In each frame both slots must have followed the same tempo, whichever slot was told first.
TEST_F(Modulations, HaveOneTempoInEachFrame) {
  auto second = moved(ramp(), 3);
  second.name = "m2";
  patch_ = bench_.build({slot("s", "source"), moved(ramp()), std::move(second), slot("n", "notes")})
               .value();
  patch_->start();
  for (int i = 1; i <= 100; ++i) {
    static_cast<void>(told_.wait_for(static_cast<std::size_t>(i) * 5));
    ASSERT_TRUE(
        patch_->tune({}, show::Tempo{.beats_per_minute = 120, .master_speed = i % 5 * 0.75}));
  }
  static_cast<void>(told_.wait_for(600));
  patch_->stop();
  for (std::size_t i = 0; i < told_.levels.size(); ++i)
    ASSERT_EQ(told_.levels[i].second, told_.inner_levels[i]) << "frame " << i;
}

TEST_F(Modulations, ChangeTheirFrequencyAtTheAnnouncedFrame) {
  start(moved(ramp(), 2));
  static_cast<void>(told_.wait_for(1));  // a pause before the first frame would keep it back
  auto show = show::Show();
  show.submixes = {bench_.submix(slots(moved(ramp())))};
  std::uint64_t last = 0;
  for (int i = 1; i <= 50; ++i) {
    auto after = show;
    after.submixes[0].slots[1].oscillators.at("level").frequency = 0.5 + i % 4;
    const auto at = pause_before();
    show::announce(&show, after, at);
    show = after;
    ASSERT_TRUE(tune(show.submixes[0].slots[1].oscillators));
    bench_.transport.resume();
    last = frame_at(at);
    static_cast<void>(told_.wait_for(last + 1));
  }
  const auto levels = told_.wait_for(last + 100);
  EXPECT_LE(widest_step(levels, 100), 5);
  const auto& changed = show.submixes[0].slots[1].oscillators.at("level");
  EXPECT_EQ(wrong({levels.end() - 100, levels.end()}, changed), 0U);
}

TEST_F(Modulations, TellTheBeatOfEachFrameWhereNothingMoves) {
  start(engine::slot("m", "follower"));
  const auto at = pause_before();
  const auto tempo = show::changed({}, 90, 1, at);
  ASSERT_TRUE(patch_->tune({}, tempo));
  bench_.transport.resume();
  static_cast<void>(told_.wait_for(frame_at(at) + 20));
  const MutexLock lock(told_.mutex);
  ASSERT_GT(told_.beats.size(), 2 * frame_at(at));
  for (const auto& [frame, beats] : told_.beats)
    ASSERT_NEAR(beats, show::moment_of(tempo, kRate, {frame}).beats, 1e-9) << frame;
}

TEST_F(Modulations, TakeHoldInAllSlotsAtOnceWithATempoThatWasNotAnnounced) {
  start(moved(ramp()));
  static_cast<void>(told_.wait_for(20));
  auto high = ramp();
  high.from = 120;
  high.to = 220;
  const show::Tempo still{.beats_per_minute = 120, .master_speed = 0};
  ASSERT_TRUE(patch_->tune({{{"left", "m"}, {}, {}, show::Oscillators{{"level", high}}}}, still));
  ASSERT_TRUE(eventually([&] { return told_.wait_for(1).back().second >= 120; }));
  const auto levels = told_.wait_for(told_.wait_for(1).size() + 20);
  const auto first = std::find_if(levels.begin(), levels.end(),
                                  [](const auto& each) { return each.second >= 120; });
  EXPECT_EQ(wrong({levels.begin(), first}, ramp()), 0U);
  EXPECT_EQ(wrong({first, levels.end()}, high, still), 0U);
}

show::Oscillator shot(double frequency, std::int64_t shots) {
  return {.waveform = show::Waveform::one_shot,
          .frequency = frequency,
          .from = 100.5,
          .to = 200.5,
          .start = 0,
          .shots = shots};
}

TEST_F(Modulations, BeginAOneShotWhenTheShowSays) {
  auto later = shot(10, 0);
  later.start = 0.1;
  start(moved(later));
  EXPECT_EQ(wrong(told_.wait_for(50), later), 0U);
  EXPECT_EQ(told_.wait_for(50)[15].second, 150);
}

TEST_F(Modulations, EndAtWhatWasStatedLast) {
  bench_.options.is_free_running = false;
  start(moved(ramp()));
  static_cast<void>(told_.wait_for(5));
  bench_.transport.pause();
  ASSERT_TRUE(tune({}));
  ASSERT_TRUE(patch_->set_parameter("m", "level", 210.0));
  bench_.transport.resume();
  EXPECT_TRUE(reaches(210));
  const auto levels = told_.wait_for(told_.wait_for(1).size() + 20);
  EXPECT_EQ(levels.back().second, 210);
}

TEST_F(Modulations, TellAPluginNothingWhereAnEditChangesNothing) {
  const show::Oscillator still{
      .waveform = show::Waveform::square, .frequency = 0.0001, .from = 1, .to = 2};
  start(moved(still));
  for (int i = 1; i <= 20; ++i) {
    static_cast<void>(told_.wait_for(static_cast<std::size_t>(i) * 10));
    ASSERT_TRUE(patch_->edit(bench_.submix(slots(moved(still)))));
    ASSERT_TRUE(patch_->tune({}, show::Tempo{.beats_per_minute = 60.0 + i}));
  }
  static_cast<void>(told_.wait_for(told_.wait_for(1).size() + 20));
  ASSERT_TRUE(patch_->set_parameter("m", "level", 9.0));
  static_cast<void>(told_.wait_for(told_.wait_for(1).size() + 20));
  EXPECT_EQ(settings(), 1U);
}

TEST_F(Modulations, TellAPluginOnlyWhatChanges) {
  const show::Oscillator square{
      .waveform = show::Waveform::square, .frequency = 1, .from = 1, .to = 2};
  start(moved(square));
  const auto frames = told_.wait_for(1000).size();
  patch_->stop();
  EXPECT_LE(settings(), frames / 50 + 2);  // twice a period, which has a hundred frames
}

TEST_F(Modulations, AreRefusedForWhatCannotMove) {
  const auto error = [&](const std::string& slot, const std::string& parameter) {
    auto all = slots(engine::slot("m", "level"));
    for (auto& each : all) {
      if (each.name == slot) each.oscillators = {{parameter, ramp()}};
    }
    return bench_.error_of(all);
  };
  EXPECT_EQ(error("m", "word"),
            "submix \"left\", slot \"m\": oscillator of \"word\": plugin \"level\": parameter "
            "\"word\" = 0: give text");
  EXPECT_THAT(error("m", "lavel"), HasSubstr("did you mean \"level\""));
  EXPECT_THAT(error("n", "level"), HasSubstr("an output's parameters stand still"));
}

TEST_F(Modulations, ThatAreWrongLeaveTheFormerOnesAlone) {
  start(moved(ramp()));
  EXPECT_THAT(why(tune({{"lavel", ramp()}})), HasSubstr("did you mean \"level\""));
  EXPECT_EQ(wrong(told_.wait_for(200), ramp()), 0U);
}

TEST_F(Modulations, FadeToTheStatedValueByTheNumbersOfFrames) {
  auto filter = engine::slot("m", "level");
  filter.parameters = {{"level", 110.0}};
  filter.helpers = 3;
  filter.fades = {{"level", {10, 50, 100}}};
  start(filter);
  const auto levels = told_.wait_for(300);
  for (const auto& [frame, level] : levels) {
    const auto passed = frame < 50 ? 0 : std::min<std::uint64_t>(frame - 50, 100);
    EXPECT_EQ(level, 10 + static_cast<int>(passed)) << frame;
  }
}

TEST_F(Modulations, FadeFromWhereTheyAreWithoutAFrameOfTheNewValue) {
  start(engine::slot("m", "level"));
  ASSERT_TRUE(patch_->set_parameter("m", "level", 200.0));
  ASSERT_TRUE(reaches(200));
  const show::Fade fade{200, 0, 1'000'000'000};
  ASSERT_TRUE(
      patch_->tune({{"left", "m"}, {{"level", 0.0}}, {}, {}, show::Fades{{"level", fade}}}));
  const auto before = told_.wait_for(1);
  const auto levels = told_.wait_for(before.size() + 200);
  for (auto each = levels.begin() + static_cast<std::ptrdiff_t>(before.size());
       each != levels.end(); ++each)
    EXPECT_GE(each->second, 199) << each->first;
  ASSERT_TRUE(patch_->tune({{"left", "m"}, {{"level", 5.0}}, {}, {}, show::Fades{}}));
  EXPECT_TRUE(reaches(5));
}

TEST_F(Modulations, ThatFadeAreOverInAnotherLifeOfTheSubmix) {
  auto filter = engine::slot("m", "level");
  filter.parameters = {{"level", 33.0}};
  filter.fades = {{"level", {200, 1'000'000, 100}}};
  start(filter);
  EXPECT_EQ(told_.wait_for(20).front().second, 33);
}

/// Keeps the value told last.
class LastTold final : public plugin::Plugin {
 public:
  std::optional<media::Frame> process(plugin::Work&) override { return std::nullopt; }
  void set(std::string_view, const show::ParameterValue& value) override {
    value_ = std::get<double>(value);
  }
  [[nodiscard]] double value() const { return value_; }

 private:
  double value_ = -1;
};

// The desk's clock was set back by an hour, and the parameter stayed at the fade's beginning.
TEST_F(Modulations, ThatFadeAreOverWhenTheClockIsSetBack) {
  constexpr std::uint64_t kBegin = 1'000'000;
  const Modulation::FadeCourse fading{show::Fade{200, kBegin, 100}, 50};
  MovingParameters moving;
  moving.follow(std::make_shared<const Modulation>(
      std::vector{Modulation::ParameterCourse{"level", fading}}, show::Tempo(), kRate));
  LastTold plugin;
  moving.move(plugin, {kBegin - 10});
  EXPECT_EQ(plugin.value(), 200) << "the fade is announced";
  moving.move(plugin, {kBegin + 50});
  EXPECT_EQ(plugin.value(), 125);
  moving.move(plugin, {kBegin + 50 - kRate.index_at(std::chrono::hours(1)).value});
  EXPECT_EQ(plugin.value(), 50);
}

TEST_F(Modulations, AreHeldToThePluginsLimits) {
  show::Oscillator wide{.waveform = show::Waveform::square, .frequency = 1, .from = -5, .to = 999};
  start(moved(wide));
  const auto levels = told_.wait_for(60);
  EXPECT_EQ(levels[20].second, 255);
  EXPECT_EQ(levels[55].second, 0);
  EXPECT_THAT(bench_.events.lines(),
              ::testing::Contains(
                  HasSubstr("oscillator: parameter \"level\" = 999 is not within 0 to 255")));
}

}  // namespace
}  // namespace submix::engine
