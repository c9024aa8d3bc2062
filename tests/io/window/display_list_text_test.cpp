// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/display_list_text.hpp"

#include <gtest/gtest.h>

#include <random>

namespace submix::io {
namespace {

const std::vector<Display> kTwo{{"eDP-1 14\"", 0, 0, {1920, 1200}, 60},
                                {"EPSON PJ", -1920, 40, {1920, 1080}, 0}};

TEST(DisplayListText, IsReadAsItWasWritten) {
  DisplayListReader reader;
  EXPECT_EQ(reader.take(display_list_text(kTwo)), kTwo);
  EXPECT_EQ(reader.take(display_list_text({})), std::vector<Display>());
}

TEST(DisplayListText, IsReadInPiecesAndTheNewestCounts) {
  DisplayListReader reader;
  const auto text = display_list_text(kTwo) + display_list_text({kTwo[1]});
  std::optional<std::vector<Display>> newest;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (auto list = reader.take(text.substr(i, 1))) newest = std::move(list);
  }
  EXPECT_EQ(newest, kTwo) << "the last line end is missing";
  EXPECT_EQ(reader.take("\n"), std::vector<Display>{kTwo[1]});
  EXPECT_EQ(reader.take(text), std::vector<Display>{kTwo[1]});
}

TEST(DisplayListText, StandsBetweenComplaintsOfLibraries) {
  DisplayListReader reader;
  EXPECT_EQ(reader.take("libGL error: no driver\ndisplay of nothing\ndisplay 1 2 3\n" +
                        display_list_text(kTwo)),
            kTwo);
}

TEST(DisplayListText, HasBoundsWhateverComes) {
  DisplayListReader reader;
  std::string many;
  for (int i = 0; i < 1000; ++i)
    many += "display 0 0 99999999999 1 1 " + std::string(1000, 'x') + "\ndisplay 0 0 1 1 1 PJ\n";
  EXPECT_EQ(reader.take(many + "end\n")->size(), kDisplaysMax);
  EXPECT_FALSE(reader.take(std::string(1 << 20, 'y')));
  std::minstd_rand random(7);
  std::string noise(1 << 16, '\0');
  for (auto& byte : noise)
    byte = static_cast<char>("display 019- \n\xff"[random() % 15]);
  static_cast<void>(reader.take(noise));
  EXPECT_EQ(reader.take("\nend\n" + display_list_text(kTwo)), kTwo);
}

}  // namespace
}  // namespace submix::io
