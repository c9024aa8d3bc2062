// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/plugin_search.hpp"
#include "controller/ui/edits/plugin_categories.hpp"

#include <gtest/gtest.h>

#include <string>

namespace submix::ui {
namespace {

cluster::PluginSummary plugin(std::string id, std::string kind = "filter",
                              std::string explanation = {}, std::string memory = "none") {
  cluster::PluginSummary made;
  made.id = std::move(id);
  made.kind = std::move(kind);
  made.explanation = std::move(explanation);
  made.memory = std::move(memory);
  return made;
}

TEST(PluginCategory, OfAKnownPluginIsThatOfTheTable) {
  EXPECT_EQ(category_of(plugin("frei0r/glow")), Category::blur);
  EXPECT_EQ(category_of(plugin("transform")), Category::distort);
  EXPECT_EQ(category_of(plugin("frei0r/baltan")), Category::time);
  EXPECT_EQ(category_of(plugin("frei0r/vectorscope")), Category::measure);
  EXPECT_EQ(category_of(plugin("scope")), Category::measure);
}

TEST(PluginCategory, OfAnUnknownPluginGoesByItsKindItsWordsAndItsMemory) {
  EXPECT_EQ(category_of(plugin("frei0r/plasma", "source")), Category::generator);
  EXPECT_EQ(category_of(plugin("frei0r/screen", "mixer2")), Category::mixer);
  EXPECT_EQ(category_of(plugin("window", "output")), Category::output);
  EXPECT_EQ(category_of(plugin("own/a", "filter", "Keys out a Colour")), Category::keying);
  EXPECT_EQ(category_of(plugin("own/b", "filter", "Changes the hue")), Category::color);
  EXPECT_EQ(category_of(plugin("own/c", "filter", "Something new", "frames")), Category::time);
  EXPECT_EQ(category_of(plugin("own/d", "filter", "Something new")), Category::other);
}

TEST(PluginSearch, FindsNamesWithoutTheirAccents) {
  const auto shader = plugin("isf/Lumière");
  EXPECT_TRUE(has_words(shader, "lumiere"));
  EXPECT_EQ(rank_of(shader, "LUMIERE"), 0);
}

TEST(PluginSearch, FindsByCategoryAndByTheNameThatPeopleSee) {
  EXPECT_TRUE(has_words(plugin("frei0r/tint0r"), "colour tint"));
  EXPECT_TRUE(has_words(plugin("frei0r/contrast0r"), "Contrast"));
  EXPECT_FALSE(has_words(plugin("frei0r/contrast0r"), "blur"));
  EXPECT_EQ(rank_of(plugin("frei0r/contrast0r"), "contrast"), 0);
  EXPECT_EQ(rank_of(plugin("frei0r/glow"), "gl"), 1);
  EXPECT_EQ(rank_of(plugin("frei0r/edgeglow"), "glow"), 2);
}

}  // namespace
}  // namespace submix::ui
