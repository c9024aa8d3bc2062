// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/files.hpp"

#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace submix {
namespace {

TEST(Files, ReadBackWhatWasWritten) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "a", "one\ntwo\n").has_value());
  EXPECT_EQ(read_text_file(folder / "a").value(), "one\ntwo\n");
}

TEST(Files, AreWrittenWithTheModeAskedFor) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "key", "secret", 0600).has_value());
  struct stat status{};
  ASSERT_EQ(::stat((folder / "key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(Files, AreWhatTheyWereWhenWritingIsGivenUp) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "a", "before"));
  std::stop_source stop;
  stop.request_stop();
  const auto result = write_file_atomically(folder / "a", "after", 0644, stop.get_token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, (folder / "a").string() + ": given up");
  EXPECT_EQ(*read_text_file(folder / "a"), "before");
  const std::filesystem::directory_iterator files(folder / "");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "nothing is left beside it";
}

TEST(Files, KeepTheOldTextWhenTheNewCannotBeWritten) {
  const auto result = write_file_atomically("/proc/submix", "x");
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().message.find("/proc/submix: cannot be written"), std::string::npos);
}

TEST(Files, OverTheLimitAreRefused) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "big", std::string(11, 'x')).has_value());
  EXPECT_TRUE(read_text_file(folder / "big", 11).has_value());
  EXPECT_FALSE(read_text_file(folder / "big", 10).has_value());
}

}  // namespace
}  // namespace submix
