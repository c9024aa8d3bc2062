// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/media_folders.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace submix::io {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ListMedia : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& text = "x") {
    fs::create_directories((folder_ / name).parent_path());
    ASSERT_TRUE(write_file_atomically(folder_ / name, text));
  }
  [[nodiscard]] FoundMediaList found(std::size_t most = 100) const {
    return list_media({folder_.path(), {}}, most).value_or(FoundMediaList());
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& file : found().files)
      names.push_back(file.name);
    return names;
  }

  const testing::TemporaryFolder folder_;
};

TEST_F(ListMedia, FindsClipsAndStillsByTheirEndingsInFoldersToo) {
  put("waves.mp4", "12345");
  put("logo.PNG");
  put("rain/drops.mov");
  put("rain/deep/er/mist.webm");
  put("notes.txt");
  put("mp4");
  EXPECT_THAT(names(),
              ElementsAre("logo.PNG", "rain/deep/er/mist.webm", "rain/drops.mov", "waves.mp4"));
  EXPECT_EQ(found().files.back().bytes, 5U);
  EXPECT_FALSE(found().is_cut);
}

TEST_F(ListMedia, LeavesOutWhatIsHiddenAndWhatALinkLeadsTo) {
  put("a.mp4");
  put(".hidden.mp4");
  put(".secret/b.mp4");
  put("folder/c.mp4");
  fs::create_symlink("a.mp4", folder_ / "link.mp4");
  fs::create_directory_symlink("folder", folder_ / "door");
  fs::create_directory_symlink("..", folder_ / "circle");
  EXPECT_THAT(names(), ElementsAre("a.mp4", "folder/c.mp4"));
}

TEST_F(ListMedia, SaysWhenThereIsMore) {
  for (int i = 0; i < 12; ++i)
    put(fmt::format("{:02}.mp4", i));
  EXPECT_EQ(found(12).files.size(), 12U);
  EXPECT_FALSE(found(12).is_cut);
  EXPECT_EQ(found(11).files.size(), 11U);
  EXPECT_TRUE(found(11).is_cut);
}

TEST_F(ListMedia, SaysWhichFolderIsMissing) {
  const auto missing = list_media({folder_ / "gone", {}}, 10);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("gone"));
}

}  // namespace
}  // namespace submix::io
