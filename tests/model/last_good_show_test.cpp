// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/last_good_show.hpp"

#include "tests/model/readings.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace submix::model {
namespace {

std::shared_ptr<const show::Show> named(const char* name) {
  auto show = sample::show();
  show.name = name;
  return std::make_shared<const show::Show>(std::move(show));
}

ClusterView view_of(const char* name, const char* good) {
  ClusterView view;
  view.show = named(name);
  view.good_show = named(good);
  view.submixes.resize(1);
  view.submixes[0].state = SubmixState::running;
  return view;
}

TEST(LastGoodShow, IsAWayBackOnlyWhereThePresentShowIsAnotherOne) {
  EXPECT_TRUE(can_go_back(view_of("duo", "trio")));
  EXPECT_FALSE(can_go_back(view_of("duo", "duo")));
  auto view = view_of("duo", "trio");
  view.good_show = nullptr;
  EXPECT_FALSE(can_go_back(view));
}

TEST(LastGoodShow, IsWantedWhereASubmixIsAtFaultOrTheShowCannotBeRead) {
  auto view = view_of("duo", "trio");
  EXPECT_FALSE(should_offer_way_back(view)) << "a show that has just changed";
  view.submixes[0].error = "left.clip: there is no such file; the slot goes on as it was before";
  EXPECT_TRUE(should_offer_way_back(view));
  view.submixes[0].error.clear();
  view.show_error = "line 3: no show";
  EXPECT_TRUE(should_offer_way_back(view));
  view.good_show = view.show;
  EXPECT_FALSE(should_offer_way_back(view)) << "it would bring nothing else";
}

TEST(LastGoodShow, HasAName) {
  EXPECT_EQ(good_show_text(view_of("duo", "trio")), "show \"trio\"");
  EXPECT_EQ(good_show_text(view_of("duo", "duo")),
            "show \"duo\", as it was before the last changes");
}

}  // namespace
}  // namespace submix::model
