// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/media_shelf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace submix::session {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class MediaShelfTest : public ::testing::Test {
 protected:
  MediaShelfTest() {
    known_.nodes.resize(2);
    known_.nodes[0].name = "rack1";
    known_.nodes[0].health = model::Health::healthy;
    known_.nodes[1].name = "gone";
    known_.nodes[1].health = model::Health::absent;
  }

  std::vector<std::string> take() {
    std::vector<std::string> files;
    for (auto& request : shelf_.take_requests(known_)) {
      if (const auto* picture = std::get_if<TakeMediaPicture>(&request))
        files.push_back(picture->key.file);
    }
    return files;
  }
  void come(const std::string& file, Result<model::MediaPicture> picture = model::MediaPicture{}) {
    MediaPictureTaken reply{{"rack1", file, 4}, std::move(picture)};
    shelf_.take(reply, known_.now);
  }
  std::vector<std::string> take_lists() {
    std::vector<std::string> nodes;
    for (auto& request : shelf_.take_requests(known_)) {
      if (const auto* wanted = std::get_if<ListMedia>(&request)) nodes.push_back(wanted->node);
    }
    return nodes;
  }
  void fail_to_list() {
    MediaListed reply{"rack1", fail("no answer")};
    shelf_.take(reply, known_.now);
  }
  void list(std::vector<cluster::MediaFile> files) {
    MediaListed reply{"rack1", cluster::MediaList{std::move(files), false}};
    shelf_.take(reply, known_.now);
  }
  [[nodiscard]] std::vector<std::string> shown() const {
    std::vector<std::string> files;
    for (const auto& [key, picture] : *shelf_.pictures())
      files.push_back(key.file);
    return files;
  }

  model::ClusterView known_;
  MediaShelf shelf_;
};

TEST_F(MediaShelfTest, AsksForAFewPicturesAtATimeInTheirOrderAndForEachOnce) {
  shelf_.watch({{"rack1", "c", 4}, {"rack1", "a", 4}, {"gone", "x", 4}, {"rack1", "b", 4}});
  EXPECT_THAT(take(), ElementsAre("c", "a"));
  EXPECT_THAT(take(), IsEmpty()) << "two are under way";
  come("a");
  EXPECT_THAT(take(), ElementsAre("b"));
  come("b");
  come("c");
  EXPECT_THAT(take(), IsEmpty()) << "each has come, and nobody is there to answer for x";
}

TEST_F(MediaShelfTest, AsksForWhatIsSeenNowBeforeWhatWasSeen) {
  shelf_.watch({{"rack1", "a", 4}, {"rack1", "b", 4}, {"rack1", "c", 4}});
  take();
  shelf_.watch({{"rack1", "z", 4}});
  come("a");
  EXPECT_THAT(take(), ElementsAre("z"));
  come("b");
  EXPECT_THAT(shown(), ElementsAre("a", "b")) << "what came late is kept all the same";
}

TEST_F(MediaShelfTest, TakesThePictureOfAChangedFileAnewAndTriesAFailedOneAgain) {
  list({{"same", 5}, {"changed", 5}, {"broken", 5}, {"gone", 5}});
  come("same");
  come("changed");
  come("gone");
  come("broken", fail("it has no video in it"));
  EXPECT_EQ(shelf_.pictures()->at({"rack1", "broken", 4})->error, "it has no video in it");
  list({{"same", 5}, {"changed", 6}, {"broken", 5}});
  EXPECT_THAT(shown(), ElementsAre("same"));
  shelf_.watch({{"rack1", "broken", 4}});
  EXPECT_THAT(take(), ElementsAre("broken"));
}

// On a busy PC a file stood in the list without its picture until the list was opened anew.
TEST_F(MediaShelfTest, TriesAPictureAgainThatFailsWhileItIsSeen) {
  shelf_.watch({{"rack1", "a", 4}});
  take();
  come("a", fail("no answer"));
  known_.now += MediaShelf::kRetry - std::chrono::seconds(1);
  EXPECT_THAT(take(), IsEmpty());
  EXPECT_EQ(shelf_.pictures()->at({"rack1", "a", 4})->error, "no answer");
  known_.now += std::chrono::seconds(1);
  EXPECT_THAT(take(), ElementsAre("a"));
  come("a");
  known_.now += MediaShelf::kRetry;
  EXPECT_THAT(take(), IsEmpty());
  EXPECT_EQ(shelf_.pictures()->at({"rack1", "a", 4})->error, "");
}

TEST_F(MediaShelfTest, TriesAPictureThatFailsAFewTimesAndAfterTheOthers) {
  const std::vector<cluster::MediaFile> files{{"a", 5}, {"b", 5}, {"broken", 5}};
  list(files);
  shelf_.watch({{"rack1", "broken", 4}});
  for (int i = 0; i < MediaShelf::kTries; ++i) {
    EXPECT_THAT(take(), ElementsAre("broken"));
    come("broken", fail("it has no video in it"));
    known_.now += MediaShelf::kRetry;
    if (i > 0) continue;
    shelf_.watch({{"rack1", "broken", 4}, {"rack1", "a", 4}, {"rack1", "b", 4}});
    EXPECT_THAT(take(), ElementsAre("a", "b"));
    come("a");
    come("b");
  }
  EXPECT_THAT(take(), IsEmpty());
  list(files);
  EXPECT_THAT(take(), ElementsAre("broken")) << "a person has asked again";
}

TEST_F(MediaShelfTest, AsksAgainWhenAListThatIsUnderWayMayBeOutOfDate) {
  shelf_.ask("rack1");
  EXPECT_THAT(take_lists(), ElementsAre("rack1"));
  shelf_.ask("rack1");
  EXPECT_THAT(take_lists(), IsEmpty());
  list({});
  EXPECT_THAT(take_lists(), ElementsAre("rack1"));
  list({});
  EXPECT_THAT(take_lists(), IsEmpty());
}

TEST_F(MediaShelfTest, AsksANodeAFewTimesForItsList) {
  shelf_.ask("rack1");
  for (int i = 0; i < MediaShelf::kTries; ++i) {
    EXPECT_THAT(take_lists(), ElementsAre("rack1"));
    EXPECT_THAT(take_lists(), IsEmpty()) << "one is under way";
    fail_to_list();
    EXPECT_THAT(take_lists(), IsEmpty());
    known_.now += MediaShelf::kRetry;
  }
  EXPECT_THAT(take_lists(), IsEmpty()) << "a person may ask again";
  shelf_.ask("rack1");
  EXPECT_THAT(take_lists(), ElementsAre("rack1"));
  list({});
  known_.now += MediaShelf::kRetry;
  EXPECT_THAT(take_lists(), IsEmpty());
}

TEST_F(MediaShelfTest, KeepsWhatIsSeenWhenItHasTooMany) {
  shelf_.watch({{"rack1", "seen", 4}});
  come("seen");
  for (std::size_t i = 0; i + 1 < MediaShelf::kKeptMax; ++i)
    come(std::to_string(i));
  EXPECT_EQ(shelf_.pictures()->size(), MediaShelf::kKeptMax);
  come("one more");
  EXPECT_THAT(shown(), UnorderedElementsAre("seen", "one more"));
}

}  // namespace
}  // namespace submix::session
