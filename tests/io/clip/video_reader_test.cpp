// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/video_reader.hpp"

#include "node/io/media_folders.hpp"
#include "tests/io/numbered_clip.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>

namespace submix::io {
namespace {

/// A WAV file of 100 silent samples: FFmpeg opens it, and finds no video.
std::string sound_file() {
  using namespace std::string_view_literals;
  return std::string(
             "RIFF\xec\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\xc8\0\0\0"sv) +
         std::string(200, '\0');
}

TEST(VideoReader, HasNoPictureOfAFileThatBecameASound) {
  const testing::TemporaryFolder folder;
  testing::write_numbered_clip(folder / "a.mkv", {.pictures = 5});
  auto reader = VideoReader::open(open_any_file(folder / "a.mkv").value()).value();
  ASSERT_TRUE(reader.next());
  std::ofstream(folder / "a.mkv") << sound_file();  // into the same file, which stays open
  EXPECT_FALSE(reader.restart());
  EXPECT_FALSE(reader.seek(0));
  EXPECT_FALSE(reader.key_before(0));
  EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace submix::io
