// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/oscillation.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;

TEST(Oscillation, TellsAPeriodAsPeopleDo) {
  EXPECT_EQ(period_text({.frequency = 0.5}), "0.5 Hz");
  EXPECT_EQ(period_text({.beats = 4}), "4 beats");
  EXPECT_EQ(period_text({.beats = 1}), "1 beat");
  EXPECT_EQ(period_text({.beats = 1.0 / 3.0}), "1/3 beat");
  EXPECT_EQ(period_text({.beats = 0.3}), "0.3 beats");
}

SubmixView submix(const std::string& name, std::uint64_t frames, std::size_t stages) {
  SubmixView view;
  view.name = name;
  view.frames = frames;
  view.stages.resize(stages);
  return view;
}

TEST(Oscillation, KnowsTheShowsTimeByTheClustersClock) {
  ClusterView view;
  EXPECT_EQ(show_time(view, LocalTime(5s)), std::nullopt);
  view.clock_offset = 1h;
  EXPECT_EQ(show_time(view, LocalTime(5s)), 1h + 5s);
}

// "left.clip.speed" goes from 0 to 10 once in ten seconds, of a show with ten frames a second.
ClusterView running_view() {
  show::Show show;
  show.rate = {10, 1};
  show::Slot clip;
  clip.name = "clip";
  clip.oscillators = {
      {"speed",
       {.waveform = show::Waveform::ramp_up, .frequency = 0.1, .phase = 0.5, .from = 0, .to = 10}}};
  show.submixes.push_back({.name = "left", .node = "", .slots = {clip}});
  ClusterView view;
  view.show = std::make_shared<const show::Show>(std::move(show));
  view.submixes = {submix("left", 120, 1)};
  view.submixes[0].stages[0].slot = "clip";
  return view;
}

TEST(Oscillation, TellsWhatItGivesNow) {
  auto view = running_view();
  EXPECT_NEAR(value_now(view, {"left", "clip"}, "speed").value(), 7.0, 1e-9);
  EXPECT_EQ(value_now(view, {"left", "clip"}, "loop"), std::nullopt);
  EXPECT_EQ(value_now(view, {"left", "nothing"}, "speed"), std::nullopt);
  view.submixes[0].stages.clear();  // no node runs it
  EXPECT_EQ(value_now(view, {"left", "clip"}, "speed"), std::nullopt);
}

TEST(Oscillation, GivesWhatTheListeningNodeHears) {
  auto view = running_view();
  auto show = *view.show;
  show.sound.node = "desk";
  show.submixes[0].slots[0].oscillators.at("speed").waveform = show::Waveform::sound_bass;
  view.show = std::make_shared<const show::Show>(std::move(show));
  EXPECT_EQ(value_now(view, {"left", "clip"}, "speed"), 0.0) << "the node is not here";
  view.nodes.emplace_back().name = "desk";
  view.nodes.back().sound.sound.bass = 0.25;
  EXPECT_EQ(value_now(view, {"left", "clip"}, "speed"), 0.0) << "it has gone";
  view.nodes.back().health = Health::healthy;
  EXPECT_EQ(value_now(view, {"left", "clip"}, "speed"), 2.5);
}

TEST(Oscillation, GoesByTheNumbersThatItsNodeReports) {
  auto view = running_view();
  auto show = *view.show;
  show.tempo.master_speed = 2;
  view.show = std::make_shared<const show::Show>(std::move(show));
  view.submixes[0].show_count = {100, 5000};  // it has made 120 frames
  EXPECT_EQ(moment_now(view, "left").value().seconds, 1004.0);
  EXPECT_NEAR(value_now(view, {"left", "clip"}, "speed").value(), 9.0, 1e-9);
}

TEST(Oscillation, BeginsAOneShotThatThereWasNot) {
  const show::Oscillator shot{.waveform = show::Waveform::one_shot, .shots = 4};
  EXPECT_EQ(begun_at(shot, std::nullopt).shots, 5);
  EXPECT_EQ(begun_at(shot, show::Oscillator{.shots = 4}).shots, 5);
  EXPECT_EQ(begun_at(shot, shot).shots, 4);
  EXPECT_EQ(begun_at({}, std::nullopt).shots, 0);
}

}  // namespace
}  // namespace submix::model
