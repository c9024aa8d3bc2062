// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/guide.hpp"

#include "common/base/files.hpp"
#include "controller/ui/pages/pages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::ui {
namespace {

using LineKind = GuideLine::Kind;
using ::testing::ElementsAre;

TEST(Guide, IsReadAsPlainParagraphs) {
  EXPECT_THAT(
      read_guide(R"(# The window
Press *Tap* on **each**
beat: [BEATS.md](x/BEATS.md).
- One
  item
- and `another`

| key | does |
| --- | --- |
| F1 | lists all keys |
![Perform](screenshots/perform.png)
)"),
      ElementsAre(GuideLine{LineKind::heading, "The window"},
                  GuideLine{LineKind::text, "Press Tap on each beat: BEATS.md."},
                  GuideLine{LineKind::item, "One item"}, GuideLine{LineKind::item, "and another"},
                  GuideLine{LineKind::item, "key: does"},
                  GuideLine{LineKind::item, "F1: lists all keys"},
                  GuideLine{LineKind::place, "Perform"}));
}

TEST(Guide, HasAPlaceForEachPage) {
  const auto text = read_text_file(SUBMIX_GUIDE);
  ASSERT_TRUE(text) << text.error().message;
  const auto guide = read_guide(*text);
  for (const auto& page : pages())
    EXPECT_GT(place_of_page(guide, page.title), 0U) << page.title;
  EXPECT_EQ(place_of_page(guide, "No such page"), 0U);
}

}  // namespace
}  // namespace submix::ui
