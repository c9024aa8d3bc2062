// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/media_folders.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

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
using ::testing::SizeIs;

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
  put("drawing.ai");  // open_input() refuses it
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

TEST_F(ListMedia, MakesOneSeriesOfManyNumberedPictures) {
  for (int i = 90; i < 120; ++i)
    put(fmt::format("loops/glow_{:03}.PNG", i), "1234");
  put("loops/glow.mp4");
  put("loops/glow_7.PNG");  // has another form
  EXPECT_THAT(names(), ElementsAre("loops/glow.mp4", "loops/glow_%03d.PNG", "loops/glow_7.PNG"));
  const auto series = found(3).files.at(1);
  EXPECT_EQ(series.pictures, 30U);
  EXPECT_EQ(series.bytes, 120U);
  EXPECT_EQ(found().files.front().pictures, 0U);
}

TEST_F(ListMedia, CountsThePicturesOfASeriesThatPlay) {
  for (int i = 1; i <= 60; ++i)
    if (i != 31) put(fmt::format("100%_{}.jpg", i));
  EXPECT_THAT(names(), ElementsAre("100%%_%d.jpg"));
  EXPECT_EQ(found().files.at(0).pictures, 30U);
}

TEST_F(ListMedia, MakesOneSeriesOfFilmScans) {
  for (int i = 1; i <= 25; ++i) {
    put(fmt::format("scan_{:04}.dpx", i));
    put(fmt::format("smoke.{:04}.exr", i));
  }
  EXPECT_THAT(names(), ElementsAre("scan_%04d.dpx", "smoke.%04d.exr"));
}

TEST_F(ListMedia, KeepsLutsApartFromClips) {
  put("warm.CUBE");
  put("film/cold.cube");
  put(".hidden.cube");
  put("rain.mp4");
  EXPECT_THAT(names(), ElementsAre("rain.mp4"));
  EXPECT_THAT(found().luts, ElementsAre("film/cold.cube", "warm.CUBE"));
  EXPECT_THAT(found(1).luts, SizeIs(1));
}

TEST_F(ListMedia, KeepsFewNumberedPicturesAndNumberedFilmsAsTheyAre) {
  for (int i = 1; i <= 30; ++i) {
    if (i < 25) put(fmt::format("still_{}.png", i));
    put(fmt::format("photo_{}.jpg", 2 * i));
    put(fmt::format("take_{:02}.mp4", i));
  }
  EXPECT_EQ(found().files.size(), 84U);
}

TEST_F(ListMedia, SaysWhichFolderIsMissing) {
  const auto missing = list_media({folder_ / "gone", {}}, 10);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("gone"));
}

class ReadMedia : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "inside/luts");
    ASSERT_TRUE(write_file_atomically(folder_ / "secret.cube", "secret"));
    fs::create_symlink("../secret.cube", folder_ / "inside/link.cube");
  }
  [[nodiscard]] Result<std::string> read(const std::string& file, std::size_t bytes_max,
                                         bool allows_any_file = false) const {
    return read_media({folder_ / "inside", {}, allows_any_file}, file, bytes_max);
  }

  const testing::TemporaryFolder folder_;
};

TEST_F(ReadMedia, ReadsWholeFilesUpToALimit) {
  for (const std::size_t bytes : {1U, 2U, 65'535U, 65'536U, 65'537U, 300'000U}) {
    const std::string text(bytes, 'x');
    ASSERT_TRUE(write_file_atomically(folder_ / "inside/luts/a.cube", text));
    EXPECT_EQ(read("luts/a.cube", bytes).value_or("refused"), text);
    const auto refused = read("luts/a.cube", bytes - 1);
    ASSERT_FALSE(refused) << bytes;
    EXPECT_THAT(refused.error().message,
                HasSubstr(fmt::format("luts/a.cube: has more than {} bytes", bytes - 1)));
  }
}

TEST_F(ReadMedia, ReadsNothingBeyondTheFolderUnlessAllowed) {
  const auto absolute = (folder_ / "secret.cube").string();
  for (const auto& name : {std::string("../secret.cube"), std::string("link.cube"), absolute}) {
    const auto refused = read(name, 100);
    ASSERT_FALSE(refused) << name;
    EXPECT_THAT(refused.error().message, HasSubstr("start the node with --any-file")) << name;
    EXPECT_EQ(read(name, 100, true).value_or("refused"), "secret") << name;
  }
}

TEST_F(ReadMedia, SaysThatAFileIsMissing) {
  EXPECT_THAT(why(read("no.cube", 100)), HasSubstr("no.cube: there is no such file"));
  EXPECT_FALSE(read("luts", 100)) << "a folder";
}

}  // namespace
}  // namespace submix::io
