// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/effect_shelf.hpp"

#include <gtest/gtest.h>

#include <string>

namespace submix::session {
namespace {

using namespace std::chrono_literals;

class EffectShelfTest : public ::testing::Test {
 protected:
  EffectShelfTest() {
    show::Show show;
    show.submixes.push_back({.name = "left", .node = "rack1", .slots = {}});
    known_.show = std::make_shared<const show::Show>(std::move(show));
    known_.nodes.resize(1);
    known_.nodes[0].name = "rack1";
    known_.nodes[0].health = model::Health::healthy;
    known_.submixes.resize(1);
    known_.submixes[0].name = "left";
    known_.submixes[0].node = "rack1";
  }
  static model::EffectPictureKey key(const std::string& plugin) { return {"left", "a", plugin}; }
  std::string next() {
    const auto request = shelf_.next_request(known_, now_);
    return request ? request->key.plugin : "";
  }
  void come(const std::string& plugin) {
    EffectPictureTaken reply{key(plugin), cluster::Snapshot{{1, 1}, 0, "abc"}};
    shelf_.take(reply, now_);
  }
  void fail_to_come(const std::string& plugin) {
    EffectPictureTaken reply{key(plugin), fail("it hangs")};
    shelf_.take(reply, now_);
  }

  model::ClusterView known_;
  EffectShelf shelf_;
  LocalTime now_{1h};
};

TEST_F(EffectShelfTest, AsksForOneAtATimeInTheirOrder) {
  shelf_.watch({key("c"), key("a")});
  EXPECT_EQ(next(), "c");
  EXPECT_EQ(next(), "") << "one is under way";
  come("c");
  EXPECT_EQ(next(), "a");
  come("a");
  EXPECT_EQ(next(), "") << "all are new";
}

TEST_F(EffectShelfTest, AsksAgainForTheOldestWhatIsUnknownFirst) {
  shelf_.watch({key("a"), key("b")});
  EXPECT_EQ(next(), "a");
  come("a");
  now_ += 1s;
  EXPECT_EQ(next(), "b");
  come("b");
  now_ += EffectShelf::kFresh;
  shelf_.watch({key("b"), key("a"), key("new")});
  EXPECT_EQ(next(), "new");
  come("new");
  EXPECT_EQ(next(), "a");
  come("a");
  EXPECT_EQ(next(), "b");
}

TEST_F(EffectShelfTest, LeavesAFailedOneAloneForAWhileAndSaysWhy) {
  shelf_.watch({key("bad")});
  EXPECT_EQ(next(), "bad");
  fail_to_come("bad");
  EXPECT_EQ(shelf_.pictures()->at(key("bad"))->error, "it hangs");
  now_ += EffectShelf::kFresh;
  EXPECT_EQ(next(), "");
  now_ += EffectShelf::kFailed;
  EXPECT_EQ(next(), "bad");
}

TEST_F(EffectShelfTest, AsksNobodyForWhatIsNotSeenOrCannotBeAnswered) {
  shelf_.watch({key("a")});
  known_.nodes[0].health = model::Health::absent;
  EXPECT_EQ(next(), "");
  known_.nodes[0].health = model::Health::healthy;
  shelf_.watch({});
  EXPECT_EQ(next(), "");
}

TEST_F(EffectShelfTest, KeepsNoMoreThanItMay) {
  for (std::size_t i = 0; i < 3 * EffectShelf::kKeptMax; ++i)
    come(std::to_string(i));
  EXPECT_LE(shelf_.pictures()->size(), EffectShelf::kKeptMax);
}

}  // namespace
}  // namespace submix::session
