// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/music_follower.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

namespace submix::input {
namespace {

using namespace std::chrono_literals;
using State = MusicFollower::State;

constexpr double kBeatsApart = 0.02;

/// Music, a show, and a follower that looks at both ten times a second.
class MusicFollowerTest : public ::testing::Test {
 protected:
  void pass(std::chrono::milliseconds time) {
    for (const auto end = now_ + time; now_ < end; now_ += 100ms)
      look();
  }
  void look() {
    HeardTempo heard;
    if (music_) heard = {*music_, 0.6, last_beat()};
    const auto change = follower_.follow(heard, show_, {now_, show_time()});
    if (!change.tempo && !change.beat_shift) return;
    ++writes_;
    if (!is_show_changeable_) return;
    const auto at = std::chrono::ceil<std::chrono::milliseconds>(show_time());
    const double beats =
        show::moment_at(show_, show_time()).beats + change.beat_shift.value_or(0.0);
    show_ = show::changed(show_, change.tempo.value_or(tempo()), show_.master_speed, at);
    if (change.beat_shift) show_ = show::with_beat(show_, beats, at);
  }
  void set_by_hand(double beats_per_minute) {
    const auto at = std::chrono::ceil<std::chrono::milliseconds>(show_time());
    show_ = show::changed(show_, beats_per_minute, 1.0, at);
  }
  /// Begins with a beat at this moment.
  void play(double beats_per_minute) {
    music_ = beats_per_minute;
    first_beat_ = show_time();
  }
  [[nodiscard]] double tempo() const { return show_.beats_per_minute; }
  [[nodiscard]] std::chrono::nanoseconds show_time() const {
    return now_.time_since_epoch() + 1000h;
  }
  [[nodiscard]] double music_beats() const {
    return std::chrono::duration<double>(show_time() - first_beat_).count() * *music_ / 60.0;
  }
  /// How far the show's beats are from the music's. A show at half the music's tempo: from each
  /// second one.
  [[nodiscard]] double apart() const {
    const double share = tempo() < 0.75 * *music_ ? 0.5 : 1.0;
    const double ratio = std::exp2(std::round(std::log2(tempo() / *music_)));
    return std::remainder(show::moment_at(show_, show_time()).beats - music_beats() * ratio, share);
  }
  [[nodiscard]] std::chrono::nanoseconds last_beat() const {
    const std::chrono::duration<double> since(std::floor(music_beats()) * 60.0 / *music_);
    return first_beat_ + std::chrono::duration_cast<std::chrono::nanoseconds>(since);
  }

  show::Tempo show_;  // 120
  std::optional<double> music_;
  std::chrono::nanoseconds first_beat_{0};
  bool is_show_changeable_ = true;
  int writes_ = 0;
  LocalTime now_ = LocalTime(1h);
  MusicFollower follower_;
};

TEST_F(MusicFollowerTest, TakesTempoAndBeatInOneChange) {
  for (const double beats_per_minute : {120.0, 124.0, 128.0, 140.0, 100.0}) {
    SCOPED_TRACE(beats_per_minute);
    now_ += 237ms;
    follower_.stop();
    play(beats_per_minute);
    writes_ = 0;
    pass(20s);
    EXPECT_EQ(tempo(), beats_per_minute);
    EXPECT_NEAR(apart(), 0.0, kBeatsApart);
    EXPECT_LE(writes_, 1);
    EXPECT_EQ(follower_.state(), State::follows);
  }
}

TEST_F(MusicFollowerTest, TakesHalfOrDoubleWhereThatIsNearer) {
  struct Case {
    double music;
    double before;
    double after;
  };
  for (const auto& [music, before, after] :
       {Case{174.0, 90.0, 87.0}, {60.0, 130.0, 120.0}, {87.0, 120.0, 87.0}, {84.0, 160.0, 168.0}}) {
    SCOPED_TRACE(music);
    set_by_hand(before);
    follower_.stop();
    play(music);
    pass(10s);
    EXPECT_EQ(tempo(), after);
    EXPECT_NEAR(apart(), 0.0, kBeatsApart);
  }
}

TEST_F(MusicFollowerTest, WaitsUntilTheTempoIsSteady) {
  play(124.0);
  pass(2900ms);
  EXPECT_EQ(writes_, 0);
  EXPECT_EQ(follower_.state(), State::waits);
  pass(300ms);
  EXPECT_EQ(tempo(), 124.0);
  play(140.0);  // a great change
  pass(5900ms);
  EXPECT_EQ(tempo(), 124.0);
  pass(300ms);
  EXPECT_EQ(tempo(), 140.0);
}

TEST_F(MusicFollowerTest, FollowsNothingThatWavers) {
  for (int i = 0; i < 60; ++i) {
    play(i % 2 == 0 ? 124.0 : 127.0);
    pass(1s);
  }
  EXPECT_EQ(writes_, 0);
}

TEST_F(MusicFollowerTest, LeavesTheTempoInABreak) {
  play(128.0);
  pass(10s);
  ASSERT_EQ(tempo(), 128.0);
  const auto followed = show_;
  for (int i = 0; i < 10; ++i) {  // the tracker coasts a while into the break
    first_beat_ = last_beat();
    *music_ += 0.15;
    pass(500ms);
  }
  music_.reset();
  pass(1min);
  EXPECT_EQ(show_, followed);
  EXPECT_EQ(follower_.state(), State::unsure);
}

TEST_F(MusicFollowerTest, HearsNothingInOldOrImpossibleNews) {
  const auto news = show_time();
  for (int i = 0; i < 600; ++i, now_ += 100ms) {
    for (const HeardTempo& heard : {HeardTempo{128.0, 0.6, news - 4s},
                                    {128.0, 0.6, show_time() + 1h},
                                    {128.0, 0.6, std::chrono::nanoseconds::min()},
                                    {-1.0, 0.6, show_time()},
                                    {100'000.0, 0.6, show_time()},
                                    {std::numeric_limits<double>::infinity(), 0.6, show_time()}}) {
      const auto change = follower_.follow(heard, show_, {now_, show_time()});
      ASSERT_FALSE(change.tempo || change.beat_shift);
    }
  }
}

TEST_F(MusicFollowerTest, LeavesASmallDifferenceUntilTheBeatsAreApart) {
  play(120.0);
  pass(10s);
  const int before = writes_;
  first_beat_ = last_beat();
  music_ = 120.6;  // half a percent
  pass(5s);
  EXPECT_EQ(writes_, before);
  pass(60s);
  EXPECT_EQ(tempo(), 120.6);
  EXPECT_EQ(writes_, before + 1);
  EXPECT_NEAR(apart(), 0.0, 2 * kBeatsApart);
}

TEST_F(MusicFollowerTest, WritesSeldomEvenWhereTheShowCannotBeChanged) {
  is_show_changeable_ = false;
  play(128.0);
  pass(1min);
  EXPECT_GT(writes_, 5) << "it tries again";
  EXPECT_LE(writes_, 15);
}

TEST_F(MusicFollowerTest, MovesNoBeatOfAShowAtAnotherSpeed) {
  show_.master_speed = 0.5;
  play(124.0);
  pass(4s);
  EXPECT_EQ(tempo(), 124.0);
  pass(30s);
  EXPECT_EQ(writes_, 1);
}

TEST_F(MusicFollowerTest, RefinesATempoThatAHandTaps) {
  play(90.0);  // it takes 90 for what is 128
  pass(10s);
  set_by_hand(92.5);
  pass(7s);
  EXPECT_EQ(tempo(), 92.5) << "the hand rests the following";
  pass(5s);
  EXPECT_EQ(tempo(), 90.0);
}

TEST_F(MusicFollowerTest, LetsAHandOverruleWhatIsHeard) {
  play(85.3);
  pass(10s);
  set_by_hand(128.0);
  pass(2min);
  EXPECT_EQ(tempo(), 128.0);
  EXPECT_EQ(follower_.state(), State::overruled);
  play(170.6);  // the same, at double
  pass(30s);
  EXPECT_EQ(tempo(), 128.0);
  music_.reset();  // a break changes nothing
  pass(30s);
  play(85.3);
  pass(30s);
  EXPECT_EQ(tempo(), 128.0);
  play(124.0);  // the next song
  pass(10s);
  EXPECT_EQ(tempo(), 124.0);
}

TEST_F(MusicFollowerTest, LetsAHandOverruleWhatIsHeardLater) {
  look();
  set_by_hand(128.0);
  pass(1min);
  play(85.3);
  pass(1min);
  EXPECT_EQ(tempo(), 128.0);
}

TEST_F(MusicFollowerTest, DoubtsThreeBeatsForTwo) {
  play(140.0);
  pass(10s);
  ASSERT_EQ(tempo(), 140.0);
  play(93.4);
  pass(19s);
  EXPECT_EQ(tempo(), 140.0);
  pass(2s);
  EXPECT_EQ(tempo(), 186.8) << "another song, after all";
}

}  // namespace
}  // namespace submix::input
