// SPDX-License-Identifier: GPL-3.0-or-later
// Slots whose frames are shared by several instances of their plugin.
#include "node/engine/reorder_buffer.hpp"
#include "tests/engine/fakes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace submix::engine {
namespace {

using ::testing::HasSubstr;

show::Slot with_helpers(show::Slot slot, int helpers) {
  slot.helpers = helpers;
  return slot;
}

/// State shared by the filters and the end below. Synchronized.
struct Meeting {
  Mutex mutex;
  Condition changed;
  std::size_t inside = 0;  // calls of Meets at the moment
  // greatest frame number begun by Overtaken and Late, plus one
  std::uint64_t begun = 0;
  std::uint64_t ahead = 0;                      // frames by which a late frame waits
  std::vector<std::uint8_t> levels;             // seen by Levels
  std::size_t instances = 0;                    // instances of SaysWho
  std::map<std::uint64_t, std::size_t> makers;  // for each frame, the number of its maker

  bool wait(const std::stop_token& stop, const std::function<bool()>& is_so) {
    const MutexLock lock(mutex);
    return changed.wait(mutex, stop, is_so);
  }
  std::vector<std::uint8_t> seen() {
    const MutexLock lock(mutex);
    return levels;
  }
};

/// Makes no frame before three of its instances have been at work at once.
class Meets final : public plugin::Plugin {
 public:
  explicit Meets(Meeting& meeting) : meeting_(meeting) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    {
      const MutexLock lock(meeting_.mutex);
      ++meeting_.inside;
      meeting_.changed.notify_all();
    }
    if (!meeting_.wait(work.stop, [&] { return meeting_.inside >= 3; })) return std::nullopt;
    auto output = work.acquire_output();
    return output ? std::optional(std::move(*output).publish()) : std::nullopt;
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  Meeting& meeting_;
};

/// Finishes a frame with an even number only after the next frame has been begun.
class Overtaken final : public plugin::Plugin {
 public:
  explicit Overtaken(Meeting& meeting) : meeting_(meeting) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto index = work.stamp.index.value;
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    {
      const MutexLock lock(meeting_.mutex);
      meeting_.begun = std::max(meeting_.begun, index + 1);
      meeting_.changed.notify_all();
    }
    if (index % 2 == 0 && !meeting_.wait(work.stop, [&] { return meeting_.begun > index + 1; }))
      return std::nullopt;
    return std::move(*output).publish();
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  Meeting& meeting_;
};

/// At some frames, frame 0 first, it waits until the frame `Meeting::ahead` frames later has been
/// begun, and only then asks for a seat.
class Late final : public plugin::Plugin {
 public:
  static constexpr std::uint64_t kEvery = 20;

  explicit Late(Meeting& meeting) : meeting_(meeting) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto index = work.stamp.index.value;
    const bool is_late = index % kEvery == 0;
    auto output = is_late ? std::nullopt : work.acquire_output();
    {
      const MutexLock lock(meeting_.mutex);
      meeting_.begun = std::max(meeting_.begun, index + 1);
      meeting_.changed.notify_all();
    }
    if (is_late &&
        meeting_.wait(work.stop, [&] { return meeting_.begun > index + meeting_.ahead; }))
      output = work.acquire_output();
    return output ? std::optional(std::move(*output).publish()) : std::nullopt;
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  Meeting& meeting_;
};

/// Takes longer for some frames.
class Uneven final : public plugin::Plugin {
 public:
  explicit Uneven(Meeting& /*meeting*/) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    if (work.stamp.index.value % 4 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    auto output = work.draw_over_input();
    return output ? std::optional(std::move(*output).publish()) : std::nullopt;
  }
  void set(std::string_view, const show::ParameterValue&) override {}
};

/// Notes, for each frame it makes, its own number among the instances.
class SaysWho final : public plugin::Plugin {
 public:
  explicit SaysWho(Meeting& meeting) : meeting_(meeting) {
    const MutexLock lock(meeting_.mutex);
    number_ = meeting_.instances++;
  }
  std::optional<media::Frame> process(plugin::Work& work) override {
    const MutexLock lock(meeting_.mutex);
    meeting_.makers.emplace(work.stamp.index.value, number_);
    return work.inputs[0];
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  Meeting& meeting_;
  std::size_t number_ = 0;
};

/// Notes the first byte of each frame.
class Levels final : public plugin::Plugin {
 public:
  explicit Levels(Meeting& meeting) : meeting_(meeting) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    const MutexLock lock(meeting_.mutex);
    meeting_.levels.push_back(work.inputs[0].rgba()[0]);
    meeting_.changed.notify_all();
    return work.inputs[0];
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  Meeting& meeting_;
};

class Helpers : public ::testing::Test {
 protected:
  Helpers() {
    add_fake(bench_.catalog, "trail", plugin::Kind::filter, bench_.ledger, plugin::Memory::frames);
    add_fake(bench_.catalog, "silent", plugin::Kind::filter, bench_.ledger,
             plugin::Memory::unknown);
    add<Meets>("meets", plugin::Kind::filter);
    add<Overtaken>("overtaken", plugin::Kind::filter);
    add<Late>("late", plugin::Kind::filter);
    add<Uneven>("uneven", plugin::Kind::filter);
    add<Levels>("levels", plugin::Kind::output);
    add<SaysWho>("says-who", plugin::Kind::filter);
  }
  template <typename Plugin>
  void add(const char* id, plugin::Kind kind) {
    bench_.catalog.add({.id = id, .kind = kind, .memory = plugin::Memory::none},
                       [this](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                         return std::make_unique<Plugin>(meeting_);
                       });
  }
  void run(std::vector<show::Slot> slots) {
    patch_ = bench_.build(std::move(slots)).value();
    patch_->start();
  }
  void expect_every_frame(const std::string& slot, std::size_t count) {
    const auto seen = bench_.ledger.wait_for(slot, count);
    EXPECT_GE(seen.size(), count);
    EXPECT_EQ(seen, count_up_to(seen.size()));
  }

  void run_with_one_that_hangs() {
    bench_.frames_in_flight = 20;
    meeting_.ahead = 100;
    run({slot("a", "source"), with_helpers(slot("b", "late"), 3), slot("x", "output")});
  }
  std::uint32_t seats_in_hands_of_b() {
    std::uint32_t seats = 0;
    for (const auto& pool : patch_->telemetry().pools) {
      if (pool.slot != "b") continue;
      for (const auto& each : pool.seats)
        seats += each.place == telemetry::SeatPlace::stage && each.where == "b" ? each.seats : 0;
    }
    return seats;
  }

  Meeting meeting_;
  Workbench bench_;
  std::unique_ptr<Patch> patch_;
};

// Holds even if a thread starts late: the costly first call of each instance never happens in the
// middle of a show.
TEST_F(Helpers, HaveOneOfTheFirstFramesEach) {
  patch_ =
      bench_
          .build({slot("s", "source"), with_helpers(slot("w", "says-who"), 4), slot("x", "output")})
          .value();
  patch_->start();
  EXPECT_GE(bench_.ledger.wait_for("x", 20).size(), 20U);
  patch_->stop();
  const MutexLock lock(meeting_.mutex);
  std::set<std::size_t> first;
  for (std::uint64_t frame = 0; frame < 4; ++frame)
    first.insert(meeting_.makers.at(frame));
  EXPECT_EQ(first, (std::set<std::size_t>{0, 1, 2, 3}));
}

// Holds where readers set the pace, too: otherwise a helper would never apply the changes for its
// next frame.
TEST_F(Helpers, HaveAFrameEachAgainAndAgain) {
  bench_.options.is_free_running = false;
  bench_.options.rate = {200, 1};
  run({slot("s", "source"), with_helpers(slot("w", "says-who"), 3), slot("x", "output")});
  constexpr std::size_t kFrames = 270;
  EXPECT_GE(bench_.ledger.wait_for("x", kFrames).size(), kFrames);
  patch_->stop();
  const MutexLock lock(meeting_.mutex);
  constexpr auto kSpell = 3 * ReorderBuffer::kPassedOverMax;
  for (std::uint64_t begin = 0; begin + kSpell <= kFrames; begin += kSpell) {
    std::set<std::size_t> at_work;
    for (std::uint64_t frame = begin; frame < begin + kSpell; ++frame)
      at_work.insert(meeting_.makers.at(frame));
    EXPECT_EQ(at_work.size(), 3U) << begin;
  }
}

TEST_F(Helpers, WorkAtSeveralFramesAtOnce) {
  run({slot("a", "source"), with_helpers(slot("b", "meets"), 3), slot("x", "output")});
  expect_every_frame("x", 50);
}

TEST_F(Helpers, KeepTheOrderThoughALaterFrameIsDoneFirst) {
  run({slot("a", "source"), with_helpers(slot("b", "overtaken"), 2), slot("x", "output")});
  expect_every_frame("x", 200);
}

TEST_F(Helpers, OfAMixerPairItsInputs) {
  run({slot("a", "source"), with_helpers(slot("b", "filter"), 3),
       with_helpers(slot("m", "mixer", {{"a", "b"}}), 4), slot("x", "output")});
  expect_every_frame("x", 300);
  EXPECT_EQ(reading_of(patch_->telemetry(), "m").counters[0].second, 0U);
}

TEST_F(Helpers, NeedNoMoreThanOneFrameInFlight) {
  bench_.frames_in_flight = 1;
  bench_.options.queue_capacity = 1;
  run({slot("a", "source"), with_helpers(slot("b", "filter"), 8), slot("x", "output")});
  expect_every_frame("x", 100);
}

TEST_F(Helpers, HaveASeatEachBesideThoseOfThePatch) {
  bench_.options.queue_capacity = 1;
  bench_.options.tap_readers = 1;
  auto end = slot("x", "output");
  end.parameters["retained"] = 2.0;
  auto busy = with_helpers(slot("b", "overtaken"), 4);
  run({slot("a", "source"), busy, end, slot("y", "output", {{"a"}})});
  expect_every_frame("x", 500);
}

// Each of the other helpers has a frame held back and works on the next frame.
TEST_F(Helpers, GoOnWhileOneIsLate) {
  bench_.frames_in_flight = 5;
  meeting_.ahead = 2;
  run({slot("a", "source"), with_helpers(slot("b", "late"), 2), slot("x", "output")});
  expect_every_frame("x", 200);
}

TEST_F(Helpers, HaveSeatsForWhatIsKeptBehindALateFrame) {
  bench_.options.queue_capacity = 1;
  bench_.options.tap_readers = 0;
  bench_.frames_in_flight = 20;
  meeting_.ahead = 14;
  run({slot("a", "source"), with_helpers(slot("b", "late"), 8), slot("x", "output")});
  expect_every_frame("x", 200);
}

TEST_F(Helpers, GoNoFurtherThanOneFrameEachBeforeALateOne) {
  run_with_one_that_hangs();
  EXPECT_TRUE(eventually([&] { return seats_in_hands_of_b() == 4; }))
      << "two are kept, and two wait";
  EXPECT_TRUE(bench_.ledger.seen("x").empty());
  const MutexLock lock(meeting_.mutex);
  EXPECT_EQ(meeting_.begun, 5U);
}

// "x" has frame 0, its queue has frame 1, and the late helper waits with the first frame for which
// the queue has no room.
TEST_F(Helpers, TraceForWhichKeptFrameTheyWait) {
  telemetry::Trace trace;
  bench_.ledger.shut("x");
  bench_.options.queue_capacity = 1;
  bench_.frames_in_flight = 20;
  meeting_.ahead = 4;
  patch_ = Patch::build(bench_.submix({slot("a", "source"), with_helpers(slot("b", "late"), 3),
                                       slot("x", "output")}),
                        bench_.options,
                        {.catalog = bench_.catalog,
                         .events = bench_.events,
                         .clock = bench_.clock,
                         .transport = bench_.transport,
                         .trace = &trace})
               .value();
  patch_->start();
  EXPECT_TRUE(eventually([&] {
    return std::ranges::any_of(trace.rings(), [](const auto& ring) {
      const auto spans =
          ring->name() == "left.b" ? ring->spans() : std::vector<telemetry::TraceSpan>();
      return !spans.empty() && spans.back().end == telemetry::TraceSpan::kUnfinished &&
             spans.back().kind == telemetry::TraceKind::blocked && spans.back().frame == 2;
    });
  }));
  patch_->stop();
  patch_.reset();
}

TEST_F(Helpers, LetGoOfWhatIsKeptWhenAllEnds) {
  run_with_one_that_hangs();
  ASSERT_TRUE(eventually([&] { return seats_in_hands_of_b() == 4; }));
  patch_->stop();
  EXPECT_EQ(seats_in_hands_of_b(), 0U);
  EXPECT_TRUE(bench_.ledger.seen("x").empty());
}

TEST_F(Helpers, TakeOverAParameterBeforeTheSameFrame) {
  run({slot("a", "source"), with_helpers(slot("b", "filter"), 4), slot("x", "levels")});
  for (double level = 1; level <= 100; ++level) {
    ASSERT_TRUE(patch_->set_parameter("b", "level", level));
    const auto so_far = meeting_.seen().size();
    EXPECT_TRUE(eventually([&] { return meeting_.seen().size() >= so_far + 3; }));
  }
  patch_->stop();
  EXPECT_TRUE(std::is_sorted(meeting_.levels.begin(), meeting_.levels.end()))
      << "a frame had an older value than the one before it";
  EXPECT_GE(meeting_.levels.back(), 90);
}

TEST_F(Helpers, AreBypassedBeforeTheSameFrame) {
  auto filter = with_helpers(slot("b", "filter"), 4);
  filter.parameters["level"] = 9.0;
  run({slot("a", "source"), filter, slot("x", "levels")});
  for (int round = 0; round < 50; ++round) {
    ASSERT_TRUE(patch_->set_bypassed("b", round % 2 == 0));
    const auto so_far = meeting_.seen().size();
    EXPECT_TRUE(eventually([&] { return meeting_.seen().size() >= so_far + 12; }));
  }
  patch_->stop();
  std::size_t changes = 0;
  for (std::size_t i = 1; i < meeting_.levels.size(); ++i)
    changes += meeting_.levels[i] != meeting_.levels[i - 1] ? 1U : 0U;
  EXPECT_LE(changes, 50U);
}

TEST_F(Helpers, StepByOneFrame) {
  bench_.transport.pause();
  run({slot("a", "source"), with_helpers(slot("b", "filter"), 3), slot("x", "output"),
       with_helpers(slot("y", "filter", {{"b"}}), 3)});
  for (std::uint64_t steps = 1; steps <= 10; ++steps) {
    bench_.transport.step();
    EXPECT_EQ(bench_.ledger.wait_for("x", steps).size(), steps);
    EXPECT_EQ(bench_.ledger.wait_for("y", steps).size(), steps) << "an end with helpers";
  }
  EXPECT_TRUE(eventually([&] { return patch_->telemetry().frames == 10; }));
}

TEST_F(Helpers, LetMoreFramesBeInFlight) {
  bench_.ledger.shut("x");
  run({slot("a", "source"), with_helpers(slot("b", "filter"), 3), slot("x", "output")});
  EXPECT_EQ(bench_.ledger.wait_for("a", 6).size(), 6U) << "1 + 3 + 1, and one";
}

TEST_F(Helpers, ComeAndGoWhileFramesFlow) {
  const auto slots = [](int helpers) {
    return std::vector{slot("a", "source"), with_helpers(slot("b", "filter"), helpers),
                       slot("x", "output")};
  };
  run(slots(1));
  for (int round = 0; round < 30; ++round) {
    bench_.ledger.wait_for("x", bench_.ledger.seen("x").size() + 5);
    const int helpers = 1 + round % 4;
    ASSERT_TRUE(patch_->edit({.name = "left", .node = "", .slots = slots(helpers)}));
    EXPECT_EQ(reading_of(patch_->telemetry(), "b").helpers, static_cast<std::uint32_t>(helpers));
  }
  bench_.ledger.wait_for("x", bench_.ledger.seen("x").size() + 50);
  patch_->stop();
  const auto seen = bench_.ledger.seen("x");
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

// The slot has a reader of its own every other time, and is sometimes bypassed.
TEST_F(Helpers, GiveWhatIsKeptToThoseWhoReadItThen) {
  const auto slots = [](bool has_own_reader) {
    std::vector all{slot("a", "source"), with_helpers(slot("b", "uneven"), 3),
                    with_helpers(slot("c", "uneven"), 2), slot("x", "output")};
    if (has_own_reader) all.push_back(slot("y", "output", {{"b"}}));
    return all;
  };
  run(slots(false));
  for (int round = 1; round <= 60; ++round) {
    bench_.ledger.wait_for("x", bench_.ledger.seen("x").size() + 7);
    ASSERT_TRUE(patch_->edit({.name = "left", .node = "", .slots = slots(round % 2 == 1)}));
    ASSERT_TRUE(patch_->set_bypassed("b", round % 5 == 0));
  }
  patch_->stop();
  const auto seen = bench_.ledger.seen("x");
  EXPECT_EQ(seen, count_up_to(seen.size()));
  const auto by_own_reader = bench_.ledger.seen("y");
  EXPECT_FALSE(by_own_reader.empty());
  EXPECT_TRUE(std::ranges::adjacent_find(by_own_reader, std::greater_equal{}) ==
              by_own_reader.end());
}

TEST_F(Helpers, AreLeftBehindWhenOneHangs) {
  run({slot("a", "source"), with_helpers(slot("b", "filter"), 3), slot("x", "output")});
  bench_.ledger.wait_for("x", 20);
  bench_.ledger.shut("b");
  bench_.ledger.let_through("b", 2);
  ASSERT_TRUE(patch_->edit(
      {.name = "left", .node = "", .slots = {slot("a", "source"), slot("x", "output")}}));
  EXPECT_TRUE(eventually([&] {
    patch_->tend();
    return bench_.ledger.seen("x").size() >= 100;
  }));
  patch_->stop();
  const auto seen = bench_.ledger.seen("x");
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

TEST_F(Helpers, GiveWhatIsKeptWhenTheyAreLeftBehind) {
  run_with_one_that_hangs();
  ASSERT_TRUE(eventually([&] { return seats_in_hands_of_b() == 4; }));
  ASSERT_TRUE(patch_->edit(
      {.name = "left", .node = "", .slots = {slot("a", "source"), slot("x", "output")}}));
  EXPECT_TRUE(eventually([&] {
    patch_->tend();
    return bench_.ledger.seen("x").size() >= 100;
  }));
  patch_->stop();
  const auto seen = bench_.ledger.seen("x");
  EXPECT_EQ(seen, count_up_to(seen.size()));
}

TEST_F(Helpers, StopAtOnceWhereverTheyWait) {
  for (const auto* gate : {"a", "b", "x"}) {
    Workbench bench;
    bench.ledger.shut(gate);
    const auto patch =
        bench
            .build({slot("a", "source"), with_helpers(slot("b", "filter"), 4), slot("x", "output")})
            .value();
    patch->start();
    patch->stop();
  }
}

TEST_F(Helpers, AreRefusedToAPluginThatKeepsFrames) {
  EXPECT_EQ(
      bench_.error_of(
          {slot("a", "source"), with_helpers(slot("b", "trail"), 2), slot("x", "output")}),
      "submix \"left\", slot \"b\": helpers = 2, but plugin \"trail\" keeps something of former "
      "frames, and each helper would see some of the frames only; take \"helpers\" out, or write "
      "stateless = true if you know that it keeps nothing");
  EXPECT_THAT(bench_.error_of({slot("a", "source"), with_helpers(slot("b", "silent"), 2)}),
              HasSubstr("plugin \"silent\" does not say whether it keeps former frames"));
  EXPECT_THAT(
      bench_.error_of({with_helpers(slot("a", "source"), 3), slot("x", "output")}),
      HasSubstr("helpers = 3, but plugin \"source\" is a source, of which there can be one only"));
}

TEST_F(Helpers, AreGivenWhereTheShowSaysThatThePluginKeepsNothing) {
  auto filter = with_helpers(slot("b", "trail"), 2);
  filter.is_stateless = true;
  run({slot("a", "source"), filter, slot("x", "output")});
  expect_every_frame("x", 50);
  auto source = with_helpers(slot("a", "source"), 2);
  source.is_stateless = true;
  EXPECT_THAT(bench_.error_of({source, slot("x", "output")}), HasSubstr("there can be one only"));
}

}  // namespace
}  // namespace submix::engine
