// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/ended_nodes.hpp"

#include <gtest/gtest.h>

namespace submix::agent {
namespace {

using namespace std::chrono_literals;

class EndedNodesTest : public ::testing::Test {
 protected:
  void probe(int times) {
    for (int i = 0; i < times; ++i)
      nodes_.probe({});
  }

  std::set<std::string> there_;
  EndedNodes nodes_{[this](const std::string& node) { return there_.contains(node); }};
  const LocalTime now_{100s};
};

TEST_F(EndedNodesTest, AreThoseThatGiveNoAnswerSeveralTimesInARow) {
  ASSERT_TRUE(nodes_.watch({"a", "b"}, now_));
  there_ = {"b"};
  probe(EndedNodes::kSilences - 1);
  EXPECT_TRUE(nodes_.take().empty());
  probe(1);
  EXPECT_EQ(nodes_.take(), std::set<std::string>{"a"});
  EXPECT_TRUE(nodes_.take().empty()) << "once";
}

TEST_F(EndedNodesTest, AreNotThoseThatAnswerBetween) {
  ASSERT_TRUE(nodes_.watch({"a"}, now_));
  probe(EndedNodes::kSilences - 1);
  there_ = {"a"};
  probe(1);
  there_ = {};
  probe(EndedNodes::kSilences - 1);
  EXPECT_TRUE(nodes_.take().empty());
}

TEST_F(EndedNodesTest, AreAskedOnceASecondWhileTheyAreWaitedFor) {
  EXPECT_FALSE(nodes_.watch({}, now_)) << "nobody is";
  EXPECT_TRUE(nodes_.watch({"a"}, now_));
  EXPECT_FALSE(nodes_.watch({"a"}, now_ + EndedNodes::kPause - 1ms));
  EXPECT_TRUE(nodes_.watch({"a"}, now_ + EndedNodes::kPause));
  EXPECT_FALSE(nodes_.watch({}, now_ + 1min));
  probe(EndedNodes::kSilences);
  EXPECT_TRUE(nodes_.take().empty()) << "it is waited for no more";
}

}  // namespace
}  // namespace submix::agent
