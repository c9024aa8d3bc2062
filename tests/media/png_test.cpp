// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/png.hpp"

#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace submix::media {
namespace {

using ::testing::HasSubstr;

Rgb24Image gradient(Size size) {
  Rgb24Image image{size, std::vector<std::uint8_t>(size.pixels() * 3)};
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<std::uint8_t>(i * 7);
  return image;
}

Result<Rgb24Image> read_bytes(const testing::TemporaryFolder& folder, const std::string& bytes) {
  std::ofstream(folder / "bytes.png", std::ios::binary) << bytes;
  return read_png(folder / "bytes.png");
}

TEST(Png, ComesBackUnchanged) {
  const testing::TemporaryFolder folder;
  for (const auto size : {Size{1, 1}, Size{17, 5}, Size{40, 30}, Size{320, 180}}) {
    const auto image = gradient(size);
    ASSERT_TRUE(write_png(folder / "mix.png", image));
    const auto again = read_png(folder / "mix.png");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, image);
  }
}

TEST(Png, NamesTheFileThatCannotBeWritten) {
  const testing::TemporaryFolder folder;
  const auto written = write_png(folder / "missing" / "mix.png", gradient({4, 4}));
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("missing/mix.png"));
}

TEST(Png, RefusesEveryTruncation) {
  const testing::TemporaryFolder folder;
  const auto bytes = encode_png(gradient({9, 9}));
  ASSERT_TRUE(bytes);
  // The last 12 bytes are the empty end chunk, which the decoder does not need.
  for (std::size_t length = 0; length + 12 < bytes->size(); ++length) {
    EXPECT_FALSE(read_bytes(folder, bytes->substr(0, length))) << length;
  }
}

TEST(Png, RefusesASizeOverTheLimitBeforeAllocating) {
  const testing::TemporaryFolder folder;
  auto bytes = *encode_png(gradient({4, 4}));
  bytes.replace(16, 4, {0, 0, '\x80', 1});                 // width 32769
  bytes.replace(29, 4, {'\xb7', '\x5b', '\xf7', '\xf2'});  // the header's checksum
  EXPECT_THAT(why(read_bytes(folder, bytes)), HasSubstr("size 32769x4 is over"));
}

TEST(Png, NamesTheFileThatIsNoPicture) {
  const testing::TemporaryFolder folder;
  EXPECT_THAT(why(read_bytes(folder, "not a picture")), HasSubstr("bytes.png"));
}

}  // namespace
}  // namespace submix::media
