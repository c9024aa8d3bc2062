// SPDX-License-Identifier: GPL-3.0-or-later
// Patches with loops: inputs that are read some frames late.
#include "common/show/macros.hpp"
#include "common/show/validate.hpp"
#include "tests/engine/fakes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace submix::engine {
namespace {

using ::testing::HasSubstr;
using Pixels = std::vector<std::uint8_t>;

Pixels sum_of(std::span<const std::uint8_t> now, std::span<const std::uint8_t> late) {
  Pixels sum(now.size());
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = static_cast<std::uint8_t>(now[i] + 3 * late[i] + 1);
  return sum;
}

Pixels shifted(std::span<const std::uint8_t> pixels) {
  Pixels next(pixels.size());
  for (std::size_t i = 0; i < next.size(); ++i)
    next[i] = static_cast<std::uint8_t>(pixels[(i + 4) % pixels.size()] + 5);
  return next;
}

Pixels ramp(std::uint64_t index, std::size_t bytes) {
  Pixels pixels(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    pixels[i] = static_cast<std::uint8_t>(7 * index + i);
  return pixels;
}

Pixels black(std::size_t bytes) {
  Pixels pixels(bytes);
  for (std::size_t i = 3; i < bytes; i += 4)
    pixels[i] = 255;
  return pixels;
}

/// The frames that the ends saw, in order. Synchronized.
struct Film {
  Mutex mutex;
  Condition changed;
  std::vector<Pixels> frames SUBMIX_GUARDED_BY(mutex);

  void add(std::span<const std::uint8_t> pixels) {
    const MutexLock lock(mutex);
    frames.emplace_back(pixels.begin(), pixels.end());
    changed.notify_all();
  }
  std::vector<Pixels> wait_for(std::size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    const MutexLock lock(mutex);
    while (frames.size() < count) {
      if (changed.wait_until(mutex, deadline) == std::cv_status::timeout) break;
    }
    return frames;
  }
};

/// A filter that makes pixels from the frame's number and its inputs' pixels, by a given function.
class Maker final : public plugin::Plugin {
 public:
  using Make = std::function<Pixels(std::uint64_t, std::span<const media::Frame>, std::size_t)>;
  explicit Maker(Make make) : make_(std::move(make)) {}

  std::optional<media::Frame> process(plugin::Work& work) override {
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    const auto pixels = make_(work.stamp.index.value, work.inputs, output->rgba().size());
    std::copy(pixels.begin(), pixels.end(), output->rgba().begin());
    return std::move(*output).publish();
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  Make make_;
};

class Camera final : public plugin::Plugin {
 public:
  explicit Camera(Film& film) : film_(film) {}
  std::optional<media::Frame> process(plugin::Work& work) override {
    film_.add(work.inputs[0].rgba());
    return work.inputs[0];
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  Film& film_;
};

class Feedback : public ::testing::Test {
 protected:
  Feedback() {
    add("ramp", plugin::Kind::source,
        [](std::uint64_t index, auto, std::size_t bytes) { return ramp(index, bytes); });
    add("sum", plugin::Kind::mixer2,
        [](auto, auto inputs, auto) { return sum_of(inputs[0].rgba(), inputs[1].rgba()); });
    add("shift", plugin::Kind::filter,
        [](auto, auto inputs, auto) { return shifted(inputs[0].rgba()); });
    bench_.catalog.add({.id = "camera", .kind = plugin::Kind::output},
                       [this](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                         return std::make_unique<Camera>(film_);
                       });
  }
  void add(const char* id, plugin::Kind kind, Maker::Make make) {
    bench_.catalog.add({.id = id, .kind = kind, .memory = plugin::Memory::none},
                       [make](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
                         return std::make_unique<Maker>(make);
                       });
  }
  void run(std::vector<show::Slot> slots) {
    patch_ = bench_.build(std::move(slots)).value();
    patch_->start();
  }
  /// m = sum(a, shift(m) `delay` frames late).
  [[nodiscard]] std::vector<Pixels> plain_loop(std::size_t frames, std::size_t delay) const {
    const auto bytes = bench_.options.size.pixels() * media::kBytesPerRgbaPixel;
    std::vector<Pixels> sums;
    for (std::size_t i = 0; i < frames; ++i)
      sums.push_back(sum_of(ramp(i, bytes), i < delay ? black(bytes) : shifted(sums[i - delay])));
    return sums;
  }
  void expect_plain_loop(const std::vector<Pixels>& frames, std::size_t delay) const {
    const auto expected = plain_loop(frames.size(), delay);
    for (std::size_t i = 0; i < frames.size(); ++i)
      ASSERT_EQ(frames[i], expected[i]) << "frame " << i;
  }

  Film film_;
  Workbench bench_;
  std::unique_ptr<Patch> patch_;
};

std::vector<show::Slot> loop(const std::string& late) {
  return {slot("a", "ramp"), slot("m", "sum", {{"a", late}}), slot("e", "shift", {{"m"}}),
          slot("x", "camera", {{"m"}})};
}

TEST_F(Feedback, IsWhatAPlainLoopGives) {
  for (const std::size_t delay : {1U, 2U, 7U, 120U}) {
    run(loop("e@" + std::to_string(delay)));
    const auto frames = film_.wait_for(300);
    EXPECT_GE(frames.size(), 300U);
    expect_plain_loop(frames, delay);
    patch_->stop();
    const MutexLock lock(film_.mutex);
    film_.frames.clear();
  }
}

TEST_F(Feedback, MayBeASlotsOwn) {
  run({slot("a", "ramp"), slot("m", "sum", {{"a", "m@2"}}), slot("x", "camera")});
  const auto frames = film_.wait_for(200);
  const auto bytes = frames[0].size();
  for (std::size_t i = 0; i < frames.size(); ++i)
    ASSERT_EQ(frames[i], sum_of(ramp(i, bytes), i < 2 ? black(bytes) : frames[i - 2])) << i;
}

TEST_F(Feedback, MayReadASlotInFrontOfItLate) {
  run({slot("a", "ramp"), slot("m", "sum", {{"a", "a@3"}}), slot("x", "camera")});
  const auto frames = film_.wait_for(200);
  const auto bytes = frames[0].size();
  for (std::size_t i = 0; i < frames.size(); ++i)
    ASSERT_EQ(frames[i], sum_of(ramp(i, bytes), i < 3 ? black(bytes) : ramp(i - 3, bytes))) << i;
}

TEST_F(Feedback, IsTheSameWithHelpersInTheLoop) {
  auto slots = loop("e@2");
  slots[1].helpers = 3;
  slots[2].helpers = 2;
  run(std::move(slots));
  expect_plain_loop(film_.wait_for(300), 2);
}

TEST_F(Feedback, NeedsNoMoreThanOneFrameInFlight) {
  bench_.frames_in_flight = 1;
  bench_.options.queue_capacity = 1;
  bench_.options.tap_readers = 1;
  run(loop("e@3"));
  const auto frames = film_.wait_for(200);
  EXPECT_GE(frames.size(), 200U);
  expect_plain_loop(frames, 3);
}

TEST_F(Feedback, IsKeptOverPauseAndStep) {
  bench_.transport.pause();
  run(loop("e@2"));
  for (std::size_t steps = 1; steps <= 10; ++steps) {
    bench_.transport.step();
    EXPECT_EQ(film_.wait_for(steps).size(), steps);
  }
  bench_.transport.resume();
  expect_plain_loop(film_.wait_for(200), 2);
}

// Only the loop shows its frames, so the loop keeps the show's time.
TEST_F(Feedback, IsPausedWhereTheLoopIsAllThereIs) {
  bench_.transport.pause();
  run({slot("a", "ramp"), slot("m", "sum", {{"a", "e@1"}}), slot("e", "camera")});
  bench_.transport.step();
  EXPECT_EQ(film_.wait_for(1).size(), 1U);
  bench_.transport.step();
  EXPECT_EQ(film_.wait_for(2).size(), 2U);
  EXPECT_TRUE(eventually([&] { return frames_of(*patch_, "e") == 2; }));
}

TEST_F(Feedback, BeginsAnewWithAnotherDelay) {
  run(loop("e@1"));
  film_.wait_for(50);
  ASSERT_TRUE(patch_->edit(bench_.submix(loop("e@2"))));
  const auto frames = film_.wait_for(film_.wait_for(0).size() + 100);
  patch_->stop();
  const auto bytes = frames[0].size();
  std::size_t first = 1;  // the first frame with the new delay
  while (first < frames.size() &&
         frames[first] == sum_of(ramp(first, bytes), shifted(frames[first - 1])))
    ++first;
  ASSERT_LT(first + 50, frames.size());
  for (std::size_t i = first; i < frames.size(); ++i) {
    const auto late = i < first + 2 ? black(bytes) : shifted(frames[i - 2]);
    ASSERT_EQ(frames[i], sum_of(ramp(i, bytes), late)) << i << ", changed at " << first;
  }
}

// Slots come and go around the loop, which keeps both of its ends.
TEST_F(Feedback, IsKeptOverRandomEditsPausesAndSteps) {
  std::mt19937 random(11);
  const auto below = [&](unsigned limit) { return random() % limit; };
  run(loop("e@3"));
  for (int round = 0; round < 150; ++round) {
    if (below(8) == 0) bench_.transport.pause();
    auto slots = loop("e@3");
    if (below(2) == 0) slots.push_back(slot("y", "output", {{below(2) == 0 ? "m" : "e"}}));
    if (below(2) == 0) slots.push_back(slot("f", "filter", {{below(2) == 0 ? "a" : "e"}}));
    if (below(3) == 0) {
      slots.push_back(slot("n", "mixer", {{"e", "m@2"}}));
      slots.back().helpers = 2;
    }
    ASSERT_TRUE(patch_->edit(bench_.submix(std::move(slots))));
    if (below(2) == 0) bench_.transport.step();
    if (below(3) == 0) bench_.transport.resume();
  }
  bench_.transport.resume();
  const auto frames = film_.wait_for(film_.wait_for(0).size() + 100);
  patch_->stop();
  EXPECT_GE(frames.size(), 100U);
  expect_plain_loop(frames, 3);
}

TEST_F(Feedback, IsRefusedWhereItsDelaysTakeMoreMemoryThanIsFree) {
  std::size_t free = 0;
  const auto build = [&](const std::string& late) {
    return Patch::build(bench_.submix(loop(late)), bench_.options,
                        {.catalog = bench_.catalog,
                         .events = bench_.events,
                         .clock = bench_.clock,
                         .transport = bench_.transport,
                         .memory_free = [&free] { return free; }});
  };
  bench_.options.size = {1280, 720};
  free = 200'000'000;
  EXPECT_TRUE(build("e@10"));
  const auto refused = build("e@100");
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "submix \"left\": its frames need at least 1116 MB of memory more, but 200 MB are free; 1105 "
      "MB of these wait for delays, most behind slot \"e\": shorten the delays, or make the show's "
      "size smaller");
  auto running = build("e@10").value();
  free = 0;
  EXPECT_TRUE(running->edit(bench_.submix(loop("e@10")))) << "nothing of it is new";
  EXPECT_FALSE(running->edit(bench_.submix(loop("e@60"))));
}

// Loops through submixes that stand in the patch.

/// The patch that a node runs for a show whose first submix is `slots` and may contain the submix
/// "look".
show::Submix expanded(std::vector<show::Slot> slots, std::vector<show::Slot> look) {
  show::Show show;
  show.name = "loops";
  show.submixes = {{.name = "mix", .node = "", .slots = std::move(slots)},
                   {.name = "look", .node = "", .slots = std::move(look)}};
  EXPECT_EQ(show::to_string(show::validate(show)), "");
  return show::expand(show).submixes.front();
}

TEST_F(Feedback, MayGoThroughASubmixThatStandsInTheLoop) {
  patch_ =
      bench_
          .build(expanded({slot("a", "ramp"), slot("m", "sum", {{"a", "l@2"}}),
                           slot("l", "submix/look", {{"m"}}), slot("x", "camera", {{"m"}})},
                          {slot("in", "stream-in"), slot("e", "shift"), slot("out", "stream-out")})
                     .slots)
          .value();
  patch_->start();
  const auto frames = film_.wait_for(200);
  EXPECT_GE(frames.size(), 200U);
  expect_plain_loop(frames, 2);
}

std::vector<show::Slot> echo() {
  return {slot("now", "stream-in"), slot("late", "stream-in"),
          slot("m", "sum", {{"now", "late@2"}}), slot("out", "stream-out")};
}

TEST_F(Feedback, MayHaveItsDelayInsideASubmixThatStandsInTheLoop) {
  patch_ = bench_
               .build(expanded({slot("a", "ramp"), slot("l", "submix/look", {{"a", "e"}}),
                                slot("e", "shift", {{"l"}}), slot("x", "camera", {{"l"}})},
                               echo())
                          .slots)
               .value();
  patch_->start();
  expect_plain_loop(film_.wait_for(200), 2);
}

TEST_F(Feedback, AddsTheDelayOfAPlaceToTheOneInsideAndIsKeptOverAnEditBesideIt) {
  const std::vector<show::Slot> slots{slot("a", "ramp"), slot("l", "submix/look", {{"a", "e@3"}}),
                                      slot("e", "shift", {{"l"}}), slot("x", "camera", {{"l"}})};
  patch_ = bench_.build(expanded(slots, echo()).slots).value();
  patch_->start();
  film_.wait_for(50);
  auto more = slots;
  more.push_back(slot("n", "submix/look", {{"e", "a@1"}}));
  more.push_back(slot("y", "output"));
  ASSERT_TRUE(patch_->edit(bench_.submix(expanded(more, echo()).slots)));
  film_.wait_for(film_.wait_for(0).size() + 50);
  ASSERT_TRUE(patch_->edit(bench_.submix(expanded(slots, echo()).slots)));
  expect_plain_loop(film_.wait_for(film_.wait_for(0).size() + 100), 5);
}

// A stream's frames lie in its receiver's memory, which an edit cannot enlarge.
TEST(FeedbackOfAStream, IsRefusedWhereItWouldKeepMoreFramesThanThereAre) {
  Workbench bench;
  add_fake(bench.catalog, "stream-in", plugin::Kind::source, bench.ledger);
  const std::vector<show::Slot> plain{slot("in", "stream-in"), slot("x", "output")};
  auto patch = bench.build(plain).value();
  patch->start();
  const auto echo = [](const char* input) {
    return std::vector<show::Slot>{slot("in", "stream-in"), slot("m", "mixer", {{"in", input}}),
                                   slot("x", "output")};
  };
  EXPECT_TRUE(patch->edit(bench.submix(echo("in"))));
  const auto refused = patch->edit(bench.submix(echo("in@30")));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              ::testing::HasSubstr("slot \"in\": the slots behind it would keep"));
  EXPECT_TRUE(bench.build(echo("in@30"))) << "made for it from the beginning";
}

TEST_F(Feedback, IsRefusedWithoutADelayOrAsTheFirstInput) {
  EXPECT_THAT(bench_.error_of(loop("e")), HasSubstr("in a circle: m -> e -> m"));
  EXPECT_THAT(
      bench_.error_of({slot("a", "ramp"), slot("m", "sum", {{"e@1", "a"}}), slot("e", "shift")}),
      HasSubstr("slot \"m\": input \"e@1\": the first input gives each frame its number"));
}

}  // namespace
}  // namespace submix::engine
