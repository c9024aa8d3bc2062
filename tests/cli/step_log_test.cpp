// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/step_log.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

namespace submix::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Direction = StepLog::Direction;

class StepLogTest : public ::testing::Test {
 protected:
  static ShowStep step(const std::string& title) {
    return {title, false, "before " + title, "after " + title};
  }
  [[nodiscard]] StepLog::StepFile newest(Direction direction) const {
    return log_.newest(direction).value().value();
  }

  const testing::TemporaryFolder folder_;
  StepLog log_{folder_ / "steps"};
};

TEST_F(StepLogTest, IsEmptyWithoutAFolder) {
  EXPECT_FALSE(log_.newest(Direction::undo).value());
  EXPECT_THAT(log_.titles(Direction::undo), IsEmpty());
}

TEST_F(StepLogTest, GivesTheNewestStepAsItWas) {
  ASSERT_TRUE(log_.add(step("one")));
  ASSERT_TRUE(log_.add({"whole \"show\"", true, "a = 1\n", "a = 2\n"}));
  EXPECT_EQ(newest(Direction::undo).step, (ShowStep{"whole \"show\"", true, "a = 1\n", "a = 2\n"}));
  EXPECT_THAT(log_.titles(Direction::undo), ElementsAre("whole \"show\"", "one"));
}

TEST_F(StepLogTest, GivesAllStepsWithWhetherTheShowBeforeKeptItsRate) {
  const ShowStep kept{"two", false, "a = 1\n", "a = 2\n", true};
  ASSERT_TRUE(log_.add(step("one")));
  ASSERT_TRUE(log_.add(kept));
  EXPECT_THAT(log_.steps(Direction::undo), ElementsAre(kept, step("one")));
}

TEST_F(StepLogTest, AStepThatIsDoneGoesToTheOthers) {
  ASSERT_TRUE(log_.add(step("one")));
  ASSERT_TRUE(log_.add(step("two")));
  ASSERT_TRUE(log_.turn(newest(Direction::undo), Direction::undo));
  EXPECT_THAT(log_.titles(Direction::undo), ElementsAre("one"));
  EXPECT_EQ(newest(Direction::redo).step, step("two"));
  ASSERT_TRUE(log_.turn(newest(Direction::redo), Direction::redo));
  EXPECT_THAT(log_.titles(Direction::undo), ElementsAre("two", "one"));
  EXPECT_THAT(log_.titles(Direction::redo), IsEmpty());
}

TEST_F(StepLogTest, ANewStepEndsWhatCouldBeRedone) {
  ASSERT_TRUE(log_.add(step("one")));
  ASSERT_TRUE(log_.turn(newest(Direction::undo), Direction::undo));
  ASSERT_TRUE(log_.add(step("two")));
  EXPECT_THAT(log_.titles(Direction::redo), IsEmpty());
}

TEST_F(StepLogTest, AStepThatCannotBeDoneComesAfterTheOthers) {
  for (const auto* title : {"one", "two", "three"})
    ASSERT_TRUE(log_.add(step(title)));
  ASSERT_TRUE(log_.put_last(newest(Direction::undo), Direction::undo));
  ASSERT_TRUE(log_.put_last(newest(Direction::undo), Direction::undo));
  EXPECT_THAT(log_.titles(Direction::undo), ElementsAre("one", "three", "two"));
}

TEST_F(StepLogTest, ForgetsTheOldestBeyondItsLimit) {
  for (std::size_t i = 0; i <= StepLog::kStepsMax; ++i)
    ASSERT_TRUE(log_.add(step(std::to_string(i))));
  const auto titles = log_.titles(Direction::undo);
  EXPECT_EQ(titles.size(), StepLog::kStepsMax);
  EXPECT_EQ(titles.back(), "1");
}

// The clock ran ten years ahead while "one" was done. Once it was set right, each new step was
// older than that: `submix undo` took "one" back first.
TEST_F(StepLogTest, GivesTheNewestStepAlsoAfterTheClockWasSetBack) {
  ASSERT_TRUE(log_.add(step("one")));
  const auto later = std::chrono::system_clock::now() + std::chrono::hours(24 * 365 * 10);
  const std::chrono::nanoseconds moment = later.time_since_epoch();
  std::filesystem::rename(newest(Direction::undo).file,
                          folder_ / fmt::format("steps/undo/{:020}-7.json", moment.count()));
  for (const auto* title : {"two", "three"})
    ASSERT_TRUE(log_.add(step(title)));
  EXPECT_THAT(log_.titles(Direction::undo), ElementsAre("three", "two", "one"));
}

TEST_F(StepLogTest, NamesTheRemedyForAFileThatCannotBeRead) {
  const auto file = folder_ / "steps/undo/09999999999999999999-1.json";
  std::filesystem::create_directories(file);
  const auto newest = log_.newest(Direction::undo);
  ASSERT_FALSE(newest.has_value());
  EXPECT_EQ(newest.error().message, file.string() + ": is a folder, not a file; remove it");
}

TEST_F(StepLogTest, OnlyItsUserLooksIn) {
  ASSERT_TRUE(log_.add(step("one")));
  for (const auto& folder : {folder_ / "steps", folder_ / "steps/undo"})
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all)
        << folder;
}

TEST_F(StepLogTest, NamesAFileThatIsNoStep) {
  ASSERT_TRUE(log_.add(step("one")));
  ASSERT_TRUE(
      write_file_atomically(folder_ / "steps" / "undo" / "99999999999999999999-1.json", "{}"));
  const auto newest = log_.newest(Direction::undo);
  ASSERT_FALSE(newest);
  EXPECT_THAT(newest.error().message,
              HasSubstr("99999999999999999999-1.json: is no step of the show"));
}

TEST_F(StepLogTest, SaysWhereNothingCanBeKept) {
  ASSERT_TRUE(write_file_atomically(folder_ / "steps", "a file"));
  EXPECT_THAT(why(log_.add(step("one"))), HasSubstr("cannot be made"));
}

}  // namespace
}  // namespace submix::cli
