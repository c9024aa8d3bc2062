// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/state_folder.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace submix::cli {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

TEST(StateFolder, IsGoneWithItsOwner) {
  const TemporaryFolder parent;
  fs::path path;
  {
    const auto folder = StateFolder::make(parent.path(), "demo-");
    ASSERT_TRUE(folder) << folder.error().message;
    path = folder->path();
    fs::create_directories(path / "store" / "deep");
    EXPECT_TRUE(path.filename().string().starts_with("demo-"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(StateFolder, RemovesWhatAKilledOwnerLeft) {
  const TemporaryFolder parent;
  fs::create_directories(parent / "demo-left00" / "store");
  const auto folder = StateFolder::make(parent.path(), "demo-");
  ASSERT_TRUE(folder) << folder.error().message;
  EXPECT_FALSE(fs::exists(parent / "demo-left00"));
}

TEST(StateFolder, LeavesALivingOwnersAndAllOtherNamesAlone) {
  const TemporaryFolder parent;
  fs::create_directory(parent / "other");
  fs::create_directory(parent / "elsewhere");
  fs::create_directory_symlink(parent / "elsewhere", parent / "demo-link");
  const auto first = StateFolder::make(parent.path(), "demo-");
  const auto second = StateFolder::make(parent.path(), "demo-");
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->path(), second->path());
  EXPECT_TRUE(fs::exists(first->path()));
  EXPECT_TRUE(fs::exists(parent / "other"));
  EXPECT_TRUE(fs::exists(parent / "elsewhere"));
}

TEST(StateFolder, SaysWhereItCannotBeMade) {
  const auto folder = StateFolder::make("/nowhere", "demo-");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message,
            "/nowhere: no folder can be made there: No such file or directory");
}

}  // namespace
}  // namespace submix::cli
