// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/media_copying.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace submix::session {
namespace {

using ::testing::HasSubstr;

class CheckOwnLutTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string refusal() const {
    const auto checked = check_own_lut((folder_ / "warm.cube").string());
    return checked ? "none" : checked.error().message;
  }
  [[nodiscard]] std::string refusal_of(const std::string& text) const {
    EXPECT_TRUE(write_file_atomically(folder_ / "warm.cube", text));
    return refusal();
  }

  testing::TemporaryFolder folder_;
};

TEST_F(CheckOwnLutTest, TakesALut) {
  EXPECT_EQ(refusal_of("LUT_1D_SIZE 2\n0 0 0\n1 0.8 0.5\n"), "none");
}

TEST_F(CheckOwnLutTest, RefusesAWrongLine) {
  EXPECT_THAT(refusal_of("LUT_1D_SIZE 2\n0 0 0\nhello\n"), HasSubstr("line 3"));
}

TEST_F(CheckOwnLutTest, RefusesALutThatIsCutOff) {
  EXPECT_NE(refusal_of("LUT_1D_SIZE 2\n0 0 0\n"), "none");
}

TEST_F(CheckOwnLutTest, RefusesAnEnormousFileUnread) {
  ASSERT_TRUE(write_file_atomically(folder_ / "warm.cube", ""));
  std::filesystem::resize_file(folder_ / "warm.cube", std::uintmax_t{1} << 40U);
  EXPECT_THAT(refusal(), HasSubstr("has 1099511627776 bytes; at most 16777216 are read"));
}

// It was called no plain file, without a word about what to do.
TEST(OpenOwnFile, SaysWhatToDoInPlaceOfAFolder) {
  const testing::TemporaryFolder folder;
  const auto opened = open_own_file(folder.path().string());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message,
            folder.path().string() +
                ": is a folder, and folders are not taken; choose or drop the clips and pictures "
                "in it instead, several at once");
}

}  // namespace
}  // namespace submix::session
