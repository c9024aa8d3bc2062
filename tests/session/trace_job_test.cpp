// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/trace_job.hpp"

#include "common/telemetry/trace_json.hpp"

#include <gtest/gtest.h>

namespace submix::session {
namespace {

using namespace std::chrono_literals;
using State = model::TraceView::State;

std::string trace_of(const std::string& node) {
  telemetry::Trace trace;
  const auto ring = trace.open(node + ".slot");
  ring->add({LocalTime(10s), LocalTime(11s), 7});
  return telemetry::to_chrome_json(trace, node, {LocalTime(12s), 100s, {}}, LocalTime::min());
}

class TraceJobTest : public ::testing::Test {
 protected:
  /// The due request, which must be of this kind.
  template <typename Kind>
  Kind take() {
    auto request = job_.next_request();
    const auto* kind = request ? std::get_if<Kind>(&*request) : nullptr;
    EXPECT_NE(kind, nullptr);
    return kind == nullptr ? Kind() : *kind;
  }
  void tell(const AskTrace& ask) {
    TraceTold told{ask.job, trace_of(ask.node)};
    job_.on(told);
  }
  void merge() {
    const auto request = take<MergeTraces>();
    TracesMerged merged{request.job, merge_traces(request.texts)};
    job_.on(merged);
  }
  void take_trace_of(std::vector<std::string> nodes) {
    job_.start(nodes, 5);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      tell(take<AskTrace>());
    merge();
  }
  [[nodiscard]] State state() const { return job_.view()->state; }

  TraceJob job_;
};

TEST_F(TraceJobTest, AsksOneNodeAfterTheOther) {
  job_.start({"left", "mix"}, 5);
  const auto first = take<AskTrace>();
  EXPECT_EQ(first.node, "left");
  EXPECT_EQ(first.seconds, 5);
  EXPECT_FALSE(job_.next_request()) << "not before that one has answered";
  tell(first);
  EXPECT_EQ(job_.view()->nodes_answered, 1U);
  EXPECT_EQ(take<AskTrace>().node, "mix");
}

TEST_F(TraceJobTest, HasTheLanesOfAllNodesInTheEnd) {
  take_trace_of({"left", "mix"});
  ASSERT_EQ(state(), State::ready);
  const auto& lanes = job_.view()->timeline->lanes;
  ASSERT_EQ(lanes.size(), 2U);
  EXPECT_EQ(lanes[1].node, "mix");
  EXPECT_EQ(lanes[1].name, "mix.slot");
  ASSERT_EQ(lanes[1].spans.size(), 1U);
  EXPECT_EQ(lanes[1].spans[0].frame, 7U);
  EXPECT_EQ(job_.view()->timeline->length, 1s);
}

TEST_F(TraceJobTest, LeavesOutANodeThatDoesNotTellAndNamesIt) {
  job_.start({"left", "mix"}, 5);
  TraceTold told{take<AskTrace>().job, fail("left is silent")};
  job_.on(told);
  tell(take<AskTrace>());
  merge();
  EXPECT_EQ(state(), State::ready);
  EXPECT_EQ(job_.view()->problems, std::vector<std::string>{"left is silent"});
}

TEST_F(TraceJobTest, FailsWhereNoNodeTells) {
  job_.start({"left"}, 5);
  TraceTold told{take<AskTrace>().job, fail("left is silent")};
  job_.on(told);
  EXPECT_EQ(state(), State::failed);
  EXPECT_EQ(job_.view()->problems.size(), 2U);
}

TEST_F(TraceJobTest, FailsWithoutNodes) {
  job_.start({}, 5);
  EXPECT_EQ(state(), State::failed);
  EXPECT_FALSE(job_.next_request());
}

TEST_F(TraceJobTest, DropsWhatComesAfterACancel) {
  job_.start({"left", "mix"}, 5);
  const auto ask = take<AskTrace>();
  job_.cancel();
  EXPECT_EQ(state(), State::none);
  tell(ask);
  EXPECT_EQ(state(), State::none);
  EXPECT_FALSE(job_.next_request());
}

TEST_F(TraceJobTest, GoesBackToTheTraceBeforeByACancel) {
  take_trace_of({"left"});
  job_.start({"mix"}, 5);
  job_.cancel();
  ASSERT_EQ(state(), State::ready);
  EXPECT_EQ(job_.view()->timeline->lanes[0].node, "left");
}

TEST_F(TraceJobTest, SavesTheLastTraceAsAChromeTrace) {
  take_trace_of({"left"});
  const auto write = job_.save("/tmp/trace.json");
  ASSERT_TRUE(write);
  EXPECT_NE(write->text->find("traceEvents"), std::string::npos);
  EXPECT_TRUE(job_.view()->is_saving);
  job_.on(TextWritten{WriteText::Purpose::trace, "/tmp/trace.json", {}});
  EXPECT_EQ(job_.view()->saved_as, "/tmp/trace.json");
}

TEST_F(TraceJobTest, SaysWhyItCouldNotBeSaved) {
  take_trace_of({"left"});
  ASSERT_TRUE(job_.save("/nowhere/trace.json"));
  job_.on(TextWritten{WriteText::Purpose::trace, "/nowhere/trace.json", fail("no such folder")});
  EXPECT_EQ(job_.view()->save_error, "no such folder");
  EXPECT_FALSE(job_.view()->is_saving);
}

TEST_F(TraceJobTest, HasNothingToSaveAtFirst) {
  EXPECT_FALSE(job_.save("/tmp/trace.json"));
}

}  // namespace
}  // namespace submix::session
