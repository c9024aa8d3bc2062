// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/picture_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace submix::io {
namespace {

using ::testing::ElementsAre;

constexpr double kStep = 0.125;

/// A clip at picture `number`.
Course at_picture(int number, double speed = 1) {
  return {.seconds = number * kStep, .step_seconds = kStep * speed};
}
Stretch picture(int number) {
  return {number * kStep, (number + 1) * kStep, nullptr, 100};
}

class PictureStoreTest : public ::testing::Test {
 protected:
  void add(int first, int last, const Course& course) {
    for (int number = first; number <= last; ++number)
      store_.add(picture(number), course);
  }
  std::vector<int> stored() const {
    std::vector<int> numbers;
    for (int number = 0; number < 100; ++number) {
      if (store_.at(number * kStep) != nullptr) numbers.push_back(number);
    }
    return numbers;
  }

  PictureStore store_{500};
};

TEST_F(PictureStoreTest, FindsThePictureThatShowsAtAMoment) {
  add(3, 4, at_picture(0));
  EXPECT_EQ(store_.at(2.9 * kStep), nullptr);
  EXPECT_EQ(store_.at(3 * kStep)->begin_seconds, 3 * kStep);
  EXPECT_EQ(store_.at(3.9 * kStep)->begin_seconds, 3 * kStep);
  EXPECT_EQ(store_.at(5 * kStep), nullptr);
}

TEST_F(PictureStoreTest, KeepsWhatIsNeededSoonest) {
  add(0, 9, at_picture(4));
  EXPECT_THAT(stored(), ElementsAre(4, 5, 6, 7, 8));
  EXPECT_EQ(store_.bytes(), 500U);
}

TEST_F(PictureStoreTest, KeepsWhatIsNeededSoonestBackwards) {
  add(0, 9, at_picture(6, -1));
  EXPECT_THAT(stored(), ElementsAre(2, 3, 4, 5, 6));
}

TEST_F(PictureStoreTest, KeepsAFifthOfWhatWasShown) {
  add(4, 8, at_picture(4));
  add(10, 10, at_picture(5));
  EXPECT_THAT(stored(), ElementsAre(4, 5, 6, 7, 8));
  add(9, 9, at_picture(6));
  EXPECT_THAT(stored(), ElementsAre(5, 6, 7, 8, 9));
}

TEST_F(PictureStoreTest, KeepsTheLastTimeAroundOfALoopThatFits) {
  auto loop = at_picture(0);
  loop.out_seconds = 5 * kStep;
  loop.is_looping = true;
  add(0, 4, loop);
  for (int number = 0; number < 5; ++number) {
    loop.seconds = number * kStep;
    EXPECT_FALSE(store_.first_missing(loop)) << number;
  }
}

TEST_F(PictureStoreTest, KeepsAPictureThatIsLargerThanTheStore) {
  store_.add({0, kStep, nullptr, 1000}, at_picture(0));
  store_.add({kStep, 2 * kStep, nullptr, 1000}, at_picture(0));
  EXPECT_THAT(stored(), ElementsAre(0));
  store_.add({kStep, 2 * kStep, nullptr, 1000}, at_picture(1));
  EXPECT_THAT(stored(), ElementsAre(1));
}

TEST_F(PictureStoreTest, NamesTheFirstMomentWithoutAPicture) {
  add(0, 2, at_picture(0));
  const auto missing = store_.first_missing(at_picture(1));
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->seconds, 3 * kStep);
  EXPECT_EQ(missing->frames, 2);
}

TEST_F(PictureStoreTest, CountsRoomThatLaterPicturesTake) {
  add(1, 4, at_picture(1));
  EXPECT_EQ(store_.room_for(at_picture(1), 4), 100U);
  EXPECT_EQ(store_.room_for(at_picture(1), 2), 300U);
  EXPECT_EQ(store_.room_for(at_picture(1), 0), 500U);
}

TEST_F(PictureStoreTest, FindsTheLatestPictureThatWasDueWithinTheLastFrames) {
  add(2, 4, at_picture(0));
  EXPECT_EQ(store_.latest_passed(at_picture(6), 5)->begin_seconds, 4 * kStep);
  EXPECT_EQ(store_.latest_passed(at_picture(6), 1), nullptr);
  EXPECT_EQ(store_.latest_passed(at_picture(0, -1), 5)->begin_seconds, 2 * kStep);
}

TEST_F(PictureStoreTest, TakesAPictureOnce) {
  add(1, 1, at_picture(0));
  add(1, 1, at_picture(0));
  EXPECT_EQ(store_.bytes(), 100U);
  EXPECT_EQ(store_.pictures(), 1U);
}

TEST_F(PictureStoreTest, ReplacesWhatALongerPictureCovers) {
  add(1, 3, at_picture(0));
  store_.add({0, std::numeric_limits<double>::infinity(), nullptr, 100}, at_picture(0));
  EXPECT_EQ(store_.pictures(), 1U);
  EXPECT_EQ(store_.at(1000)->begin_seconds, 0);
}

}  // namespace
}  // namespace submix::io
