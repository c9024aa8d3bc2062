// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/open_folder.hpp"

#include "tests/support/temporary_folder.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>

namespace submix::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using EntryType = OpenFolder::EntryType;

/// One way to open a name beneath a folder.
using OpenFunction = int (*)(int folder, const char* name, int flags);

int by_kernel(int folder, const char* name, int flags) {
  return open_beneath(folder, name, flags);
}
int by_steps(int folder, const char* name, int flags) {
  return open_beneath_by_steps(folder, name, flags);
}

class OpenBeneath : public ::testing::TestWithParam<std::pair<const char*, OpenFunction>> {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "root/a/b");
    std::ofstream(folder_ / "root/a/b/film") << "film";
    std::ofstream(folder_ / "outside") << "outside";
    std::filesystem::create_symlink("../outside", folder_ / "root/link");
    std::filesystem::create_directory_symlink("..", folder_ / "root/up");
    root_ = Descriptor(::open((folder_ / "root").c_str(), O_PATH | O_DIRECTORY));
  }
  /// 0: it was opened.
  int error_of(const char* name) {
    const Descriptor opened(GetParam().second(root_.get(), name, O_RDONLY | O_CLOEXEC));
    return opened ? 0 : errno;
  }

  testing::TemporaryFolder folder_;
  Descriptor root_;
};

TEST_P(OpenBeneath, OpensWhatLiesBelow) {
  for (const auto* name : {"a/b/film", "a//b/./film", "./a/b/film", "a/b", "a/b/", "."})
    EXPECT_EQ(error_of(name), 0) << name;
}

TEST_P(OpenBeneath, DoesNotLeadOut) {
  for (const auto* name : {"../outside", "a/../../outside", "link", "up/outside",
                           "up/root/a/b/film", "..", "/etc/passwd", "a/b/../../../outside"}) {
    const int error = error_of(name);
    EXPECT_TRUE(error == EXDEV || error == ELOOP || error == ENOTDIR) << name << ": " << error;
  }
}

TEST_P(OpenBeneath, TellsWhatIsNotThere) {
  EXPECT_EQ(error_of("a/none"), ENOENT);
  EXPECT_EQ(error_of("none/film"), ENOENT);
  EXPECT_EQ(error_of(""), ENOENT);
}

INSTANTIATE_TEST_SUITE_P(Both, OpenBeneath,
                         ::testing::Values(std::pair{"ByTheKernel", OpenFunction{by_kernel}},
                                           std::pair{"BySteps", OpenFunction{by_steps}}),
                         [](const auto& test) { return std::string(test.param.first); });

class OpenFolderTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  OpenFolder open_ = OpenFolder::open(folder_.path()).value();
};

TEST_F(OpenFolderTest, TellsWhatAnEntryIs) {
  std::ofstream(folder_ / "file") << "x";
  std::filesystem::create_directory(folder_ / "folder");
  std::filesystem::create_symlink("file", folder_ / "link");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(open_.entry_type("file"), EntryType::plain_file);
  EXPECT_EQ(open_.entry_type("folder"), EntryType::folder);
  EXPECT_EQ(open_.entry_type("link"), EntryType::link);
  EXPECT_EQ(open_.entry_type("pipe"), EntryType::other);
  EXPECT_EQ(open_.entry_type("none"), EntryType::none);
  EXPECT_THAT(open_.names(), ElementsAre("file", "folder", "link", "pipe"));
}

TEST_F(OpenFolderTest, MakesAFileOnlyWhereNothingHasItsName) {
  EXPECT_TRUE(open_.create_file("new"));
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("target", folder_ / "link");
  for (const auto* name : {"new", "pipe", "link"}) {
    const auto made = open_.create_file(name);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("File exists"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "target"));
}

TEST_F(OpenFolderTest, FollowsNoLinkToAFolder) {
  std::filesystem::create_directory(folder_ / "real");
  std::filesystem::create_directory_symlink("real", folder_ / "parts");
  EXPECT_FALSE(open_.open_folder("parts"));
  EXPECT_FALSE(open_.make_folder("parts"));
  EXPECT_TRUE(open_.make_folder("real"));
  EXPECT_TRUE(open_.make_folder("fresh"));
}

TEST_F(OpenFolderTest, StaysTheSameFolderWhenItIsReplaced) {
  auto made = open_.make_folder("folder");
  ASSERT_TRUE(made);
  std::filesystem::rename(folder_ / "folder", folder_ / "moved");
  std::filesystem::create_directory(folder_ / "folder");
  EXPECT_TRUE(made->create_file("film"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "moved/film"));
}

}  // namespace
}  // namespace submix::io
