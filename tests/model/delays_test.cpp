// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/delays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace submix::model {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

SubmixView submix(std::string name, std::chrono::milliseconds delay, bool is_final = false) {
  SubmixView view;
  view.name = std::move(name);
  view.is_final = is_final;
  view.delay = {delay, 2 * delay, 3 * delay};
  return view;
}

StreamView stream(const std::string& from, const std::string& to,
                  std::chrono::milliseconds latency) {
  StreamView view;
  view.name = from + " to " + to;
  view.from = {from, "out"};
  view.to = {to, from};
  view.sender.latency = {latency, 2 * latency, 3 * latency};
  return view;
}

auto is_delay(const std::string& performer, const std::string& output,
              std::chrono::milliseconds p50) {
  return AllOf(Field("performer", &PerformerDelay::performer, performer),
               Field("output", &PerformerDelay::output, output),
               Field("p50", &PerformerDelay::p50, p50),
               Field("p99", &PerformerDelay::p99, 2 * p50));
}

TEST(Delays, AreTheSumOfThePatchesAndStreamsOnTheWay) {
  ClusterView view;
  view.submixes = {submix("left", 10ms), submix("right", 40ms), submix("mix", 30ms, true)};
  view.streams = {stream("left", "mix", 5ms), stream("right", "mix", 6ms)};
  EXPECT_THAT(find_delays(view),
              ElementsAre(is_delay("left", "mix", 45ms), is_delay("right", "mix", 76ms)));
}

TEST(Delays, AnOutputWithoutStreamsIsItsOwnPerformer) {
  ClusterView view;
  view.submixes = {submix("solo", 20ms, true)};
  EXPECT_THAT(find_delays(view), ElementsAre(is_delay("solo", "solo", 20ms)));
}

TEST(Delays, CountTheLongestOfSeveralWays) {
  ClusterView view;
  view.submixes = {submix("clip", 10ms), submix("glow", 50ms), submix("mix", 30ms, true)};
  view.streams = {stream("clip", "mix", 5ms), stream("clip", "glow", 5ms),
                  stream("glow", "mix", 5ms)};
  EXPECT_THAT(find_delays(view), ElementsAre(is_delay("clip", "mix", 100ms)));
}

TEST(Delays, AreUnknownWhileAPartOfTheWayIsNotMeasured) {
  ClusterView view;
  view.submixes = {submix("left", 0ms), submix("right", 10ms), submix("mix", 30ms, true)};
  view.streams = {stream("left", "mix", 5ms), stream("right", "mix", 0ms)};
  EXPECT_THAT(find_delays(view), IsEmpty());
}

TEST(Delays, EndWhereStreamsLeadInACircle) {
  ClusterView view;
  view.submixes = {submix("left", 10ms), submix("mix", 30ms, true)};
  view.streams = {stream("left", "mix", 5ms), stream("mix", "left", 5ms)};
  EXPECT_THAT(find_delays(view), IsEmpty());
}

}  // namespace
}  // namespace submix::model
