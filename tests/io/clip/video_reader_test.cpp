// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/video_reader.hpp"

#include "tests/io/any_file.hpp"
#include "tests/io/numbered_clip.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace submix::io {
namespace {

TEST(VideoReader, HasNoPictureOfAFileThatBecameASound) {
  const testing::TemporaryFolder folder;
  const auto sound = (folder / "sound.mkv").string();
  ASSERT_EQ(
      std::system(("ffmpeg -v error -f lavfi -i anullsrc -t 0.1 -c:a pcm_s16le " + sound).c_str()),
      0);
  testing::write_numbered_clip(folder / "a.mkv", {.pictures = 5});
  auto reader = VideoReader::open(open_any_file(folder / "a.mkv").value()).value();
  ASSERT_TRUE(reader.next());
  // Into the same file, which stays open.
  std::ofstream(folder / "a.mkv") << std::ifstream(sound).rdbuf();
  const auto opened = VideoReader::open(open_any_file(folder / "a.mkv").value());
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, ::testing::HasSubstr("has no video in it"));
  EXPECT_FALSE(reader.restart());
  EXPECT_FALSE(reader.seek(0));
  EXPECT_FALSE(reader.key_before(0));
  EXPECT_FALSE(reader.next());
}

TEST(VideoReader, KnowsTheEndOfAProgramStreamWhoseLastPicturesHaveNoTime) {
  const testing::TemporaryFolder folder;
  const auto file = folder / "a.vob";
  ASSERT_EQ(std::system(("ffmpeg -v error -f lavfi -i testsrc=size=64x48:rate=25 -frames:v 100 "
                         "-c:v mpeg2video -bf 2 -q:v 31 " +
                         file.string())
                            .c_str()),
            0);
  auto reader = VideoReader::open(open_any_file(file).value()).value();
  EXPECT_NEAR(reader.duration_seconds(), 4, 0.001);
  int pictures = 0;
  while (reader.next())
    ++pictures;
  EXPECT_EQ(pictures, 100);
}

}  // namespace
}  // namespace submix::io
