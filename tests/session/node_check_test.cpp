// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/node_check.hpp"

#include "common/base/mutex.hpp"
#include "common/show/edit.hpp"
#include "common/show/parse.hpp"
#include "tests/model/readings.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <map>
#include <mutex>

namespace submix::session {
namespace {

using namespace std::chrono_literals;
using cluster::Presence;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Faults = std::vector<cluster::SubmixFault>;

/// Nodes that answer as a test tells them to. Any other node is present and can run everything.
class FakeNodes {
 public:
  std::map<std::string, Presence> presence;
  std::map<std::string, Result<Faults>> faults;

  /// Checks the sample show, which replaces no show.
  NodeCheck check(std::chrono::milliseconds patience = kNodeCheckPatience) {
    return check(nullptr, model::sample::show(), patience);
  }
  NodeCheck check(const show::Show* before, const show::Show& after,
                  std::chrono::milliseconds patience = kNodeCheckPatience) {
    const NodeQuestions questions{
        [this](const std::string& node, std::chrono::milliseconds wait) {
          return find(node, wait);
        },
        [this](const std::string& node, const std::string& toml, std::chrono::milliseconds wait) {
          return judge(node, toml, wait);
        }};
    return check_on_nodes(questions, before, after, patience);
  }
  [[nodiscard]] std::vector<std::string> asked() const { return asked_; }
  [[nodiscard]] std::vector<std::chrono::milliseconds> waits() const { return waits_; }
  [[nodiscard]] const std::string& show() const { return show_; }
  /// Each question waits until `count` are asked at once.
  void meet(std::size_t count) { meeting_ = count; }

 private:
  Presence find(const std::string& node, std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    waits_.push_back(wait);
    const auto told = presence.find(node);
    return told == presence.end() ? Presence::here : told->second;
  }
  Result<Faults> judge(const std::string& node, const std::string& toml,
                       std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    waits_.push_back(wait);
    asked_.push_back(node);
    show_ = toml;
    met_.notify_all();
    met_.wait_for(lock, 10s, [&] { return asked_.size() >= meeting_; });
    if (asked_.size() < meeting_) return fail("asked one after the other");
    const auto told = faults.find(node);
    return told == faults.end() ? Result<Faults>(Faults()) : told->second;
  }

  std::mutex mutex_;
  std::condition_variable met_;
  std::size_t meeting_ = 0;
  std::vector<std::string> asked_;
  std::vector<std::chrono::milliseconds> waits_;
  std::string show_;
};

TEST(NodeCheck, AsksEachNodeThatTheChangeConcernsForTheWholeShow) {
  FakeNodes nodes;
  const auto check = nodes.check();
  EXPECT_TRUE(check.verdict());
  EXPECT_THAT(check.asked, ElementsAre("rack1", "rack2"));
  EXPECT_EQ(nodes.show(), show::to_toml(model::sample::show()));
}

TEST(NodeCheck, AsksNobodyForAChangeThatConcernsNobody) {
  FakeNodes nodes;
  const auto before = model::sample::show();
  auto after = before;
  after.find_slot({"left", "glow"})->parameters["Blur"] = 0.7;
  EXPECT_TRUE(nodes.check(&before, after).verdict());
  EXPECT_THAT(nodes.waits(), IsEmpty());
}

TEST(NodeCheck, AsksAllNodesSideBySide) {
  FakeNodes nodes;
  nodes.meet(2);
  EXPECT_TRUE(nodes.check().verdict());
}

TEST(NodeCheck, RefusesWhatANodeCannotRunAndNamesTheNode) {
  FakeNodes nodes;
  nodes.faults["rack1"] = Faults{{"left", "clip", "left.clip: there is no such file"}};
  const auto verdict = nodes.check().verdict();
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().message, "node \"rack1\": left.clip: there is no such file");
}

TEST(NodeCheck, RefusesWhereANodeHangsAndNamesIt) {
  FakeNodes nodes;
  nodes.presence["rack2"] = Presence::silent;
  const auto check = nodes.check();
  EXPECT_THAT(nodes.asked(), ElementsAre("rack1"));
  ASSERT_FALSE(check.verdict());
  EXPECT_THAT(why(check.verdict()), HasSubstr("node \"rack2\" does not answer within 2000 ms"));
}

TEST(NodeCheck, RefusesWhereANodeDoesNotFinishInTime) {
  FakeNodes nodes;
  nodes.faults.insert_or_assign("rack1",
                                fail("node \"rack1\" does not answer: no answer within 4000 ms"));
  const auto check = nodes.check();
  EXPECT_THAT(check.silent, ElementsAre(HasSubstr("node \"rack1\" does not answer")));
  EXPECT_THAT(check.asked, ElementsAre("rack2"));
  EXPECT_FALSE(check.verdict());
}

TEST(NodeCheck, LetsAShowPassForANodeThatIsNotHereAndNamesIt) {
  FakeNodes nodes;
  nodes.presence["rack2"] = Presence::absent;
  const auto check = nodes.check();
  EXPECT_TRUE(check.verdict());
  EXPECT_THAT(check.absent, ElementsAre(HasSubstr("node \"rack2\" is not here")));
}

TEST(NodeCheck, RefusesToMoveWhatRunsToANodeThatIsNotHere) {
  FakeNodes nodes;
  nodes.presence["nobody"] = Presence::absent;
  const auto before = model::sample::show();
  auto after = before;
  ASSERT_TRUE(show::assign(after, "left", "nobody"));
  const auto moved = nodes.check(&before, after);
  EXPECT_THAT(
      moved.refusals,
      ElementsAre(HasSubstr("\"nobody\" is not here to take \"left\" over from node \"rack1\"")));
  EXPECT_FALSE(moved.verdict());

  nodes.presence["rack1"] = Presence::absent;
  EXPECT_TRUE(nodes.check(&before, after).verdict()) << "nobody runs it now";
}

TEST(NodeCheck, SaysThatNobodyCouldBeAsked) {
  FakeNodes nodes;
  nodes.presence["rack1"] = Presence::unknown;
  const auto check = nodes.check();
  EXPECT_TRUE(check.is_unreachable);
  EXPECT_FALSE(check.verdict());
}

TEST(NodeCheck, GivesNoNodeMoreThanItsPatience) {
  FakeNodes nodes;
  EXPECT_TRUE(nodes.check(300ms).verdict());
  EXPECT_THAT(nodes.waits(), ElementsAre(300ms, 300ms, 300ms, 300ms));
}

}  // namespace
}  // namespace submix::session
