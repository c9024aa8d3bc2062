// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/extra_views.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace submix::ui {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ExtraViews, HaveIdsOfTheirOwnAndContainEachPage) {
  std::set<std::string_view> ids;
  for (const auto& view : extra_views())
    EXPECT_TRUE(ids.insert(view.entry.id).second) << view.entry.id;
  for (const auto& page : pages())
    EXPECT_TRUE(ids.contains(page.id)) << page.id;
}

TEST(ExtraViews, BelongToAPageUnlessTheyArePicturesOnly) {
  EXPECT_TRUE(find_extra_view("links")->is_page());
  EXPECT_FALSE(find_extra_view(kCuesView)->is_page());
  EXPECT_EQ(find_extra_view(kCuesView)->page, "perform");
  EXPECT_FALSE(find_extra_view(kProgrammeView)->has_controls());
  EXPECT_EQ(find_extra_view("none"), nullptr);
}

TEST(MoveOut, RefusesAFifthWindowAndSaysSo) {
  PanelState state;
  for (const auto* view : {"programme", "cues", "patch", "links"})
    move_out(view, state);
  EXPECT_FALSE(state.notice);
  move_out("links", state);
  EXPECT_FALSE(state.notice) << "it is out already";
  move_out("alerts", state);
  EXPECT_THAT(state.moved_out, ElementsAre("programme", "cues", "patch", "links"));
  ASSERT_TRUE(state.notice);
  EXPECT_THAT(state.notice->text, HasSubstr("4 windows"));
  move_back("cues", state);
  move_out("alerts", state);
  EXPECT_THAT(state.moved_out, ElementsAre("programme", "patch", "links", "alerts"));
}

TEST(MoveOut, LeavesUnknownViewsWhereTheyAre) {
  PanelState state;
  move_out("nothing", state);
  EXPECT_TRUE(state.moved_out.empty());
}

TEST(MovedOutPage, IsNotInTheMainWindowWhichShowsThePageBefore) {
  PanelState state;
  state.page = "ledger";
  keep_moved_out_pages_away(state);
  state.page = "links";
  move_out("links", state);
  keep_moved_out_pages_away(state);
  EXPECT_EQ(state.page, "ledger");
  EXPECT_EQ(state.raised_view, "links");
}

TEST(MovedOutPage, GivesWayToAnyPageThatIsThere) {
  PanelState state;  // with the default page
  for (const auto& page : {pages()[0], pages()[1]})
    move_out(page.id, state);
  keep_moved_out_pages_away(state);
  EXPECT_EQ(state.page, pages()[2].id);
  move_page_back(pages()[0].id, state);
  state.page = pages()[0].id;
  keep_moved_out_pages_away(state);
  EXPECT_EQ(state.page, pages()[0].id);
}

TEST(MovedOutPage, ComesBackWithItsPanels) {
  PanelState state;
  for (const auto view : {kCuesView, kWallView, kLayersView, std::string_view("perform")})
    move_out(view, state);
  move_page_back("perform", state);
  EXPECT_THAT(state.moved_out, ElementsAre(kWallView));
}

TEST(PageInUse, IsThatOfTheWindowWithTheKeyboard) {
  PanelState state;
  state.page = "overview";
  EXPECT_EQ(state.page_in_use(), "overview");
  state.extra_page = "patch";
  EXPECT_EQ(state.page_in_use(), "patch");
}

}  // namespace
}  // namespace submix::ui
