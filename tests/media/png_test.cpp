// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/png.hpp"

#include "tests/support/temporary_folder.hpp"

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

TEST(Png, ComesBackUnchangedFromBytes) {
  for (const auto size : {Size{1, 1}, Size{17, 5}, Size{320, 180}}) {
    const auto image = gradient(size);
    const auto bytes = encode_png(image);
    ASSERT_TRUE(bytes);
    const auto again = decode_png(*bytes);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, image);
  }
}

TEST(Png, ComesBackUnchangedFromAFile) {
  const testing::TemporaryFolder folder;
  const auto image = gradient({40, 30});
  ASSERT_TRUE(write_png(folder / "mix.png", image));
  const auto again = read_png(folder / "mix.png");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, image);
}

TEST(Png, NamesTheFileThatCannotBeWritten) {
  const testing::TemporaryFolder folder;
  const auto written = write_png(folder / "missing" / "mix.png", gradient({4, 4}));
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("missing/mix.png"));
}

TEST(Png, RefusesEveryTruncation) {
  const auto bytes = encode_png(gradient({9, 9}));
  ASSERT_TRUE(bytes);
  // The last 12 bytes are the empty end chunk, which the decoder does not need.
  for (std::size_t length = 0; length + 12 < bytes->size(); ++length) {
    EXPECT_FALSE(decode_png(std::string_view(*bytes).substr(0, length))) << length;
  }
}

TEST(Png, RefusesASizeOverTheLimitBeforeAllocating) {
  auto bytes = *encode_png(gradient({4, 4}));
  bytes.replace(16, 4, {0, 0, '\x80', 1});                 // width 32769
  bytes.replace(29, 4, {'\xb7', '\x5b', '\xf7', '\xf2'});  // the header's checksum
  const auto decoded = decode_png(bytes);
  ASSERT_FALSE(decoded);
  EXPECT_THAT(decoded.error().message, HasSubstr("size 32769x4 is over"));
}

TEST(Png, NamesTheFileThatIsNoPicture) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder / "notes.png") << "not a picture";
  const auto read = read_png(folder / "notes.png");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("notes.png"));
}

}  // namespace
}  // namespace submix::media
