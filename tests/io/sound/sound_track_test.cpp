// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/sound_track.hpp"

#include "node/io/ffmpeg_log.hpp"
#include "node/io/sound/sound_stream.hpp"
#include "tests/io/any_file.hpp"
#include "tests/io/sounding_clip.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

using Samples = std::vector<float>;

class SoundTracks : public ::testing::Test {
 protected:
  SoundTracks() { silence_ffmpeg(); }

  Result<SoundTrack> opened(const std::string& name) const {
    const auto file = open_any_file(folder_ / name);
    SUBMIX_TRY(file);
    return SoundTrack::open(*file);
  }
  SoundTrack track(const std::string& name, const testing::SoundingClip& clip = {}) const {
    testing::write_sounding_clip(folder_ / name, clip);
    return opened(name).value();
  }

  /// Writes nonsense over a tenth of the file, in its middle.
  void damage(const std::string& name) const {
    const auto bytes = static_cast<std::streamoff>(std::filesystem::file_size(folder_ / name));
    std::fstream file(folder_ / name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(bytes / 2);
    file << std::string(static_cast<std::size_t>(bytes / 10), '\xff');
  }

  testing::TemporaryFolder folder_;
};

/// In pieces of 512 samples, as a listener reads it.
Samples read(SoundTrack& track, Course course, double seconds, double speed = 1) {
  course.step_seconds = speed / kSoundRateHz;
  Samples samples(static_cast<std::size_t>(seconds * kSoundRateHz));
  const auto pieces = std::span(samples);
  for (std::size_t begin = 0; begin < samples.size(); begin += 512) {
    track.read(course, pieces.subspan(begin, std::min<std::size_t>(512, samples.size() - begin)));
    course.seconds += 512 * course.step_seconds;
  }
  return samples;
}

double loudness(std::span<const float> samples) {
  double sum = 0;
  for (const float sample : samples)
    sum += static_cast<double>(sample) * sample;
  return std::sqrt(sum / static_cast<double>(samples.size()));
}

/// Of the sound from `begin` to `end`, in seconds of the file.
double loudness(SoundTrack& track, double begin, double end) {
  return loudness(read(track, {.seconds = begin}, end - begin));
}

double first_loud_second(const Samples& samples) {
  const auto is_loud = [](float sample) { return std::abs(sample) > 0.3F; };
  const auto first = std::ranges::find_if(samples, is_loud);
  return static_cast<double>(first - samples.begin()) / kSoundRateHz;
}

void expect_bursts(SoundTrack& track, int second) {
  EXPECT_GT(loudness(track, second + 0.02, second + 0.08), 0.4) << second;
  EXPECT_LT(loudness(track, second + 0.2, second + 0.9), 0.02) << second;
}

TEST_F(SoundTracks, HaveTheSoundOfEachMomentHoweverItIsReached) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> files{
      {"a.mkv", {"-c:a", "pcm_s16le"}},  {"b.mp4", {"-c:a", "aac"}},
      {"c.avi", {"-c:a", "libmp3lame"}}, {"d.mkv", {"-c:a", "libopus"}},
      {"e.mkv", {"-c:a", "flac"}},       {"f.ts", {"-c:a", "mp2"}}};
  for (const auto& [name, options] : files) {
    SCOPED_TRACE(name);
    auto sound = track(name, {.seconds = 12, .options = options});
    EXPECT_TRUE(sound.has_sound());
    // AVI does not state the 23 ms by which MP3's encoder delays the sound.
    EXPECT_NEAR(first_loud_second(read(sound, {.seconds = 0.5}, 1.0)), 0.5, 0.025);
    for (const int second : {1, 2, 10, 9, 3, 7})
      expect_bursts(sound, second);
    EXPECT_EQ(loudness(sound, 20, 20.1), 0) << "beyond the end";
    expect_bursts(sound, 5);
    EXPECT_EQ(sound.damaged_at(), std::nullopt);
  }
}

/// Silence in the first track, bursts in the second.
testing::SoundingClip clip_of_two_tracks() {
  const auto bursts = std::string("aevalsrc='") + testing::kBursts + "':s=48000:d=4[bursts]";
  return {.sound = "0",
          .options = {"-filter_complex", bursts, "-map", "0", "-map", "1", "-map", "[bursts]",
                      "-c:a", "pcm_s16le", "-metadata:s:a:1", "language=ger", "-metadata:s:a:1",
                      "title=The drums"}};
}

TEST_F(SoundTracks, AreChosenByTheirNumber) {
  testing::write_sounding_clip(folder_ / "two.mkv", clip_of_two_tracks());
  auto file = open_any_file(folder_ / "two.mkv");
  ASSERT_TRUE(file);
  file->sound_track = 2;
  auto second = SoundTrack::open(*file);
  ASSERT_TRUE(second) << second.error().message;
  expect_bursts(*second, 1);
  file->sound_track = 1;
  auto first = SoundTrack::open(*file);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(loudness(*first, 1, 1.1), 0);
}

TEST_F(SoundTracks, OfAWrongNumberAreRefusedWithTheNamesOfTheOthers) {
  testing::write_sounding_clip(folder_ / "two.mkv", clip_of_two_tracks());
  auto file = open_any_file(folder_ / "two.mkv");
  ASSERT_TRUE(file);
  file->sound_track = 3;
  const auto third = SoundTrack::open(*file);
  ASSERT_FALSE(third);
  EXPECT_THAT(third.error().message,
              ::testing::HasSubstr("two.mkv: has no sound track 3, only 2 (1; 2: ger, The drums); "
                                   "set sound_track to a number of these"));
}

TEST_F(SoundTracks, AreOneChannelNoLouderThanTheOnesOfTheFile) {
  const std::string tone = "0.8*sin(2*PI*1000*t)";
  auto mono = track("mono.mkv", {.sound = tone, .seconds = 1});
  auto stereo = track("stereo.mkv", {.sound = tone + "|" + tone, .seconds = 1, .rate_hz = 44'100});
  EXPECT_NEAR(loudness(mono, 0.2, 0.8), 0.566, 0.01);
  EXPECT_NEAR(loudness(stereo, 0.2, 0.8), 0.566, 0.01);
}

TEST_F(SoundTracks, BeginWithThePicturesNotWithTheFile) {
  auto late = track("late.mkv", {.sound_begins_seconds = 0.5});
  EXPECT_NEAR(first_loud_second(read(late, {}, 1.0)), 0.5, 0.01);
  EXPECT_EQ(loudness(late, 0, 0.4), 0);
  auto early = track("early.mkv", {.sound_begins_seconds = -0.5});
  EXPECT_NEAR(first_loud_second(read(early, {.seconds = 0.2}, 1.0)), 0.3, 0.01);
}

TEST_F(SoundTracks, GoAroundALoop) {
  auto sound = track("a.mkv");
  const Course loop{.seconds = 2.9, .in_seconds = 1.95, .out_seconds = 2.95, .is_looping = true};
  const auto samples = read(sound, loop, 2.0);
  EXPECT_NEAR(first_loud_second(samples), 0.1, 0.001);
  const auto again = std::span(samples).subspan(kSoundRateHz);
  EXPECT_NEAR(loudness(again), loudness(std::span(samples).first(kSoundRateHz)), 0.001);
  auto once = loop;
  once.is_looping = false;
  EXPECT_LT(loudness(read(sound, once, 2.0)), 0.001) << "silence after the out point";
}

TEST_F(SoundTracks, RunBackwards) {
  auto sound = track("a.mkv", {.sound = "sin(2*PI*3*t*t)", .seconds = 6});
  auto forwards = read(sound, {.seconds = 1}, 4.0);
  const auto backwards = read(sound, {.seconds = 5 - 1.0 / kSoundRateHz}, 4.0, -1);
  std::ranges::reverse(forwards);
  double worst = 0;
  for (std::size_t i = 0; i < forwards.size(); ++i)
    worst = std::max<double>(worst, std::abs(forwards[i] - backwards[i]));
  EXPECT_LT(worst, 0.001);
}

TEST_F(SoundTracks, RunFasterAsATapeDoes) {
  auto sound = track("a.mkv", {.sound = "0.8*sin(2*PI*500*t)", .seconds = 5});
  const auto samples = read(sound, {}, 1.0, 4);
  int crossings = 0;
  for (std::size_t i = 1; i < samples.size(); ++i)
    crossings += samples[i - 1] < 0 && samples[i] >= 0 ? 1 : 0;
  EXPECT_NEAR(crossings, 2000, 3);
  EXPECT_NEAR(loudness(samples), 0.566, 0.01);
}

TEST_F(SoundTracks, MayBeMissing) {
  auto sound = track("silent.mkv", {.sound = ""});
  EXPECT_FALSE(sound.has_sound());
  EXPECT_EQ(loudness(sound, 0, 1), 0);
}

// Packets that cannot be decoded, and packets that the container's reader leaves out.
TEST_F(SoundTracks, ThatAreDamagedAreSilenceThereAndGoOn) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> files{
      {"a.mp4", {"-c:a", "aac"}}, {"b.mkv", {"-c:a", "pcm_s16le"}}};
  for (const auto& [name, options] : files) {
    SCOPED_TRACE(name);
    testing::write_sounding_clip(folder_ / name, {.seconds = 20, .options = options});
    damage(name);
    auto sound = opened(name).value();
    (void)loudness(sound, 0, 20);
    ASSERT_TRUE(sound.damaged_at());
    EXPECT_GT(*sound.damaged_at(), 5);
    EXPECT_LT(*sound.damaged_at(), 15);
    expect_bursts(sound, 1);
    expect_bursts(sound, 18);
  }
}

TEST_F(SoundTracks, ThatAreCutOffEndThere) {
  testing::write_sounding_clip(folder_ / "a.mkv", {.seconds = 20});
  std::filesystem::resize_file(folder_ / "a.mkv",
                               std::filesystem::file_size(folder_ / "a.mkv") / 2);
  auto sound = opened("a.mkv").value();
  expect_bursts(sound, 8);
  EXPECT_EQ(loudness(sound, 15, 16), 0);
  expect_bursts(sound, 2);
}

TEST_F(SoundTracks, OfHalfAnHourAreReadWhereTheyAreAsked) {
  auto sound = track(
      "long.mkv",
      {.seconds = 1800, .rate_hz = 8000, .pictures_per_second = 1, .options = {"-c:a", "pcm_u8"}});
  for (const int second : {1790, 5, 900, 890, 1700})
    expect_bursts(sound, second);
}

TEST_F(SoundTracks, RefuseWhatIsNoClip) {
  std::ofstream(folder_ / "text.mkv") << "no clip";
  EXPECT_FALSE(opened("text.mkv"));
}

TEST_F(SoundTracks, GiveSilenceForMomentsThatNoFileHas) {
  auto sound = track("a.mkv");
  for (const double seconds : {-1e300, 1e300, std::nan(""), -1.0, 1e5})
    EXPECT_EQ(loudness(read(sound, {.seconds = seconds}, 0.05)), 0) << seconds;
  expect_bursts(sound, 2);
}

}  // namespace
}  // namespace submix::io
