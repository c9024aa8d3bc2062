// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/doctor/mend.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace submix::doctor {
namespace {

namespace fs = std::filesystem;

fs::path governor_of(const fs::path& root, const std::string& processor) {
  return root / "sys/devices/system/cpu" / processor / "cpufreq/scaling_governor";
}

void write_governor(const fs::path& file, const std::string& governor) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << governor << '\n';
}

std::string word_in(const fs::path& file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

TEST(MendGovernors, SetsTheSlowOnesAndSaysHowMany) {
  const testing::TemporaryFolder folder;
  const auto slow = governor_of(folder.path(), "cpu0");
  write_governor(slow, "powersave");
  write_governor(governor_of(folder.path(), "cpu1"), "performance");
  const auto findings = mend_governors(folder.path());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].grade, Grade::mended);
  EXPECT_THAT(findings[0].found, ::testing::HasSubstr("on 1 processor "));
  EXPECT_EQ(word_in(slow), "performance");
}

TEST(MendGovernors, SaysNothingWhereNothingIsWrong) {
  const testing::TemporaryFolder folder;
  write_governor(governor_of(folder.path(), "cpu0"), "performance");
  EXPECT_TRUE(mend_governors(folder.path()).empty());
  EXPECT_TRUE(mend_governors(folder.path() / "nothing").empty());
}

TEST(MendGovernors, AFileThatCannotBeWrittenIsToldWithARemedy) {
  const testing::TemporaryFolder folder;
  fs::create_directories(governor_of(folder.path(), "cpu0"));  // a folder in place of the file
  const auto findings = mend_governors(folder.path());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].grade, Grade::bad);
  EXPECT_FALSE(findings[0].remedy.empty());
}

TEST(PermitByLimits, WritesAFileOnceAndNamesTheNextLogin) {
  const testing::TemporaryFolder folder;
  const auto file = folder.path() / "etc/security/limits.d/submix-doctor.conf";
  fs::create_directories(file.parent_path());
  const auto first = permit_by_limits(folder.path(), "anna");
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].grade, Grade::mended);
  EXPECT_THAT(first[0].found, ::testing::HasSubstr("next login"));
  EXPECT_EQ(read_text_file(file).value_or(""), "anna - rtprio 20\nanna - memlock unlimited\n");
  EXPECT_EQ(permit_by_limits(folder.path(), "anna")[0].grade, Grade::note);
}

TEST(PermitByLimits, RefusesNamesThatWouldBeOtherLines) {
  const testing::TemporaryFolder folder;
  for (const auto* name : {"", "*", "anna\n* - rtprio 99", "@all"})
    EXPECT_EQ(permit_by_limits(folder.path(), name)[0].grade, Grade::bad) << name;
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace submix::doctor
