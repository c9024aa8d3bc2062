// SPDX-License-Identifier: GPL-3.0-or-later
// Patches that change their shape while frames flow.
#include "tests/engine/fakes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace submix::engine {
namespace {

show::Submix submix_of(std::vector<show::Slot> slots) {
  return {.name = "left", .node = "", .slots = std::move(slots)};
}

/// Checks that `slot` sees every frame from its first frame on, each once.
void expect_no_gap(Ledger& ledger, const std::string& slot) {
  const auto seen = ledger.seen(slot);
  for (std::size_t i = 1; i < seen.size(); ++i)
    ASSERT_EQ(seen[i], seen[i - 1] + 1) << slot;
}

class PatchEdit : public ::testing::Test {
 protected:
  void run(std::vector<show::Slot> slots) {
    patch_ = bench_.build(std::move(slots)).value();
    patch_->start();
  }
  void edit(std::vector<show::Slot> slots, const std::set<std::string>& renewed = {}) {
    const auto edited = patch_->edit(submix_of(std::move(slots)), renewed);
    ASSERT_TRUE(edited) << edited.error().message;
  }
  /// Waits until `slot` has seen `count` more frames.
  std::vector<std::uint64_t> wait_for_more(const std::string& slot, std::size_t count) {
    const auto wanted = bench_.ledger.seen(slot).size() + count;
    auto seen = bench_.ledger.wait_for(slot, wanted);
    EXPECT_GE(seen.size(), wanted) << slot;
    return seen;
  }
  /// Leaves `slot` in a frame that it never ends.
  void hang(const std::string& slot) {
    bench_.ledger.shut(slot);
    ASSERT_TRUE(eventually([&] { return bench_.ledger.has_waiting(slot); }));
  }
  /// Like wait_for_more() while a plugin hangs: calls tend() as an agent does.
  void tend_for_more(const std::string& slot, std::size_t count) {
    const auto wanted = bench_.ledger.seen(slot).size() + count;
    EXPECT_TRUE(eventually([&] {
      patch_->tend();
      return bench_.ledger.seen(slot).size() >= wanted;
    }));
  }

  Workbench bench_;
  std::unique_ptr<Patch> patch_;
};

TEST_F(PatchEdit, InsertsASlotBeforeAFrameAndLosesNone) {
  run({slot("a", "source"), slot("x", "output")});
  bench_.ledger.wait_for("x", 50);
  edit({slot("a", "source"), slot("b", "filter"), slot("x", "output")});
  wait_for_more("b", 50);
  wait_for_more("x", 50);
  patch_->stop();
  const auto seen = bench_.ledger.seen("x");
  EXPECT_EQ(seen, count_up_to(seen.size()));
  expect_no_gap(bench_.ledger, "b");
  EXPECT_GE(bench_.ledger.seen("b").front(), 50U);
}

TEST_F(PatchEdit, TakesASlotOutAndTheOthersKeepTheirState) {
  auto source = slot("a", "source");
  source.parameters["level"] = 7.0;
  run({source, slot("b", "filter"), slot("x", "output")});
  bench_.ledger.wait_for("x", 50);
  edit({source, slot("x", "output")});
  wait_for_more("x", 50);
  EXPECT_EQ(patch_->telemetry().stages.size(), 2U);
  EXPECT_EQ(patch_->latest_frame("x")->rgba()[0], 7) << "the source's own picture now";
  patch_->stop();
  const auto seen = bench_.ledger.seen("x");
  EXPECT_EQ(seen, count_up_to(seen.size()));
  expect_no_gap(bench_.ledger, "b");
}

TEST_F(PatchEdit, PutsAnotherPluginInASlotsPlace) {
  run({slot("a", "source"), slot("b", "filter"), slot("x", "output")});
  bench_.ledger.wait_for("x", 50);
  edit({slot("a", "source"), slot("b", "mixer", {{"a", "a"}}), slot("x", "output")});
  wait_for_more("x", 50);
  patch_->stop();
  for (const auto* name : {"b", "x"}) {
    const auto seen = bench_.ledger.seen(name);
    EXPECT_EQ(seen, count_up_to(seen.size()))
        << name << ": the new one begins where the old one ended";
  }
  EXPECT_EQ(reading_of(patch_->telemetry(), "b").counters[0].second, 0U)
      << "its inputs did not fit together";
}

TEST_F(PatchEdit, RenewsASlotOfTheSamePlugin) {
  run({slot("a", "source"), slot("x", "output")});
  bench_.ledger.wait_for("x", 50);
  edit({slot("a", "source"), slot("x", "output")}, {"a"});
  wait_for_more("x", 50);
  const auto of_source = frames_of(*patch_, "a");  // first: frames go on meanwhile
  EXPECT_LT(of_source, frames_of(*patch_, "x")) << "counts from its own beginning";
  patch_->stop();
  const auto seen = bench_.ledger.seen("a");
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

TEST_F(PatchEdit, ReconnectsAMixer) {
  const auto slots = [](const char* first, const char* second) {
    return std::vector{slot("a", "source"), slot("b", "filter"), slot("c", "filter"),
                       slot("m", "mixer", {{first, second}}), slot("x", "output")};
  };
  run(slots("a", "c"));
  const char* const inputs[] = {"a", "b", "c"};
  for (int round = 0; round < 30; ++round) {
    wait_for_more("x", 5);
    edit(slots(inputs[round % 3], inputs[(round / 3) % 3]));
  }
  wait_for_more("x", 50);
  EXPECT_EQ(reading_of(patch_->telemetry(), "m").counters[0].second, 0U);
  patch_->stop();
  const auto seen = bench_.ledger.seen("m");
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

TEST_F(PatchEdit, EndsComeAndGo) {
  run({slot("a", "source"), slot("x", "output")});
  for (int round = 0; round < 10; ++round) {
    wait_for_more("x", 10);
    edit({slot("a", "source"), slot("x", "output"), slot("y", "output", {{"a"}})});
    wait_for_more("y", 10);
    edit({slot("a", "source"), slot("y", "output", {{"a"}})});
    wait_for_more("y", 10);
    edit({slot("a", "source"), slot("x", "output"), slot("z", "output")});
    wait_for_more("z", 10);
    edit({slot("a", "source"), slot("x", "output")});
  }
  patch_->stop();
  const auto seen = bench_.ledger.seen("a");
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

TEST_F(PatchEdit, WhileItIsPausedBeginsWithTheNextStep) {
  bench_.transport.pause();
  run({slot("a", "source"), slot("x", "output")});
  bench_.ledger.wait_for("a", 3);  // all its credits
  edit({slot("a", "source"), slot("b", "filter"), slot("x", "output")});
  edit({slot("a", "source"), slot("b", "filter"), slot("c", "filter"), slot("x", "output")});
  edit({slot("a", "source"), slot("c", "filter"), slot("x", "output")});
  EXPECT_EQ(frames_of(*patch_, "x"), 0U);
  for (std::uint64_t steps = 1; steps <= 12; ++steps) {
    bench_.transport.step();
    EXPECT_EQ(bench_.ledger.wait_for("x", steps).size(), steps);
  }
  EXPECT_GE(bench_.ledger.seen("c").size(), 5U);
  EXPECT_LE(bench_.ledger.seen("b").size(), 2U) << "a longer patch lets the source begin one more";
  patch_->stop();
  const auto seen = bench_.ledger.seen("x");
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

// "c" waited for "b" to close the old queue, "b" for the first frame of its new queue from "a", and
// "a" for the first frame from "c".
TEST_F(PatchEdit, SlotsThatStayMayChangeTheirOrderWhileTheyWaitForTheSameFrame) {
  bench_.transport.pause();
  bench_.frames_in_flight = 3;
  run({slot("s", "source"), slot("a", "filter"), slot("b", "filter"), slot("c", "filter"),
       slot("x", "output")});
  bench_.ledger.wait_for("c", 3);
  edit({slot("s", "source"), slot("c", "filter"), slot("a", "filter"), slot("b", "filter"),
        slot("x", "output")});
  bench_.transport.resume();
  EXPECT_GE(bench_.ledger.wait_for("x", 10).size(), 10U);
  patch_->stop();
  for (const auto* each : {"a", "b", "c", "x"}) {
    const auto seen = bench_.ledger.seen(each);
    EXPECT_EQ(seen, count_up_to(seen.size())) << each;
  }
}

TEST_F(PatchEdit, GoesOnWithoutASlotThatHangs) {
  run({slot("a", "source"), slot("b", "filter"), slot("x", "output")});
  bench_.ledger.wait_for("x", 20);
  hang("b");
  edit({slot("a", "source"), slot("x", "output")});
  tend_for_more("x", 50);
  patch_->stop();
  const auto seen = bench_.ledger.seen("x");
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

TEST_F(PatchEdit, GoesOnWithoutASourceThatHangs) {
  run({slot("a", "source"), slot("b", "source"), slot("m", "mixer", {{"a", "b"}}),
       slot("x", "output")});
  bench_.ledger.wait_for("x", 20);
  hang("b");
  edit({slot("a", "source"), slot("c", "filter"), slot("m", "mixer", {{"a", "c"}}),
        slot("x", "output")});
  tend_for_more("x", 50);
  patch_->stop();
  const auto seen = bench_.ledger.seen("x");
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

TEST_F(PatchEdit, GoesOnWithoutAnEndThatHangs) {
  run({slot("a", "source"), slot("x", "output"), slot("y", "output", {{"a"}})});
  bench_.ledger.wait_for("x", 20);
  hang("y");
  edit({slot("a", "source"), slot("x", "output")});
  tend_for_more("x", 50);
  patch_->stop();
  const auto seen = bench_.ledger.seen("x");
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

TEST_F(PatchEdit, WithAFaultChangesNothing) {
  run({slot("a", "source"), slot("x", "output")});
  bench_.ledger.wait_for("x", 20);
  EXPECT_FALSE(
      patch_->edit(submix_of({slot("a", "source"), slot("b", "no-such"), slot("x", "output")})));
  auto wrong = slot("a", "source");
  wrong.parameters["levle"] = 1.0;
  EXPECT_FALSE(patch_->edit(submix_of({wrong, slot("x", "output")})));
  wait_for_more("x", 20);
  EXPECT_EQ(patch_->telemetry().stages.size(), 2U);
}

TEST_F(PatchEdit, SetsTheParametersOfSlotsThatStay) {
  auto loud = slot("a", "source");
  loud.parameters["level"] = 9.0;
  run({loud, slot("x", "output")});
  bench_.ledger.wait_for("x", 5);
  loud.parameters["level"] = 11.0;
  edit({loud, slot("b", "output", {{"a"}}), slot("x", "output")});
  EXPECT_TRUE(eventually([&] { return patch_->latest_frame("a")->rgba()[0] == 11; }));
  edit({slot("a", "source"), slot("x", "output")});
  EXPECT_TRUE(eventually([&] { return patch_->latest_frame("a")->rgba()[0] == 0; }))
      << "its initial value";
}

// Six frames in flight take a quarter of a second to pass an end that keeps the show's time.
TEST_F(PatchEdit, LetsASlotThatIsGoneMakeItsLastFramesInItsOwnTime) {
  bench_.options.is_free_running = false;
  bench_.options.rate = {24, 1};
  run({slot("a", "source"), slot("b", "filter"), slot("c", "filter"), slot("d", "filter"),
       slot("x", "output"), slot("y", "output", {{"d"}})});
  bench_.ledger.wait_for("x", 5);
  edit({slot("a", "source"), slot("b", "filter"), slot("c", "filter"), slot("d", "filter"),
        slot("x", "output"), slot("z", "output", {{"d"}})});
  bench_.ledger.wait_for("z", 3);
  patch_->stop();
  expect_no_gap(bench_.ledger, "y");
  EXPECT_EQ(bench_.ledger.seen("y").back() + 1, bench_.ledger.seen("z").front());
  expect_no_gap(bench_.ledger, "x");
}

TEST_F(PatchEdit, AStepShowsOneFrameAtEveryEndAlsoAtANewOne) {
  bench_.transport.pause();
  run({slot("a", "source"), slot("b", "filter"), slot("x", "output")});
  bench_.ledger.wait_for("a", 4);  // all its credits
  edit({slot("a", "source"), slot("b", "filter"), slot("c", "filter"), slot("x", "output"),
        slot("y", "output", {{"a"}})});
  edit({slot("a", "source"), slot("b", "filter"), slot("c", "filter"), slot("d", "filter"),
        slot("x", "output"), slot("y", "output", {{"a"}})});  // "y" stays a new slot
  for (std::uint64_t steps = 1; steps <= 10; ++steps) {
    bench_.transport.step();
    EXPECT_EQ(bench_.ledger.wait_for("x", steps).size(), steps);
  }
  ASSERT_GE(bench_.ledger.wait_for("y", 3).size(), 3U);
  EXPECT_LE(bench_.ledger.seen("y").back(), 9U);
}

TEST_F(PatchEdit, AnEndThatReachesNobodyKeepsTheTimeOnceItIsTheLastOneAndUntilItReachesSomebody) {
  bench_.transport.pause();  // the end that keeps the show's time stands still
  run({slot("a", "source"), unconnected_out("p"), slot("o", "stream-out", {{"a"}})});
  wait_for_more("p", 50);
  edit({slot("a", "source"), unconnected_out("p")});
  const auto has_used_all_credits = [&] {
    return bench_.ledger.seen("a").size() == bench_.ledger.seen("p").size() + 3;
  };
  ASSERT_TRUE(eventually([&] {  // and not only for the moment between two slots
    if (!has_used_all_credits()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return has_used_all_credits();
  }));
  const auto shown = bench_.ledger.seen("p").size();
  bench_.transport.step();
  EXPECT_EQ(bench_.ledger.wait_for("p", shown + 1).size(), shown + 1);
  edit({slot("a", "source"), slot("p", "stream-out")}, {"p"});
  for (int owed = 0; owed < 3; ++owed)
    bench_.transport.step();
  wait_for_more("p", 50);
  expect_no_gap(bench_.ledger, "p");
}

TEST_F(PatchEdit, ASourceThatIsGoneEndsAlsoWhileItIsPaused) {
  bench_.transport.pause();
  run({slot("a", "source"), slot("b", "source"), slot("m", "mixer", {{"a", "b"}}),
       slot("x", "output")});
  bench_.ledger.wait_for("b", 4);
  std::weak_ptr<int> alive = bench_.ledger.life_of("b");
  ASSERT_FALSE(alive.expired());
  edit({slot("a", "source"), slot("m", "mixer", {{"a", "a"}}), slot("x", "output")});
  EXPECT_TRUE(eventually([&] { return alive.expired(); }));
}

TEST_F(PatchEdit, TellsASlotItsFirstFrame) {
  run({slot("a", "source"), slot("x", "output")});
  bench_.ledger.wait_for("x", 50);
  edit({slot("a", "source"), slot("b", "filter"), slot("x", "output")});
  const auto seen = wait_for_more("b", 5);
  EXPECT_EQ(reading_of(patch_->telemetry(), "b").counters.at(3).second, seen.front());
  EXPECT_EQ(reading_of(patch_->telemetry(), "a").counters.at(3).second, 0U);
}

TEST_F(PatchEdit, KnowsWhatWasTunedBetweenTwoEdits) {
  auto loud = slot("a", "source");
  loud.parameters["level"] = 9.0;
  run({loud, slot("x", "output")});
  ASSERT_TRUE(patch_->set_parameter("a", "level", 5.0));
  const auto level = [&] {
    const auto frame = patch_->latest_frame("a");
    return frame && *frame ? frame->rgba()[0] : 0;
  };
  EXPECT_TRUE(eventually([&] { return level() == 5; }));
  edit({loud, slot("b", "filter"), slot("x", "output")});
  EXPECT_TRUE(eventually([&] { return level() == 9; }));
}

// Thousands of random edits from a seed, while frames run as fast as they can, with pauses and
// steps between them. The end "x" always exists, so it must see every frame.
class RandomEdits : public ::testing::TestWithParam<unsigned> {};

std::vector<show::Slot> random_slots(std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  std::vector<show::Slot> slots{slot("a", "source")};
  if (below(2) == 0) slots.push_back(slot("s", "source"));
  const auto any = [&] { return slots[below(slots.size())].name; };
  for (const auto* name : {"b", "c", "d", "e"}) {
    if (below(2) == 0) continue;
    slots.push_back(below(3) == 0 ? slot(name, "mixer", {{any(), any()}})
                                  : slot(name, "filter", {{any()}}));
    if (below(3) == 0) slots.back().helpers = static_cast<int>(2 + below(3));
  }
  slots.push_back(slot("x", "output", {{any()}}));
  for (auto& each : slots) {  // from any slot, itself included
    if (each.plugin != "mixer" || below(3) == 0) continue;
    each.plugin = "late-mixer";
    (*each.inputs)[1] = any() + "@" + std::to_string(1 + below(4));
  }
  if (below(3) == 0) slots.push_back(slot("y", "output", {{any()}}));
  return slots;
}

TEST_P(RandomEdits, LoseNoFrame) {
  std::mt19937 random(GetParam());
  Workbench bench;
  const auto patch = bench.build({slot("a", "source"), slot("x", "output")}).value();
  patch->start();
  for (int round = 0; round < 200; ++round) {
    if (random() % 10 == 0) bench.transport.pause();
    const auto edited =
        patch->edit(submix_of(random_slots(random)),
                    random() % 5 == 0 ? std::set<std::string>{"b"} : std::set<std::string>());
    ASSERT_TRUE(edited) << edited.error().message;
    if (random() % 2 == 0) bench.transport.step();
    if (random() % 3 == 0) bench.transport.resume();
    for (const auto& stage : patch->telemetry().stages)
      ASSERT_FALSE(stage.slot.empty());
  }
  bench.transport.resume();
  const auto seen = bench.ledger.wait_for("x", bench.ledger.seen("x").size() + 50);
  patch->stop();
  EXPECT_GE(seen.size(), 50U);
  EXPECT_EQ(seen, count_up_to(seen.size()));
  for (const auto& stage : patch->telemetry().stages)
    EXPECT_EQ(stage.counters.at(0).second, 0U) << stage.slot << ": inputs of unlike frames";
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomEdits, ::testing::Range(1U, 7U));

}  // namespace
}  // namespace submix::engine
