// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/graph.hpp"

#include "tests/engine/fakes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::engine {
namespace {

using ::testing::HasSubstr;

TEST(Graph, NamesAPluginThatIsMissing) {
  Workbench bench;
  EXPECT_EQ(bench.error_of({slot("a", "sorce")}),
            "submix \"left\", slot \"a\": plugin \"sorce\" is not on this node (did you mean "
            "\"source\"?); \"submix plugins\" lists what is");
}

TEST(Graph, NamesAnInputThatIsNoSlot) {
  Workbench bench;
  EXPECT_EQ(bench.error_of({slot("clip", "source"), slot("b", "filter", {{"clp"}})}),
            "submix \"left\", slot \"b\": input \"clp\" is no slot of this submix (did you mean "
            "\"clip\"?); it has: clip, b");
}

TEST(Graph, SaysHowManyInputsAPluginTakes) {
  Workbench bench;
  EXPECT_THAT(bench.error_of({slot("a", "source"), slot("m", "mixer", {{"a"}})}),
              HasSubstr("slot \"m\": plugin \"mixer\" takes 2 inputs, but \"inputs\" names 1"));
  EXPECT_THAT(bench.error_of({slot("a", "filter")}),
              HasSubstr("takes 1 input, but there is no slot above this one"));
  EXPECT_THAT(bench.error_of({slot("a", "source"), slot("b", "source", {{"a"}})}),
              HasSubstr("takes 0 inputs, but \"inputs\" names 1"));
}

TEST(Graph, ShowsACircle) {
  Workbench bench;
  EXPECT_THAT(
      bench.error_of({slot("s", "source"), slot("a", "mixer", {{"s", "b"}}), slot("b", "filter")}),
      HasSubstr("submix \"left\": slots feed each other in a circle: a -> b -> a; take one of "
                "these names out of \"inputs\", or give it a delay in frames, as \"name@1\""));
}

TEST(Graph, ListsAllThatIsWrong) {
  Workbench bench;
  const auto error = bench.error_of({slot("a", "nothing"), slot("a", "filter", {{"x"}})});
  EXPECT_THAT(error, HasSubstr("plugin \"nothing\" is not on this node"));
  EXPECT_THAT(error, HasSubstr("another slot has this name"));
  EXPECT_THAT(error, HasSubstr("input \"x\" is no slot"));
}

TEST(Graph, NeedsASlot) {
  Workbench bench;
  EXPECT_EQ(bench.error_of({}), "submix \"left\" has no slots; give it at least a source");
}

TEST(Graph, ListsWhatPluginsRefuse) {
  Workbench bench;
  auto source = slot("a", "source");
  source.parameters = {{"levl", 1.0}};
  EXPECT_EQ(bench.error_of({source}),
            "submix \"left\", slot \"a\": plugin \"source\" has no parameter \"levl\" (did you "
            "mean \"level\"?); it has: level, retained");
}

TEST(Graph, PutsEverySlotAfterWhatItReads) {
  Workbench bench;
  const show::Submix submix{
      .name = "left",
      .node = "",
      .slots = {slot("out", "output", {{"mix"}}), slot("mix", "mixer", {{"a", "b"}}),
                slot("a", "source"), slot("b", "filter", {{"a"}})}};
  const auto graph = Graph::plan(submix, bench.catalog);
  ASSERT_TRUE(graph.has_value()) << graph.error().message;
  EXPECT_THAT(graph->order, ::testing::ElementsAre(2, 3, 1, 0));
  EXPECT_EQ(graph->longest_path, 4U);
}

TEST(FramesInFlight, AreOneMoreThanTheLongestPathHasWorkers) {
  Workbench bench;
  const auto submix = bench.submix({slot("a", "source"), slot("b", "filter"), slot("w", "output")});
  EXPECT_EQ(frames_in_flight(submix, Graph::plan(submix, bench.catalog).value(), 8), 4U);
}

TEST(FramesInFlight, AreOneMoreThanThereAreCoresWhereTheseAreFewer) {
  Workbench bench;
  const auto submix = bench.submix({slot("a", "source"), slot("b", "filter"), slot("w", "output")});
  EXPECT_EQ(frames_in_flight(submix, Graph::plan(submix, bench.catalog).value(), 2), 3U);
}

TEST(FramesInFlight, AreTwoForACoreWherePluginsHaveProcesses) {
  Workbench bench;
  const auto submix = bench.submix({slot("a", "source"), slot("b", "filter"), slot("w", "output")});
  auto graph = Graph::plan(submix, bench.catalog).value();
  EXPECT_EQ(frames_in_flight(submix, graph, 1), 2U);
  graph.slots[1].is_hosted = true;
  EXPECT_EQ(frames_in_flight(submix, graph, 1), 3U);
}

TEST(FramesInFlight, AreWhatTheSubmixSays) {
  Workbench bench;
  bench.frames_in_flight = 7;
  const auto submix = bench.submix({slot("a", "source"), slot("w", "output")});
  EXPECT_EQ(frames_in_flight(submix, Graph::plan(submix, bench.catalog).value(), 2), 7U);
}

TEST(FramesBehind, CountsQueuesWorkersTapsAndWhatPluginsRetain) {
  Workbench bench;
  const show::Submix submix{
      .name = "left",
      .node = "",
      .slots = {slot("a", "source"), slot("b", "filter"), slot("w", "output")}};
  const auto graph = Graph::plan(submix, bench.catalog).value();
  const SeatRules rules{.queue_capacity = 2, .frames_in_flight_max = 100, .tap_readers = 2};
  EXPECT_EQ(frames_behind(graph, 2, {0, 0, 5}, rules), 4U);  // taps and their readers
  EXPECT_EQ(frames_behind(graph, 1, {0, 0, 5}, rules),
            4U + 3 + 5);  // plus w's queue, worker and retained frames
  EXPECT_EQ(frames_behind(graph, 0, {0, 1, 5}, rules),
            4U + 3 + 6);  // b may be bypassed, so w's frames count as well
}

TEST(FramesBehind, FollowsReadersThatPassTheirInputOn) {
  Workbench bench;
  const show::Submix submix{
      .name = "left",
      .node = "",
      .slots = {slot("a", "source"), slot("c", "output"), slot("w", "output")}};
  const auto graph = Graph::plan(submix, bench.catalog).value();
  EXPECT_EQ(frames_behind(graph, 0, {0, 0, 0}, {2, 100, 2}), 4U + 6);
  EXPECT_EQ(frames_behind(graph, 0, {0, 0, 0}, {2, 4, 2}), 4U + 4);  // at most the frames in flight
}

TEST(FramesBehind, CountsWhatWaitsForItsDelay) {
  Workbench bench;
  const show::Submix submix{.name = "left",
                            .node = "",
                            .slots = {slot("a", "source"), slot("m", "mixer", {{"a", "e@5"}}),
                                      slot("e", "filter", {{"m"}}), slot("w", "output", {{"m"}})}};
  const auto graph = Graph::plan(submix, bench.catalog).value();
  EXPECT_THAT(graph.order, ::testing::ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(graph.slots[2].is_terminal()) << "nobody needs a frame of it for the same frame";
  EXPECT_EQ(frames_behind(graph, 2, {0, 1, 0, 2}, {2, 100, 2}), 4U + 3 + 5 + 3);
  EXPECT_EQ(frames_behind(graph, 1, {0, 1, 0, 2}, {2, 100, 2}), 4U + 3 + 5 + 3)
      << "e may be bypassed";
}

TEST(FramesMade, AreThoseOfTheWorkersAndWhatIsKeptUntilItsTurn) {
  GraphSlot slot;
  EXPECT_EQ(frames_made(slot, {2, 100, 2}), 1U);
  slot.workers = 4;
  EXPECT_EQ(frames_made(slot, {2, 100, 2}), 7U);
  EXPECT_EQ(frames_made(slot, {2, 5, 2}), 5U) << "no more than may be in flight";
  EXPECT_EQ(frames_made(slot, {2, 1, 2}), 4U) << "but one for each worker";
}

TEST(Graph, GivesAShortBranchRoomForWhatALongerOneHolds) {
  Workbench bench;
  auto helped = slot("c", "filter");
  helped.helpers = 3;
  const show::Submix submix{.name = "left",
                            .node = "",
                            .slots = {slot("a", "source"), slot("b", "filter"), helped,
                                      slot("m", "mixer", {{"a", "c"}})}};
  const auto graph = Graph::plan(submix, bench.catalog).value();
  EXPECT_EQ(graph.slots[3].inputs[0].slack, 4U);
  EXPECT_EQ(graph.slots[3].inputs[1].slack, 0U);
  EXPECT_EQ(graph.slots[0].readers[1].slack, 4U);
  EXPECT_EQ(frames_behind(graph, 0, {0, 0, 0, 0}, {2, 100, 2}), 4U + 2 + 4 + 1);
}

}  // namespace
}  // namespace submix::engine
