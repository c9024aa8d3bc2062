// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/relinking.hpp"

#include "common/show/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

show::Show show_with(const std::string& file) {
  show::Show show;
  show.nodes = {{"left", {}}, {"right", {}}};
  show::Submix submix;
  submix.name = "one";
  submix.node = "left";
  submix.slots.push_back({"clip", "clip", {{"file", file}}, {}, false});
  submix.slots.push_back({"file", "frei0r/glow", {{"file", file}}, {}, false});
  show.submixes.push_back(submix);
  return show;
}

MediaLists lists() {
  MediaLists lists;
  lists["left"].list.files = {{"rain/drops.mp4", 5}, {"sun.mp4", 5}};
  lists["right"].list.files = {{"drops.mp4", 5}, {"moon.mp4", 5}};
  return lists;
}

TEST(Relinking, FindsAFileOfTheSameNameOnItsNodeFirst) {
  const auto missing = find_missing_files(show_with("old/drops.mp4"), lists());
  ASSERT_THAT(missing, SizeIs(1)) << "a filter's text is no file";
  EXPECT_EQ(missing[0].slot, (show::Port{"one", "clip"}));
  EXPECT_EQ(missing[0].wanted, (NodeFile{"left", "old/drops.mp4", 0}));
  EXPECT_THAT(missing[0].found, ElementsAre(NodeFile{"left", "rain/drops.mp4", 5},
                                            NodeFile{"right", "drops.mp4", 5}));
  EXPECT_THAT(find_missing_files(show_with("moon.mp4"), lists())[0].found,
              ElementsAre(NodeFile{"right", "moon.mp4", 5}));
  EXPECT_THAT(find_missing_files(show_with("stars.mp4"), lists())[0].found, IsEmpty());
}

TEST(Relinking, MissesNothingThatIsThereOrMayBe) {
  EXPECT_THAT(find_missing_files(show_with("sun.mp4"), lists()), IsEmpty());
  EXPECT_THAT(find_missing_files(show_with(""), lists()), IsEmpty());
  EXPECT_THAT(find_missing_files(show_with("/media/usb/stars.mp4"), lists()), IsEmpty());
  EXPECT_THAT(find_missing_files(show_with("stars.mp4"), {}), IsEmpty()) << "nobody was asked";
  auto cut = lists();
  cut["left"].list.is_cut = true;
  EXPECT_THAT(find_missing_files(show_with("stars.mp4"), cut), IsEmpty());
  auto silent = lists();
  silent["left"].error = "does not answer";
  EXPECT_THAT(find_missing_files(show_with("stars.mp4"), silent), IsEmpty());
}

}  // namespace
}  // namespace submix::model
