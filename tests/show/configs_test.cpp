// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/files.hpp"
#include "common/show/parse.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace submix::show {
namespace {

TEST(Configs, EveryShowParsesAndKeepsItsMeaning) {
  int shows = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SUBMIX_CONFIGS "/shows")) {
    SCOPED_TRACE(entry.path());
    const auto text = read_text_file(entry.path());
    ASSERT_TRUE(text) << text.error().message;
    const auto show = parse(*text, entry.path().filename().string());
    ASSERT_TRUE(show) << to_string(show.error());
    const auto again = parse(to_toml(*show), "again");
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(*again, *show);
    ++shows;
  }
  EXPECT_GE(shows, 4);
}

}  // namespace
}  // namespace submix::show
