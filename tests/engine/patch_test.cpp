// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/acts_at_once.hpp"
#include "tests/engine/fakes.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::engine {
namespace {

TEST(Patch, CarriesEveryFrameInOrderToEveryReader) {
  Workbench bench;
  const auto patch = bench
                         .build({slot("a", "source"), slot("b", "filter"), slot("x", "output"),
                                 slot("y", "output", {{"a"}})})
                         .value();
  patch->start();
  for (const auto* name : {"b", "x", "y"}) {
    const auto seen = bench.ledger.wait_for(name, 300);
    EXPECT_EQ(seen, count_up_to(seen.size())) << name;
    EXPECT_GE(seen.size(), 300U);
  }
}

show::Slot stamp_of(std::string name, std::string input, double source) {
  auto stamp = slot(std::move(name), "stamp", {{std::move(input)}});
  stamp.parameters = {{"source", source}};
  return stamp;
}

show::Slot checker_of(std::string name, std::string input, double source) {
  auto checker = slot(std::move(name), "checker", {{std::move(input)}});
  checker.parameters = {{"source", source}};
  return checker;
}

std::map<std::string, std::uint64_t> counters_of(const Patch& patch, std::string_view slot) {
  const auto counters = reading_of(patch.telemetry(), slot).counters;
  return {counters.begin(), counters.end()};
}

TEST(Patch, CopiesAPictureThatIsDrawnOverOnlyWhereOthersHaveIt) {
  Workbench bench;
  bench.options.size = {256, 64};
  const auto patch = bench
                         .build({slot("a", "source"), slot("b", "filter"), stamp_of("s", "b", 7),
                                 checker_of("c", "s", 7)})
                         .value();
  patch->start();
  EXPECT_TRUE(eventually([&] { return frames_of(*patch, "c") >= 1000; }));
  patch->stop();
  EXPECT_LT(counters_of(*patch, "s")["copied"], frames_of(*patch, "s"));
  EXPECT_EQ(counters_of(*patch, "c")["unreadable"], 0U);
}

TEST(Patch, GivesEachOfTwoThatDrawOverAPictureItsOwn) {
  Workbench bench;
  bench.options.size = {256, 64};
  const auto patch =
      bench
          .build({slot("a", "source"), slot("b", "filter"), stamp_of("s", "b", 1),
                  stamp_of("t", "b", 2), checker_of("c", "s", 1), checker_of("d", "t", 2)})
          .value();
  patch->start();
  for (const auto* checker : {"c", "d"}) {
    EXPECT_TRUE(eventually([&] { return frames_of(*patch, checker) >= 1000; }));
    auto counters = counters_of(*patch, checker);
    EXPECT_GE(counters["checked"], 999U) << checker;
    for (const auto& [name, count] : counters) {
      const bool is_finding = name != "checked" && name != "epochs";
      EXPECT_EQ(is_finding ? count : 0U, 0U) << checker << ": " << name;
    }
  }
}

TEST(Patch, PairsTheInputsOfAMixerByPositionOverUnequalBranches) {
  Workbench bench;
  const auto patch =
      bench
          .build({slot("a", "source"), slot("b", "filter"), slot("c", "filter"),
                  slot("d", "filter"), slot("m", "mixer", {{"a", "d"}}), slot("x", "output")})
          .value();
  patch->start();
  const auto seen = bench.ledger.wait_for("x", 300);
  EXPECT_EQ(seen, count_up_to(seen.size()));
  EXPECT_EQ(reading_of(patch->telemetry(), "m").counters[0].second, 0U);
}

TEST(Patch, MixesAsManyBranchesAsASlotNames) {
  Workbench bench;
  const auto patch =
      bench
          .build({slot("a", "source"), slot("b", "source"), slot("c", "filter"),
                  slot("d", "source"), slot("e", "source"),
                  slot("m", "mix", {{"a", "b", "c", "d", "e"}}), slot("x", "output")})
          .value();
  patch->start();
  const auto seen = bench.ledger.wait_for("x", 300);
  EXPECT_EQ(seen, count_up_to(seen.size()));
  EXPECT_THAT(bench.error_of({slot("a", "source"), slot("m", "mix", {{"a"}})}),
              ::testing::HasSubstr("takes 2 to 16 inputs, but \"inputs\" names 1"));
}

// Three slots lie on the longer path. Each has a frame while the shorter path waits.
TEST(Patch, LetsAShortBranchRunAheadAsFarAsALongOneGoes) {
  Workbench bench;
  bench.frames_in_flight = 64;
  bench.options.queue_capacity = 1;
  bench.ledger.shut("m");
  const auto patch =
      bench
          .build({slot("a", "source"), slot("b", "filter"), slot("c", "filter"),
                  slot("d", "filter"), slot("m", "mixer", {{"a", "d"}}), slot("x", "output")})
          .value();
  patch->start();
  for (const auto* name : {"b", "c", "d"})
    EXPECT_GE(bench.ledger.wait_for(name, 3).size(), 3U) << name;
  EXPECT_EQ(bench.ledger.wait_for("a", 6).size(), 6U)
      << "one in m, one and three in its queue, one with its worker";
  EXPECT_EQ(reading_of(patch->telemetry(), "m").queues[0].capacity, 4U);
  EXPECT_EQ(reading_of(patch->telemetry(), "m").queues[1].capacity, 1U);
}

TEST(Patch, WidensAQueueWhenTheOtherBranchGrows) {
  Workbench bench;
  const auto slots = [](bool is_long) {
    std::vector<show::Slot> all{slot("a", "source"), slot("b", "filter")};
    if (is_long) all.push_back(slot("c", "filter"));
    all.push_back(slot("m", "mixer", {{"a", is_long ? "c" : "b"}}));
    all.push_back(slot("x", "output"));
    return all;
  };
  const auto patch = bench.build(slots(false)).value();
  patch->start();
  const auto capacity = [&] { return reading_of(patch->telemetry(), "m").queues[0].capacity; };
  for (int round = 0; round < 20; ++round) {
    bench.ledger.wait_for("x", bench.ledger.seen("x").size() + 5);
    ASSERT_TRUE(patch->edit(bench.submix(slots(round % 2 == 0))));
    EXPECT_TRUE(eventually([&] { return capacity() == 4U; }));
  }
  bench.ledger.wait_for("x", bench.ledger.seen("x").size() + 20);
  patch->stop();
  const auto seen = bench.ledger.seen("x");
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

TEST(Patch, MakesInSharedMemoryWhatASlotShowsToOthers) {
  Workbench bench;
  const auto patch = bench
                         .build({slot("a", "source"), slot("b", "filter"), slot("x", "output"),
                                 slot("shown", "output")})
                         .value();
  patch->start();
  EXPECT_GE(bench.ledger.wait_for("shown", 5).size(), 5U);
  EXPECT_FALSE(patch->latest_frame("a")->shared_place());
  EXPECT_TRUE(patch->latest_frame("b")->shared_place()) << "x passes it on";
}

TEST(Patch, RunsOnWithOneFrameInFlightAndAQueueOfOne) {
  Workbench bench;
  bench.frames_in_flight = 1;
  bench.options.queue_capacity = 1;
  const auto patch = bench
                         .build({slot("a", "source"), slot("b", "filter"),
                                 slot("m", "mixer", {{"a", "b"}}), slot("x", "output")})
                         .value();
  patch->start();
  EXPECT_GE(bench.ledger.wait_for("x", 100).size(), 100U);
}

TEST(Patch, HasNoMoreFramesInFlightThanItsCap) {
  Workbench bench;
  bench.frames_in_flight = 3;
  bench.ledger.shut("x");
  const auto patch =
      bench.build({slot("a", "source"), slot("b", "filter"), slot("x", "output")}).value();
  patch->start();
  for (std::uint64_t shown = 0; shown < 20; ++shown) {
    bench.ledger.wait_for("x", shown);
    EXPECT_EQ(bench.ledger.wait_for("a", shown + 3).size(), shown + 3);
    bench.ledger.let_through("x", 1);
  }
}

TEST(Patch, PauseStopsItsSourcesWithinTheCapAndResumeLosesNothing) {
  Workbench bench;
  const auto patch =
      bench.build({slot("a", "source"), slot("b", "filter"), slot("x", "output")}).value();
  patch->start();
  for (std::size_t turn = 1; turn <= 3; ++turn) {
    bench.ledger.wait_for("x", turn * 50);
    bench.transport.pause();
    EXPECT_TRUE(eventually([&] {  // at rest: the source has spent all its credits
      const auto shown = frames_of(*patch, "x");
      return frames_of(*patch, "a") == shown + 4 && frames_of(*patch, "x") == shown;
    }));
    bench.transport.resume();
  }
  const auto seen = bench.ledger.wait_for("x", 250);
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

TEST(Patch, HasNoMoreFramesInFlightThanItsCoresAreGoodFor) {
  Workbench bench;
  bench.options.cores = 1;
  bench.ledger.shut("x");
  const auto patch = bench
                         .build({slot("a", "source"), slot("b", "filter"), slot("c", "filter"),
                                 slot("x", "output")})
                         .value();
  patch->start();
  EXPECT_EQ(bench.ledger.wait_for("a", 2).size(), 2U);
  EXPECT_EQ(bench.ledger.wait_for("c", 2).size(), 2U) << "both are on their way to the end";
  EXPECT_EQ(bench.ledger.seen("a").size(), 2U);
}

TEST(Patch, StepLetsExactlyOneFrameThroughEveryTerminalSlot) {
  Workbench bench;
  bench.transport.pause();
  const auto patch = bench
                         .build({slot("a", "source"), slot("b", "filter"), slot("x", "output"),
                                 slot("y", "output", {{"a"}})})
                         .value();
  patch->start();
  for (std::uint64_t steps = 1; steps <= 5; ++steps) {
    bench.transport.step();
    EXPECT_EQ(bench.ledger.wait_for("x", steps).size(), steps);
    EXPECT_EQ(bench.ledger.wait_for("y", steps).size(), steps);
    EXPECT_EQ(bench.ledger.wait_for("a", steps + 4).size(), steps + 4);
  }
  EXPECT_EQ(bench.ledger.seen("x").size(), 5U);
  EXPECT_EQ(bench.ledger.seen("y").size(), 5U);
}

TEST(Patch, ThatEndsInAStreamOutIsNotPaced) {
  Workbench bench;
  bench.transport.pause();
  const auto patch = bench.build({slot("a", "source"), slot("o", "stream-out")}).value();
  patch->start();
  EXPECT_GE(bench.ledger.wait_for("o", 50).size(), 50U);
}

TEST(Patch, ThatEndsInAStreamOutIsPacedWhileNobodyHoldsThatBack) {
  Workbench bench;
  bench.transport.pause();
  auto out = slot("o", "stream-out");
  out.parameters["paced"] = false;
  const auto patch = bench.build({slot("a", "source"), std::move(out)}).value();
  patch->start();
  bench.ledger.wait_for("a", 3);  // all its credits
  EXPECT_EQ(frames_of(*patch, "o"), 0U);
  bench.transport.step();
  bench.ledger.wait_for("a", 4);
  EXPECT_EQ(frames_of(*patch, "o"), 1U);
  ASSERT_TRUE(patch->set_parameter("o", "paced", true));
  bench.transport.step();  // it waits already
  EXPECT_GE(bench.ledger.wait_for("o", 50).size(), 50U);
}

TEST(Patch, AnEndThatReachesNobodyHoldsNoOtherUp) {
  Workbench bench;
  bench.transport.pause();  // the end that keeps the show's time stands still
  const auto patch =
      bench.build({slot("a", "source"), slot("o", "stream-out"), unconnected_out("p", {{"a"}})})
          .value();
  patch->start();
  EXPECT_GE(bench.ledger.wait_for("o", 50).size(), 50U);
  EXPECT_GE(bench.ledger.wait_for("p", 50).size(), 50U);
}

TEST(Patch, KeepsTheShowsTimeWhereNoEndReachesAnybody) {
  Workbench bench;
  bench.transport.pause();
  const auto patch =
      bench.build({slot("a", "source"), unconnected_out("o"), unconnected_out("p", {{"a"}})})
          .value();
  patch->start();
  for (std::uint64_t steps = 1; steps <= 3; ++steps) {
    bench.transport.step();
    EXPECT_EQ(bench.ledger.wait_for("o", steps).size(), steps);
    EXPECT_EQ(bench.ledger.wait_for("p", steps).size(), steps);
  }
}

TEST(Patch, TellsASlotOfEndsThatItWouldHoldUp) {
  Workbench bench;
  const auto other_ends_of = [&](std::vector<show::Slot> slots) {
    const auto patch = bench.build(std::move(slots)).value();
    return reading_of(patch->telemetry(), "o").counters.at(2).second;
  };
  EXPECT_EQ(other_ends_of({slot("a", "source"), slot("o", "stream-out")}), 0U);
  EXPECT_EQ(other_ends_of({slot("a", "source"), slot("o", "stream-out"), slot("p", "stream-out")}),
            0U);
  EXPECT_EQ(other_ends_of({slot("a", "source"), slot("o", "stream-out"), slot("x", "output")}), 1U)
      << "behind it";
  EXPECT_EQ(
      other_ends_of({slot("a", "source"), slot("x", "output"), slot("o", "stream-out", {{"a"}})}),
      1U);
}

TEST(Patch, StopsAtOnceWhereverItWaits) {
  for (const auto* gate : {"a", "b", "x", "none"}) {
    Workbench bench;
    if (*gate == 'n') bench.transport.pause();
    bench.ledger.shut(gate);
    const auto patch =
        bench.build({slot("a", "source"), slot("b", "filter"), slot("x", "output")}).value();
    patch->start();
    patch->stop();
    patch->stop();
  }
}

TEST(Patch, StopsWhileASlotWaitsForAFrameOfItsPool) {
  Workbench bench;
  bench.options.tap_readers = 1;
  const auto patch = bench.build({slot("a", "source"), slot("x", "output")}).value();
  patch->start();
  std::vector<media::Frame> hoarded;  // more frames than a tap may lend: the source runs dry
  EXPECT_TRUE(eventually([&] {
    auto frame = patch->latest_frame("x").value();
    if (frame && (hoarded.empty() || hoarded.back().stamp().index != frame.stamp().index))
      hoarded.push_back(frame);
    return reading_of(patch->telemetry(), "a").blocked > std::chrono::milliseconds(1) &&
           hoarded.size() >= 4;
  }));
  patch->stop();
}

// Otherwise the taps behind a slot, each with a different old frame of the slot, would hold all of
// its seats, and the patch would stop.
TEST(Patch, KeepsNoOldFrameInTheTapsOfSlotsThatPassTheirInputOn) {
  Workbench bench;
  auto bypassed = slot("b", "filter");
  bypassed.is_bypassed = true;
  const auto patch = bench.build({slot("a", "source"), bypassed, slot("x", "output")}).value();
  patch->start();
  bench.ledger.wait_for("x", 1000);
  const auto tapped = patch->latest_frame("b").value();
  ASSERT_TRUE(tapped);
  EXPECT_GE(tapped.stamp().index.value, 999U);
  patch->stop();
}

TEST(Patch, TakesOverTheLatestValueBeforeTheNextFrame) {
  Workbench bench;
  bench.transport.pause();
  bench.ledger.shut("b");
  const auto patch =
      bench.build({slot("a", "source"), slot("b", "filter"), slot("x", "output")}).value();
  patch->start();
  ASSERT_TRUE(patch->set_parameter("x", "level", 1.0).has_value());
  ASSERT_TRUE(patch->set_parameter("b", "level", 3.0).has_value());
  ASSERT_TRUE(patch->set_parameter("b", "level", 300.0).has_value());
  bench.ledger.let_through("b", 2);  // the first frame may have been begun with the old value
  bench.transport.step();
  bench.transport.step();
  bench.ledger.wait_for("x", 2);
  EXPECT_TRUE(eventually([&] { return patch->latest_frame("b")->stamp().index.value == 1; }));
  EXPECT_EQ(patch->latest_frame("b")->rgba()[0], 255);
  EXPECT_THAT(bench.events.lines(),
              ::testing::ElementsAre(
                  "left.b: parameter \"level\" = 300 is not within 0 to 255: 255 is used"));
}

/// Notes the level that it hears of at once.
class PromptOutput final : public plugin::Plugin, public plugin::ActsAtOnce {
 public:
  explicit PromptOutput(std::atomic<double>& heard) : heard_(heard) {}
  std::optional<media::Frame> process(plugin::Work& work) override { return work.inputs[0]; }
  void set(std::string_view /*name*/, const show::ParameterValue& /*value*/) override {}
  void set_at_once(std::string_view name, const show::ParameterValue& value) override {
    if (name == "level") heard_ = std::get<double>(value);
  }

 private:
  std::atomic<double>& heard_;
};

TEST(Patch, LetsASlotActAtOnceThoughNoFrameComes) {
  Workbench bench;
  std::atomic<double> heard = 0;
  bench.catalog.add({.id = "prompt",
                     .kind = plugin::Kind::output,
                     .parameters = {{.name = "level", .maximum = 255}}},
                    [&heard](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                      return std::make_unique<PromptOutput>(heard);
                    });
  bench.transport.pause();
  const auto patch = bench.build({slot("a", "source"), slot("x", "prompt")}).value();
  patch->start();
  ASSERT_TRUE(patch->set_parameter("x", "level", 3.0).has_value());
  EXPECT_EQ(heard, 3.0);
}

TEST(Patch, RefusesAChangeThatNamesNothing) {
  Workbench bench;
  const auto patch = bench.build({slot("clip", "source"), slot("x", "output")}).value();
  EXPECT_EQ(why(patch->set_parameter("clop", "level", 1.0)),
            "submix \"left\" has no slot \"clop\" (did you mean \"clip\"?); it has: clip, x");
  EXPECT_EQ(why(patch->set_parameter("clip", "leval", 1.0)),
            "submix \"left\", slot \"clip\": plugin \"source\" has no parameter \"leval\" (did you "
            "mean \"level\"?); it has: level, retained");
  EXPECT_FALSE(patch->set_bypassed("y", true).has_value());
  EXPECT_FALSE(patch->latest_frame("y").has_value());
}

TEST(Patch, BypassesASlotWhileRunning) {
  Workbench bench;
  auto source = slot("a", "source");
  source.parameters = {{"level", 7.0}};
  auto filter = slot("b", "filter");
  filter.is_bypassed = true;
  const auto patch = bench.build({source, filter, slot("x", "output")}).value();
  patch->start();
  bench.ledger.wait_for("x", 5);
  EXPECT_EQ(patch->latest_frame("")->rgba()[0], 7);
  EXPECT_TRUE(bench.ledger.seen("b").empty());

  ASSERT_TRUE(patch->set_bypassed("b", false).has_value());
  EXPECT_GE(bench.ledger.wait_for("b", 5).size(), 5U);
  ASSERT_TRUE(patch->set_bypassed("a", true).has_value());
  ASSERT_TRUE(patch->set_bypassed("b", true).has_value());
  EXPECT_TRUE(eventually([&] {  // a bypassed source is black, and opaque
    const auto frame = *patch->latest_frame("");
    return frame.rgba()[0] == 0 && frame.rgba()[3] == 255;
  }));
}

TEST(Patch, KeepsTheLastFrameOfEverySlotWhilePaused) {
  Workbench bench;
  bench.transport.pause();
  const auto patch = bench.build({slot("a", "source"), slot("x", "output")}).value();
  EXPECT_FALSE(*patch->latest_frame("x"));
  patch->start();
  bench.transport.step();
  bench.ledger.wait_for("x", 1);
  EXPECT_TRUE(eventually([&] { return static_cast<bool>(*patch->latest_frame("x")); }));
  EXPECT_EQ(patch->latest_frame("x")->stamp().index.value, 0U);
}

TEST(Patch, TellsWhoWaitsForWhom) {
  Workbench bench;
  bench.ledger.shut("x");
  const auto patch =
      bench.build({slot("a", "source"), slot("b", "filter"), slot("x", "output")}).value();
  patch->start();
  EXPECT_TRUE(eventually([&] {
    const auto reading = patch->telemetry();
    return reading_of(reading, "a").blocked > std::chrono::nanoseconds(0) &&
           reading_of(reading, "b").starved > std::chrono::nanoseconds(0) &&
           reading_of(reading, "x").queues[0].size == 2;
  }));
  const auto reading = patch->telemetry();
  EXPECT_EQ(reading.name, "left");
  EXPECT_EQ(reading.frames, 0U);
  EXPECT_EQ(reading_of(reading, "x").queues[0].from, "b");
  EXPECT_EQ(reading_of(reading, "x").queues[0].capacity, 2U);
}

TEST(Patch, TellsEachPluginHowManyFramesAreBehindIt) {
  Workbench bench;
  auto output = slot("x", "output");
  output.parameters = {{"retained", 3.0}};
  const auto patch = bench.build({slot("a", "source"), slot("b", "filter"), output}).value();
  const auto reading = patch->telemetry();
  EXPECT_EQ(reading_of(reading, "x").counters[1].second, 4U);
  EXPECT_EQ(reading_of(reading, "b").counters[1].second, 4U + 3 + 3);
}

TEST(Patch, ShowsEveryFrameOfTwoSourcesToTheirCheckers) {
  Workbench bench;
  bench.options.size = {256, 128};
  const auto patch =
      bench
          .build({slot("p", "pattern"), slot("s", "stamp"), slot("n", "null"), slot("c", "checker"),
                  slot("q", "pattern"), slot("t", "stamp"), slot("d", "checker")})
          .value();
  patch->start();
  EXPECT_TRUE(eventually([&] { return patch->telemetry().frames >= 200; }));
  patch->stop();
  const auto reading = patch->telemetry();
  for (const auto* checker : {"c", "d"}) {
    for (const auto& [name, count] : reading_of(reading, checker).counters) {
      if (name == "checked") continue;
      EXPECT_EQ(count, name == "epochs" ? 1U : 0U) << checker << " " << name;
    }
  }
  EXPECT_TRUE(bench.events.lines().empty());
}

}  // namespace
}  // namespace submix::engine
