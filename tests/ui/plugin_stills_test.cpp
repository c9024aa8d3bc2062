// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/plugin_stills.hpp"

#include "common/base/files.hpp"
#include "common/media/jpeg.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace submix::ui {
namespace {

using ::testing::HasSubstr;

/// Thirteen plugins: a full row, and one in the next. Picture number i has the grey 10 * i.
class PluginStillsTest : public ::testing::Test {
 protected:
  PluginStillsTest() {
    constexpr auto kSize = PluginStills::kSize;
    media::Rgb24Image all{{kSize.width * PluginStills::kColumns, kSize.height * 2}, {}};
    for (int y = 0; y < all.size.height; ++y) {
      for (int x = 0; x < all.size.width; ++x) {
        const int number = y / kSize.height * PluginStills::kColumns + x / kSize.width;
        all.pixels.insert(all.pixels.end(), 3, static_cast<std::uint8_t>(10 * (number % 25)));
      }
    }
    write("plugins.jpg", media::encode_jpeg(all).value());
    write("plugins.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n");
  }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file_atomically(folder_ / name, text));
  }
  [[nodiscard]] static int middle_of(const session::Picture& picture) {
    const auto [width, height] = picture->size;
    return static_cast<std::uint8_t>(
        picture->rgb24.at((static_cast<std::size_t>(height / 2 * width + width / 2)) * 3));
  }

  const testing::TemporaryFolder folder_;
};

TEST_F(PluginStillsTest, CutEachPictureOut) {
  const auto stills = PluginStills::read(folder_.path());
  ASSERT_TRUE(stills) << stills.error().message;
  ASSERT_NE(stills->find("a"), nullptr);
  EXPECT_EQ(stills->find("a")->size, PluginStills::kSize);
  EXPECT_EQ(stills->find("a")->rgb24.size(), PluginStills::kSize.pixels() * 3);
  EXPECT_NEAR(middle_of(stills->find("a")), 0, 2);
  EXPECT_NEAR(middle_of(stills->find("l")), 110, 2) << "the last of the first row";
  EXPECT_NEAR(middle_of(stills->find("m")), 120, 2) << "the first of the second row";
}

TEST_F(PluginStillsTest, HaveNoneOfAnUnknownPlugin) {
  EXPECT_EQ(PluginStills::read(folder_.path())->find("own/new"), nullptr);
}

TEST_F(PluginStillsTest, AreRefusedIfThePictureHasNotThePlaceOfEachPlugin) {
  write("plugins.txt", "a\nb\n");
  const auto stills = PluginStills::read(folder_.path());
  ASSERT_FALSE(stills);
  EXPECT_THAT(stills.error().message, HasSubstr("plugins.jpg"));
}

TEST_F(PluginStillsTest, AreRefusedIfAFileIsMissing) {
  EXPECT_FALSE(PluginStills::read(folder_ / "nowhere"));
}

TEST(PluginStills, OfTheSourceTreeCanBeRead) {
  const auto stills = PluginStills::read(plugin_stills_folder());
  ASSERT_TRUE(stills) << stills.error().message;
  for (const auto* plugin :
       {"transform", "mix", "pattern", "scope", "frei0r/glow", "frei0r/plasma"})
    EXPECT_NE(stills->find(plugin), nullptr) << plugin;
}

}  // namespace
}  // namespace submix::ui
