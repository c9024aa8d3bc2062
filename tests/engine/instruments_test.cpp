// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/thread.hpp"
#include "tests/engine/fakes.hpp"
#include "tests/support/manual_clock.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <thread>

namespace submix::engine {
namespace {

using namespace std::chrono_literals;

/// A source whose frames take 7 ms each, on a clock that only this source moves, and 50 ms more of
/// waiting.
class Slow final : public plugin::Plugin {
 public:
  explicit Slow(testing::ManualClock& clock) : clock_(clock) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    clock_.advance(7ms);
    const plugin::Waiting waiting(work, plugin::StageState::starved);
    clock_.advance(50ms);
    return std::move(*output).publish();
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  testing::ManualClock& clock_;
};

TEST(Instruments, TellWhatAPluginComputedOnAFrameWithoutWhatItWaited) {
  testing::ManualClock clock;
  Workbench bench;
  bench.catalog.add({.id = "slow", .kind = plugin::Kind::source},
                    [&clock](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                      return std::make_unique<Slow>(clock);
                    });
  const auto patch =
      Patch::build({"left", "", {slot("a", "slow"), slot("x", "output")}}, bench.options,
                   {bench.catalog, bench.events, clock, bench.transport})
          .value();
  patch->start();
  bench.ledger.wait_for("x", 20);
  EXPECT_EQ(reading_of(patch->telemetry(), "a").frame_time,
            (telemetry::LatencyReading{7ms, 7ms, 7ms}));
}

/// A source that hands each frame over: it computes for a while, and then its thread does not run,
/// as if another one had taken its core.
class HandsOver final : public plugin::Plugin {
 public:
  static constexpr auto kComputes = 2ms;
  static constexpr auto kIsOffItsCore = 20ms;

  std::optional<media::Frame> process(plugin::Work& work) override {
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    const plugin::HandOver handing_over(work, plugin::StageState::blocked);
    const auto begin = thread_cpu_time();
    while (thread_cpu_time() - begin < kComputes) {
    }
    std::this_thread::sleep_for(kIsOffItsCore);
    return std::move(*output).publish();
  }
  void set(std::string_view, const show::ParameterValue&) override {}
};

TEST(Instruments, CountAThreadsTimeOffItsCoreInAHandOverAsNoWork) {
  Workbench bench;
  bench.catalog.add({.id = "hands-over", .kind = plugin::Kind::source},
                    [](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                      return std::make_unique<HandsOver>();
                    });
  const auto patch = bench.build({slot("a", "hands-over"), slot("x", "output")}).value();
  patch->start();
  bench.ledger.wait_for("x", 10);
  const auto reading = reading_of(patch->telemetry(), "a");
  EXPECT_GE(reading.working, 10 * HandsOver::kComputes);
  EXPECT_GE(reading.blocked, 10 * HandsOver::kIsOffItsCore);
  EXPECT_GE(reading.frame_time.p50, HandsOver::kComputes);
  EXPECT_LT(reading.frame_time.p50, HandsOver::kIsOffItsCore);
}

TEST(Instruments, LeaveABypassedPluginOut) {
  Workbench bench;
  auto filter = slot("b", "filter");
  filter.is_bypassed = true;
  const auto patch = bench.build({slot("a", "source"), filter, slot("x", "output")}).value();
  patch->start();
  bench.ledger.wait_for("x", 5);
  EXPECT_EQ(reading_of(patch->telemetry(), "b").frame_time, telemetry::LatencyReading());
  EXPECT_NE(reading_of(patch->telemetry(), "a").frame_time, telemetry::LatencyReading());
}

TEST(Instruments, TellWhichFramesAreInAQueueAndHowManyShareThem) {
  Workbench bench;
  bench.ledger.shut("x");
  const auto patch =
      bench.build({slot("a", "source"), slot("x", "output"), slot("y", "output", {{"a"}})}).value();
  static_cast<void>(patch->latest_frame("a"));  // from this look on the tap of "a" keeps each frame
  patch->start();
  const std::vector<telemetry::QueuedFrame> expected{
      {1, 1}, {2, 3}};  // frame 2 is also in the taps of a and y
  std::vector<telemetry::QueuedFrame> seen;
  EXPECT_TRUE(eventually([&] {
    const auto reading = patch->telemetry();
    seen = reading_of(reading, "x").queues.at(0).frames;
    return seen == expected && reading_of(reading, "y").queues.at(0).frames.empty();
  })) << seen.size();
}

/// An output that keeps its last three frames, and states that it keeps `said`.
class Keeper final : public plugin::Plugin {
 public:
  explicit Keeper(std::size_t said) : said_(said) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    kept_[work.stamp.index.value % kept_.size()] = work.inputs[0];
    return work.inputs[0];
  }
  void set(std::string_view, const show::ParameterValue&) override {}
  plugin::PluginTraits traits() const override { return {.frames_retained = said_}; }

 private:
  const std::size_t said_;
  std::array<media::Frame, 3> kept_;  // one of these is also in its tap
};

void add_keeper(plugin::Catalog& catalog, std::size_t said) {
  catalog.add({.id = "keeper", .kind = plugin::Kind::output},
              [said](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                return std::make_unique<Keeper>(said);
              });
}

/// An output that keeps a display's time and has missed frame 9.
class Display final : public plugin::Plugin {
 public:
  Display(plugin::Setup setup, Ledger& ledger) : setup_(std::move(setup)), ledger_(ledger) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    if (work.is_after_pause) ledger_.note(setup_.slot + " after a pause", work.position);
    ledger_.note(setup_.slot, work.position);
    return work.inputs[0];
  }
  void set(std::string_view, const show::ParameterValue&) override {}
  plugin::Pace pace() const override { return plugin::Pace::display; }
  plugin::Lateness lateness() const override {
    plugin::Lateness lateness{.missed_frames = 1, .missed_frame = 9};
    lateness.jitter.frames[2] = 7;
    lateness.jitter.max = std::chrono::milliseconds(20);
    return lateness;
  }

 private:
  const plugin::Setup setup_;
  Ledger& ledger_;
};

TEST(Instruments, TellHowLateADisplayHasShownFramesButNotAfterAPause) {
  Workbench bench;
  bench.catalog.add({.id = "display", .kind = plugin::Kind::output},
                    [&](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
                      return std::make_unique<Display>(setup, bench.ledger);
                    });
  bench.transport.pause();
  const auto patch = bench.build({slot("a", "source"), slot("x", "display")}).value();
  patch->start();
  for (std::size_t steps = 1; steps <= 2; ++steps) {
    bench.transport.step();
    ASSERT_EQ(bench.ledger.wait_for("x", steps).size(), steps);
  }
  bench.transport.resume();
  const auto frames = bench.ledger.wait_for("x", 6);
  bench.transport.pause();
  bench.transport.resume();
  bench.ledger.wait_for("x", frames.size() + 10);
  const auto after_pauses = bench.ledger.seen("x after a pause");
  ASSERT_GE(after_pauses.size(), 4U);
  EXPECT_EQ(std::vector(after_pauses.begin(), after_pauses.begin() + 3),
            (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_GT(after_pauses[3], 4U) << "frames that follow each other are judged";
  const auto reading = patch->telemetry();
  EXPECT_EQ(reading.jitter.frames[2], 7U);
  EXPECT_EQ(reading.jitter.max, std::chrono::milliseconds(20));
  EXPECT_EQ(reading.missed_frames, 1U);
  EXPECT_EQ(reading.missed_frame, 9U);
  EXPECT_EQ(reading.late_frames, 1U) << "the display lets none catch up";
}

/// An output whose receivers let each frame wait for a good part of a frame's time.
class Slack final : public plugin::Plugin {
 public:
  Slack(Ledger& ledger, std::atomic<std::size_t>& lead) : ledger_(ledger), lead_(lead) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    const plugin::Waiting waiting(work, plugin::StageState::blocked);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    lead_ = ledger_.seen("a").size() - work.position;
    return work.inputs[0];
  }
  void set(std::string_view, const show::ParameterValue&) override {}
  plugin::Pace pace() const override { return plugin::Pace::receivers; }
  std::optional<plugin::Demand> demand() const override { return plugin::Demand{.frames = 1}; }

 private:
  Ledger& ledger_;
  std::atomic<std::size_t>& lead_;  // frames started and not yet passed
};

TEST(Instruments, FramesThatWaitForReceiversMakeASourceStartNoneAhead) {
  Workbench bench;
  bench.options.is_free_running = false;
  std::atomic<std::size_t> lead = 0;
  bench.catalog.add({.id = "slack", .kind = plugin::Kind::output},
                    [&](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                      return std::make_unique<Slack>(bench.ledger, lead);
                    });
  const auto patch = bench.build({slot("a", "source"), slot("x", "slack")}).value();
  patch->start();
  EXPECT_TRUE(eventually([&] { return lead > 1; }));
  EXPECT_TRUE(eventually([&] { return lead == 1; }));
}

using telemetry::SeatPlace;
using Seats = std::vector<telemetry::SeatsReading>;

Seats seats_of(const Patch& patch, std::string_view slot) {
  for (const auto& pool : patch.telemetry().pools) {
    if (pool.slot == slot) return pool.seats;
  }
  return {};
}

std::uint32_t sum_of(const Seats& seats) {
  return std::accumulate(seats.begin(), seats.end(), 0U,
                         [](auto sum, const auto& each) { return sum + each.seats; });
}

std::uint32_t count_of(const Seats& seats, SeatPlace place, std::string_view where) {
  for (const auto& each : seats) {
    if (each.place == place && each.where == where) return each.seats;
  }
  return 0;
}

/// Gives frames from its own pool, as a stream does, and keeps a frame.
class Pooled final : public plugin::Plugin {
 public:
  explicit Pooled(Size size) : pool_(size, 12) {
    kept_ = std::move(*pool_.try_acquire()).publish();
  }
  std::optional<media::Frame> process(plugin::Work& work) override {
    auto frame = pool_.acquire_for(std::chrono::seconds(10));
    if (!frame) return std::nullopt;
    frame->stamp() = work.stamp;
    return std::move(*frame).publish();
  }
  void set(std::string_view, const show::ParameterValue&) override {}
  std::vector<media::SeatNote> own_seats() const override { return pool_.notes(); }

 private:
  media::FramePool pool_;
  media::Frame kept_;
};

TEST(Instruments, CountTheSeatsOfAPoolThatAPluginHasItself) {
  Workbench bench;
  bench.catalog.add({.id = "pooled", .kind = plugin::Kind::source},
                    [](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
                      return std::make_unique<Pooled>(setup.size);
                    });
  const auto patch =
      bench.build({slot("p", "pooled"), slot("f", "filter"), slot("x", "output")}).value();
  patch->start();
  bench.ledger.wait_for("x", 50);
  for (int look = 0; look < 100; ++look)
    ASSERT_EQ(sum_of(seats_of(*patch, "p (received)")), 12U);
  bench.transport.pause();
  patch->stop();
  const auto seats = seats_of(*patch, "p (received)");
  EXPECT_EQ(sum_of(seats), 12U);
  EXPECT_EQ(count_of(seats, SeatPlace::elsewhere, ""), 1U) << "that it keeps and never gave";
}

/// Two outputs; frames of "b" are shared.
std::unique_ptr<Patch> build_fork(Workbench& bench) {
  return bench
      .build({slot("a", "source"), slot("b", "filter"), slot("m", "mixer", {{"a", "b"}}),
              slot("x", "output"), slot("y", "output", {{"b"}})})
      .value();
}

TEST(Instruments, CountEachSeatOfAPoolOnceWhileFramesFlowAndInPauses) {
  Workbench bench;
  const auto patch = build_fork(bench);
  patch->start();
  for (std::size_t turn = 1; turn <= 20; ++turn) {
    for (int look = 0; look < 100; ++look) {
      const auto reading = patch->telemetry();
      ASSERT_EQ(reading.pools.size(), 3U);
      for (const auto& pool : reading.pools)
        ASSERT_EQ(sum_of(pool.seats), pool.capacity) << pool.slot;
    }
    bench.transport.pause();
    ASSERT_EQ(sum_of(seats_of(*patch, "b")), patch->telemetry().pools[1].capacity);
    bench.transport.resume();
    bench.ledger.wait_for("x", turn * 20);
  }
}

/// The seats held by any holder.
std::uint32_t held(const telemetry::PoolReading& pool) {
  std::uint32_t held = 0;
  for (const auto& each : pool.seats)
    held += each.place == SeatPlace::free || each.place == SeatPlace::elsewhere ? 0 : each.seats;
  return held;
}

TEST(Instruments, FindWithHoldersWhatThePoolsSayIsTaken) {
  Workbench bench;
  const auto patch = build_fork(bench);
  patch->start();
  for (std::size_t turn = 1; turn <= 20; ++turn) {
    bench.ledger.wait_for("x", turn * 10);
    bench.transport.pause();
    EXPECT_TRUE(eventually([&] {
      const auto reading = patch->telemetry();
      return std::ranges::all_of(reading.pools, [](const auto& pool) {
        return pool.is_steady && pool.taken > 0 && held(pool) == pool.taken &&
               pool.free_but_held == 0;
      });
    }));
    bench.transport.resume();
  }
}

TEST(Instruments, TellThatASeatIsTakenWhichNobodyKnownHas) {
  Workbench bench;
  bench.transport.pause();
  const auto patch = bench.build({slot("a", "source"), slot("x", "output")}).value();
  patch->start();
  bench.transport.step();
  media::Frame lost;  // as if a holder had forgotten to release it
  EXPECT_TRUE(eventually([&] { return static_cast<bool>(lost = *patch->latest_frame("x")); }));
  bench.transport.step();
  EXPECT_TRUE(eventually([&] {
    const auto pool = patch->telemetry().pools.at(0);
    return frames_of(*patch, "x") == 2 && pool.is_steady && held(pool) + 1 == pool.taken;
  }));
}

TEST(Instruments, TellWhatAPluginKeepsBeyondWhatItSays) {
  Workbench bench;
  add_keeper(bench.catalog, 1);
  bench.transport.pause();
  const auto patch = bench.build({slot("a", "source"), slot("k", "keeper")}).value();
  patch->start();
  for (std::size_t i = 0; i < 3; ++i)
    bench.transport.step();
  EXPECT_TRUE(eventually([&] {
    const auto seats = seats_of(*patch, "a");
    return frames_of(*patch, "k") == 3 && count_of(seats, SeatPlace::kept, "k") == 1 &&
           count_of(seats, SeatPlace::elsewhere, "") == 1;
  }));
}

/// A source that reports a used seat of its own pool as free.
class Forgetful final : public plugin::Plugin {
 public:
  explicit Forgetful(Size size) : pool_(size, 12) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    auto frame = pool_.acquire_for(std::chrono::seconds(10));
    if (!frame) return std::nullopt;
    frame->stamp() = work.stamp;
    return std::move(*frame).publish();
  }
  void set(std::string_view, const show::ParameterValue&) override {}
  std::vector<media::SeatNote> own_seats() const override {
    auto notes = pool_.notes();
    for (auto& note : notes)
      note.is_free = true;
    return notes;
  }

 private:
  media::FramePool pool_;
};

TEST(Instruments, TellThatAPoolWouldLendASeatThatIsInAQueue) {
  Workbench bench;
  bench.ledger.shut("x");
  bench.catalog.add({.id = "forgetful", .kind = plugin::Kind::source},
                    [](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
                      return std::make_unique<Forgetful>(setup.size);
                    });
  const auto patch = bench.build({slot("p", "forgetful"), slot("x", "output")}).value();
  patch->start();
  EXPECT_TRUE(eventually([&] {
    const auto reading = patch->telemetry();
    const auto& pool = reading.pools.back();
    return pool.slot == "p (received)" && pool.is_steady && pool.free_but_held >= 2;
  }));
}

TEST(Instruments, TellWhoHasTheSeatsOfAPool) {
  Workbench bench;
  bench.ledger.shut("x");
  const auto patch = bench.build({slot("a", "source"), slot("x", "output")}).value();
  patch->start();
  EXPECT_TRUE(eventually([&] {
    const auto seats = seats_of(*patch, "a");
    return count_of(seats, SeatPlace::queue, "a to x") == 2 &&
           count_of(seats, SeatPlace::stage, "x") == 1 &&
           count_of(seats, SeatPlace::free, "") == sum_of(seats) - 3;
  }));
}

TEST(Instruments, TellWhichSeatsAreBeingWritten) {
  media::FramePool pool({16, 16}, 3);
  const auto written = pool.try_acquire();
  const auto published = std::move(*pool.try_acquire()).publish();
  std::size_t free = 0;
  for (const auto& note : pool.notes()) {
    free += note.is_free ? 1 : 0;
    EXPECT_EQ(note.is_published, note.seat == published.seat());
  }
  EXPECT_EQ(free, 1U);
}

TEST(Instruments, NameAPluginThatKeepsFrames) {
  Workbench bench;
  add_keeper(bench.catalog, 3);
  bench.transport.pause();
  const auto patch = bench.build({slot("a", "source"), slot("k", "keeper")}).value();
  patch->start();
  for (std::size_t i = 0; i < 5; ++i)
    bench.transport.step();
  EXPECT_TRUE(eventually([&] {  // the newest of the three kept frames is also in the tap
    const auto seats = seats_of(*patch, "a");
    return frames_of(*patch, "k") == 5 && count_of(seats, SeatPlace::kept, "k") == 2 &&
           count_of(seats, SeatPlace::tap, "k") == 1 &&
           count_of(seats, SeatPlace::elsewhere, "") == 0;
  }));
}

TEST(Instruments, TellOfAFrameThatNobodyOfThePatchHas) {
  Workbench bench;
  bench.transport.pause();
  const auto patch = bench.build({slot("a", "source"), slot("x", "output")}).value();
  patch->start();
  bench.transport.step();
  media::Frame looked_at;
  EXPECT_TRUE(eventually([&] { return static_cast<bool>(looked_at = *patch->latest_frame("x")); }));
  bench.transport.step();
  EXPECT_TRUE(eventually([&] {
    const auto seats = seats_of(*patch, "a");
    return frames_of(*patch, "x") == 2 && count_of(seats, SeatPlace::elsewhere, "") == 1;
  }));
  looked_at = {};
  EXPECT_TRUE(
      eventually([&] { return count_of(seats_of(*patch, "a"), SeatPlace::elsewhere, "") == 0; }));
}

}  // namespace
}  // namespace submix::engine
