// SPDX-License-Identifier: GPL-3.0-or-later
// The plan and the store with a decoder that only counts: no file, no thread, no time.

#include "node/io/clip/read_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace submix::io {
namespace {

constexpr double kStep = 0.125;
constexpr double kEnd = std::numeric_limits<double>::infinity();

/// A file of pictures that last one frame each.
class CountingReader final : public StretchReader {
 public:
  CountingReader(int pictures, int pictures_per_key)
      : pictures_(pictures), pictures_per_key_(pictures_per_key) {}

  [[nodiscard]] double position_seconds() const override {
    return next_ >= pictures_ ? kEnd : next_ * kStep;
  }
  [[nodiscard]] bool can_skip_to(double seconds) const override { return key_of(seconds) > next_; }
  [[nodiscard]] std::optional<Stretch> read_on() override {
    ++decoded;
    const int number = next_++;
    return Stretch{number * kStep, number + 1 == pictures_ ? kEnd : (number + 1) * kStep, nullptr,
                   100};
  }
  void seek(double seconds) override {
    ++seeks;
    next_ = key_of(seconds);
  }

  int decoded = 0;
  int seeks = 0;

 private:
  [[nodiscard]] int key_of(double seconds) const {
    const int number = std::min(static_cast<int>(seconds / kStep), pictures_ - 1);
    return number - number % pictures_per_key_;
  }

  const int pictures_;
  const int pictures_per_key_;
  int next_ = 0;
};

/// A clip that plays from a store.
class Player {
 public:
  Player(CountingReader& reader, int pictures_max)
      : reader_(reader), store_(static_cast<std::size_t>(pictures_max) * 100) {}

  /// Reads until the plan rests, or `steps_max` times.
  void read(const Course& course, int steps_max = 100'000) {
    for (int step = 0; step < steps_max; ++step) {
      const auto choice = plan_.choose(store_, course, reader_);
      if (choice.step == ReadPlan::Step::rest) return;
      if (choice.step == ReadPlan::Step::seek) {
        reader_.seek(choice.seconds);
      } else if (auto stretch = reader_.read_on()) {
        store_.add(*std::move(stretch), course);
      }
    }
  }
  /// Plays one frame after the other, each with the time to decode some pictures. Returns the
  /// frames without their picture.
  int play(Course course, int frames, int steps_per_frame) {
    const auto begin = course.seconds - course.in_seconds;
    const auto span = course.out_seconds - course.in_seconds;
    int late = 0;
    for (int frame = 0; frame < frames; ++frame) {
      const double phase = std::fmod(begin + frame * course.step_seconds, span);
      course.seconds = course.in_seconds + (phase < 0 ? phase + span : phase);
      late += has(course) ? 0 : 1;
      read(course, steps_per_frame);
    }
    return late;
  }
  [[nodiscard]] bool has(const Course& course) const {
    return store_.at(course.seconds) != nullptr;
  }

 private:
  CountingReader& reader_;
  PictureStore store_;
  ReadPlan plan_;
};

Course loop(int first, int last, double speed = 1) {
  return {.seconds = first * kStep,
          .step_seconds = kStep * speed,
          .in_seconds = first * kStep,
          .out_seconds = (last + 1) * kStep,
          .is_looping = true};
}

TEST(ReadPlan, FillsTheStoreAndRests) {
  CountingReader reader(1000, 1000);
  Player player(reader, 50);
  player.read(loop(0, 999));
  EXPECT_GE(reader.decoded, 50);
  EXPECT_LE(reader.decoded, 51);
  EXPECT_EQ(reader.seeks, 0);
}

TEST(ReadPlan, DecodesALoopThatFitsOnce) {
  CountingReader reader(300, 300);  // one key picture, far before the loop
  Player player(reader, 50);
  player.read(loop(140, 154));
  const int decoded = reader.decoded;
  EXPECT_LE(decoded, 155);
  EXPECT_EQ(player.play(loop(140, 154), 500, 10), 0);
  EXPECT_EQ(reader.decoded, decoded);
}

TEST(ReadPlan, GoesAroundALoopLongerThanTheStoreWithoutALatePicture) {
  CountingReader reader(300, 300);
  Player player(reader, 50);
  player.read(loop(100, 179));
  EXPECT_EQ(player.play(loop(100, 179), 1000, 5), 0);
}

TEST(ReadPlan, GoesAroundAWholeFileWithoutALatePicture) {
  CountingReader reader(300, 12);
  Player player(reader, 50);
  player.read(loop(0, 299));
  EXPECT_EQ(player.play(loop(0, 299), 1000, 2), 0);
}

TEST(ReadPlan, GoesBackwardsThroughGroupsLongerThanTheStore) {
  CountingReader reader(300, 100);
  Player player(reader, 50);
  player.read(loop(0, 299, -1));
  EXPECT_EQ(player.play(loop(0, 299, -1), 1000, 8), 0);
}

TEST(ReadPlan, GoesBackwardsThroughKeyPicturesByDecodingEachOnce) {
  CountingReader reader(300, 1);
  Player player(reader, 50);
  player.read(loop(0, 299, -1));
  reader.decoded = 0;
  EXPECT_EQ(player.play(loop(0, 299, -1), 300, 4), 0);
  EXPECT_LE(reader.decoded, 305);
}

TEST(ReadPlan, SkipsPicturesThatAFastClipDoesNotNeed) {
  CountingReader reader(3200, 8);
  Player player(reader, 50);
  player.read(loop(0, 3199, 16));
  reader.decoded = 0;
  EXPECT_EQ(player.play(loop(0, 3199, 16), 200, 4), 0);
  EXPECT_LE(reader.decoded, 250) << "each shown picture is the first of its group";
}

TEST(ReadPlan, DecodesAJumpFromItsKeyPictureOnly) {
  CountingReader reader(1000, 100);
  Player player(reader, 50);
  player.read(loop(0, 999));
  reader.decoded = 0;
  const auto target = [] {
    auto course = loop(0, 999);
    course.seconds = 730 * kStep;
    return course;
  }();
  player.read(target, 1 + 31);  // the seek, then pictures 700 to 730
  EXPECT_TRUE(player.has(target));
}

TEST(ReadPlan, HasWhatWasJustShownWhenTheSpeedChangesItsSign) {
  CountingReader reader(1000, 1000);
  Player player(reader, 50);
  player.read(loop(0, 999));
  EXPECT_EQ(player.play(loop(0, 999), 200, 4), 0);
  auto back = loop(0, 999, -1);
  back.seconds = 199 * kStep;
  EXPECT_EQ(player.play(back, 8, 0), 0);
}

TEST(ReadPlan, DecodesAPictureThatIsLargerThanTheStore) {
  CountingReader reader(10, 1);
  Player player(reader, 0);
  player.play(loop(0, 9), 10, 4);
  auto last = loop(0, 9);
  last.seconds = 9 * kStep;
  EXPECT_TRUE(player.has(last));
}

}  // namespace
}  // namespace submix::io
