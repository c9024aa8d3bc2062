// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/film_sound.hpp"

#include "common/show/parse.hpp"
#include "node/io/sound/sound_track.hpp"
#include "tests/io/sounding_clip.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace submix::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Reads a file in this process. Each second answer is late.
class LateSound final : public io::ClipSound {
 public:
  explicit LateSound(io::SoundTrack track) : track_(std::move(track)) {}

  Result<Outcome> read(const io::Course& course,
                       std::span<float, io::kClipSoundSamples> samples) override {
    if (!track_.has_sound()) return Outcome::no_track;
    is_late_ = !is_late_;
    if (is_late_) return Outcome::late;
    track_.read(course, samples);
    return Outcome::read;
  }
  [[nodiscard]] double length_seconds() const override { return track_.length_seconds(); }
  [[nodiscard]] std::optional<double> damaged_at() const override { return track_.damaged_at(); }

 private:
  io::SoundTrack track_;
  bool is_late_ = false;
};

Result<std::unique_ptr<io::ClipSound>> open_late(const io::OpenFile& file, const std::string&) {
  auto track = io::SoundTrack::open(file);
  SUBMIX_TRY(track);
  return std::make_unique<LateSound>(*std::move(track));
}

class FilmSounds : public ::testing::Test {
 protected:
  void SetUp() override {
    // A tone in the first tenth of each second.
    testing::write_sounding_clip(folder_ / "bursts.mkv", {});
  }

  static show::Show following(const std::string& parameters,
                              const std::string& device = "clip:left.clip") {
    auto show = show::parse(R"([show]
name = "film"
size = [64, 64]
rate = 20
sound = { node = "a", device = ")" +
                                device + R"(" }
[[node]]
name = "a"
[[submix]]
name = "left"
node = "a"
slot = [ { name = "clip", plugin = "clip", parameters = { )" +
                                parameters + R"( } }, { name = "end", plugin = "null" } ]
)",
                            "test");
    EXPECT_TRUE(show.has_value()) << (show ? "" : show::to_string(show.error()));
    return show.value_or(show::Show());
  }

  /// The first of `frames` frames, and each after a softer one, that has the tone's beginning.
  [[nodiscard]] std::vector<std::uint64_t> bursts(std::uint64_t frames) const {
    std::vector<std::uint64_t> found;
    double before = 0;
    for (std::uint64_t frame = 0; frame < frames; ++frame) {
      const double mids = sound_.at({frame}).mids;
      if (mids > 0.5 && before <= 0.5) found.push_back(frame);
      before = mids;
    }
    return found;
  }

  const testing::TemporaryFolder folder_;
  FilmSound sound_{{.media = folder_.path(), .recordings = {}}, open_late};
};

TEST_F(FilmSounds, AreThoseOfEachFramesOwnMoment) {
  sound_.follow(following(R"(file = "bursts.mkv")"));
  EXPECT_THAT(bursts(60), ElementsAre(1, 21, 41));
  EXPECT_EQ(sound_.at({0}), Sound()) << "nothing was heard yet";
}

TEST_F(FilmSounds, AreEqualInWhateverOrderFramesAsk) {
  sound_.follow(following(R"(file = "bursts.mkv")"));
  FilmSound other({.media = folder_.path(), .recordings = {}}, open_late);
  other.follow(following(R"(file = "bursts.mkv")"));
  const auto late = other.at({70});
  for (std::uint64_t frame = 0; frame < 70; ++frame)
    EXPECT_EQ(sound_.at({frame}), other.at({frame})) << frame;
  EXPECT_EQ(sound_.at({70}), late);
}

TEST_F(FilmSounds, FollowTheClipsSpeedPointsAndLoop) {
  sound_.follow(following(R"(file = "bursts.mkv", speed = 2)"));
  EXPECT_THAT(bursts(40), ElementsAre(1, 11, 21, 31));
  sound_.follow(following(R"(file = "bursts.mkv", in = 0.5, out = 2)"));  // bursts at 1, next at 1
  EXPECT_THAT(bursts(60), ElementsAre(11, 41));
  sound_.follow(following(R"(file = "bursts.mkv", loop = false)"));
  EXPECT_THAT(bursts(140), ElementsAre(1, 21, 41, 61)) << "the clip ends after 4 s";
  sound_.follow(following(R"(file = "bursts.mkv")"));
  EXPECT_THAT(bursts(140), ElementsAre(1, 21, 41, 61, 81, 101, 121));
}

TEST_F(FilmSounds, FollowTheBeatsOfTheShow) {
  auto show = following(R"(file = "bursts.mkv", beats = 4)");  // 4 s, at 120 beats a minute
  sound_.follow(show);
  EXPECT_THAT(bursts(40), ElementsAre(1, 11, 21, 31));
  show.tempo.beats_per_minute = 60;
  sound_.follow(show);
  EXPECT_THAT(bursts(60), ElementsAre(1, 21, 41));
}

TEST_F(FilmSounds, AreThoseOfTheTrackThatTheSlotNames) {
  sound_.follow(following(R"(file = "bursts.mkv", sound_track = 1)"));
  EXPECT_THAT(bursts(60), ElementsAre(1, 21, 41));
  sound_.follow(following(R"(file = "bursts.mkv", sound_track = 2)"));
  EXPECT_EQ(sound_.at({40}), Sound());
  EXPECT_THAT(sound_.reading().trouble, HasSubstr("has no sound track 2, only 1"));
}

TEST_F(FilmSounds, AreSilenceWithAReasonWhereNothingCanBeHeard) {
  sound_.follow(following(R"(file = "none.mkv")"));
  EXPECT_EQ(sound_.at({40}), Sound());
  EXPECT_THAT(sound_.reading().trouble, HasSubstr("none.mkv"));

  testing::write_sounding_clip(folder_ / "silent.mkv", {.sound = ""});
  sound_.follow(following(R"(file = "silent.mkv")"));
  EXPECT_EQ(sound_.at({40}), Sound());
  EXPECT_THAT(sound_.reading().trouble, HasSubstr("silent.mkv has no sound"));

  sound_.follow(following(R"(file = "bursts.mkv")", "hw:1,0"));
  EXPECT_EQ(sound_.at({40}), Sound());
  EXPECT_FALSE(sound_.reading().is_listening);
  EXPECT_THAT(sound_.reading().trouble, IsEmpty());
}

}  // namespace
}  // namespace submix::agent
