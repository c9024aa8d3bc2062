// SPDX-License-Identifier: GPL-3.0-or-later
// A show that waits for a performer within its pause budget, with a real sender and receiver. The
// show moves the clock: by each look at a waiting input, and by the time until the next frame is
// due.
#include "node/engine/governor.hpp"
#include "node/io/stream/stream_plugins.hpp"

#include "tests/link/stream_fixture.hpp"
#include "tests/support/manual_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace submix::io {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr auto kBudget = 300ms;
constexpr auto kLook = kPolicyPollPeriod;

class SlowPerformer : public testing::StreamFixture {
 protected:
  void SetUp() override {
    policy_->set(show::InputPolicy::hold, kBudget);
    setup_.events = &events;
    setup_.clock = &clock_;
    receiver_ = open_receiver();
    sender_ = open_sender();
    ASSERT_NO_FATAL_FAILURE(make_input());
  }
  void make_input() {
    const auto show_pause = [this] {  // called for each frame, and at each look while it waits
      if (is_waiting_) pass(kLook);
      if (is_waiting_ && at_look_) at_look_();
      is_waiting_ = true;
      return pause_;
    };
    is_waiting_ = false;
    auto made = make_stream_in(setup_, {receiver_, policy_, show_pause});
    ASSERT_TRUE(made);
    input_ = std::move(*made);
  }

  /// Time passes, and the performer sends the frames that are due by now. They reach the receiver
  /// before anybody asks.
  void pass(nanoseconds time) {
    clock_.advance(time);
    if (!sends_every_ || clock_.now() < next_at_) return;
    next_at_ = clock_.now() + *sends_every_;
    send();
  }
  void send() {
    const auto before = receiver_->telemetry().frames_produced;
    ASSERT_TRUE(sender_->send(frame(sent_), {}));
    ++sent_;
    ASSERT_TRUE(
        testing::eventually([&] { return receiver_->telemetry().frames_produced > before; }));
  }
  void perform_every(nanoseconds time) {
    sends_every_ = time;
    next_at_ = clock_.now();
  }
  [[nodiscard]] std::optional<media::Frame> take_frame() {
    is_waiting_ = false;
    plugin::Work work{{}, {}, &spare_, {}, &shares_, &clock_};
    return input_->process(work);
  }
  /// How long it waits for a frame that does not come.
  [[nodiscard]] nanoseconds wait_in_vain() {
    const auto began = clock_.now();
    const auto before = reading().frames_duplicated;
    EXPECT_TRUE(take_frame());
    EXPECT_EQ(reading().frames_duplicated, before + 1);
    return clock_.now() - began;
  }
  /// In a pause it waits longer than otherwise, and takes a frame that comes then.
  void expect_waits_without_end() {
    const auto began = clock_.now();
    const auto before = reading();
    at_look_ = [this, began] {
      if (clock_.now() - began < 2 * kBudget) return;
      at_look_ = {};
      send();
    };
    const auto frame = take_frame();
    ASSERT_TRUE(frame);
    EXPECT_TRUE(testing::has_pattern(*frame, sent_ - 1));
    EXPECT_GE(clock_.now() - began, 2 * kBudget);
    EXPECT_EQ(reading().frames_duplicated, before.frames_duplicated);
    EXPECT_EQ(reading().detached, before.detached);
  }
  /// The show takes one frame of its input and shows it when due.
  void show_frame() {
    const auto frame = take_frame();
    ASSERT_TRUE(frame);
    for (;;) {
      const auto answer = governor_.ask(shown_, transport_.state(), clock_.now());
      if (answer.may_pass) break;
      pass(*answer.ask_again - clock_.now());
    }
    ++shown_;
    last_ = *frame;
  }
  void show_frames(int count) {
    for (int i = 0; i < count; ++i)
      ASSERT_NO_FATAL_FAILURE(show_frame());
  }
  /// How late the show is against its rate.
  [[nodiscard]] nanoseconds lag() const { return clock_.now() - began_ - kRate.time_of({shown_}); }
  [[nodiscard]] telemetry::StreamReading reading() const { return receiver_->telemetry(); }
  [[nodiscard]] bool is_held() const { return !reading().detached.empty(); }

  testing::ManualClock clock_;
  plugin::Setup setup_{
      .submix = "mix", .slot = "left", .size = kSize, .rate = kRate, .parameters = {}};
  plugin::StageShares shares_{plugin::StageState::working, clock_.now()};
  media::FramePool spare_{kSize, 2};
  engine::Transport transport_;
  engine::Governor governor_{kRate, transport_, clock_};
  std::shared_ptr<StreamPolicy> policy_ = std::make_shared<StreamPolicy>();
  std::shared_ptr<link::StreamReceiver> receiver_;
  std::unique_ptr<plugin::Plugin> input_;
  std::shared_ptr<link::StreamSender> sender_;
  std::optional<nanoseconds> sends_every_;
  LocalTime began_ = clock_.now();
  LocalTime next_at_{};
  std::uint64_t sent_ = 0;
  std::uint64_t shown_ = 0;
  ShowPause pause_;  // as the input knows it; the governor knows of no pause
  std::function<void()> at_look_;
  bool is_waiting_ = false;
  media::Frame last_;
};

TEST_F(SlowPerformer, CostsTheShowItsBudgetOnceAndThenItsOwnPictureOnly) {
  perform_every(100ms);
  ASSERT_NO_FATAL_FAILURE(show_frames(300));
  EXPECT_LE(lag(), kBudget + kLook);
  EXPECT_TRUE(is_held());
  EXPECT_EQ(reading().frames + reading().frames_duplicated, 300U) << "each has something to show";
  EXPECT_GE(reading().frames + 1, sent_) << "none is passed over";
  EXPECT_EQ(reading().frames_dropped, 0U);
  EXPECT_TRUE(testing::has_pattern(last_, reading().frames - 1));
  EXPECT_TRUE(events.has("mix.left: stream main: its frames have come 3")) << events.all();
  EXPECT_FALSE(events.has("frames come again")) << "now and then one is no stream";
}

TEST_F(SlowPerformer, IsWaitedForByItsPolicyOnly) {
  policy_->set(show::InputPolicy::wait, kBudget);
  perform_every(100ms);
  ASSERT_NO_FATAL_FAILURE(show_frames(8));
  EXPECT_EQ(reading().frames, 8U);
  EXPECT_EQ(reading().frames_duplicated, 0U);
  EXPECT_FALSE(is_held());
}

TEST_F(SlowPerformer, IsWaitedForAgainOnceItKeepsUp) {
  ASSERT_NO_FATAL_FAILURE(show_frame());
  ASSERT_TRUE(is_held()) << "it was not there";
  for (std::uint64_t i = 0; i < 37; ++i) {
    ASSERT_NO_FATAL_FAILURE(send());
    ASSERT_NO_FATAL_FAILURE(show_frame());
    EXPECT_TRUE(testing::has_pattern(last_, i)) << "shown from its first frame on";
    EXPECT_TRUE(is_held());
  }
  ASSERT_NO_FATAL_FAILURE(send());
  ASSERT_NO_FATAL_FAILURE(show_frame());
  EXPECT_FALSE(is_held()) << "a second's frames, and those that can have backed up";
  EXPECT_TRUE(events.has("frames come again, after 1 stand-ins")) << events.all();
}

TEST_F(SlowPerformer, IsHeldBetweenItsFramesAndBlackOnlyWhenItIsGone) {
  policy_->set(show::InputPolicy::black, kBudget);
  perform_every(100ms);
  ASSERT_NO_FATAL_FAILURE(show_frames(60));
  ASSERT_TRUE(is_held());
  for (int i = 0; i < 60; ++i) {
    ASSERT_NO_FATAL_FAILURE(show_frame());
    EXPECT_TRUE(testing::has_pattern(last_, reading().frames - 1)) << "no black between";
  }
  sends_every_.reset();
  ASSERT_NO_FATAL_FAILURE(show_frames(10));  // 333 ms
  EXPECT_EQ(last_.rgba()[0], 0);
  EXPECT_FALSE(testing::has_pattern(last_, reading().frames - 1));
}

TEST_F(SlowPerformer, IsWaitedForAgainOnceItsPolicySaysSoThoughNoFrameComes) {
  ASSERT_NO_FATAL_FAILURE(show_frame());
  ASSERT_TRUE(is_held());
  policy_->set(show::InputPolicy::wait, kBudget);
  std::stop_source stop;
  stop.request_stop();
  plugin::Work work{{}, {}, &spare_, stop.get_token(), &shares_, &clock_};
  EXPECT_FALSE(input_->process(work));
  EXPECT_FALSE(is_held());
  EXPECT_TRUE(events.has("its policy waits for frames again, after 1 stand-ins")) << events.all();
}

TEST_F(SlowPerformer, StaysHeldWhenAnotherInputOfItsStreamEndsThatNeverRan) {
  ASSERT_NO_FATAL_FAILURE(show_frame());
  ASSERT_TRUE(is_held());
  ASSERT_TRUE(make_stream_in(setup_, {receiver_, policy_})) << "made for an edit that fails";
  EXPECT_TRUE(is_held());
  input_.reset();
  EXPECT_FALSE(is_held()) << "what it said goes with it";
}

TEST_F(SlowPerformer, OwesNothingForWhatAPauseTook) {
  pause_ = {.is_paused = true, .pauses = 1};
  perform_every(100ms);
  ASSERT_NO_FATAL_FAILURE(show_frames(8));
  EXPECT_FALSE(is_held());
  pause_.is_paused = false;
  sends_every_.reset();
  EXPECT_GE(wait_in_vain(), kBudget) << "all of it is left";
}

TEST_F(SlowPerformer, IsWaitedForWithoutEndInAPauseAndOwesNothingForIt) {
  pause_ = {.is_paused = true, .pauses = 1};
  ASSERT_NO_FATAL_FAILURE(expect_waits_without_end());
  pause_.is_paused = false;
  EXPECT_FALSE(is_held());
  EXPECT_GE(wait_in_vain(), kBudget) << "all of it is left";
}

TEST_F(SlowPerformer, IsWaitedForInAPauseThoughItWasDetachedBefore) {
  ASSERT_NO_FATAL_FAILURE(show_frame());
  ASSERT_TRUE(is_held());
  pause_ = {.is_paused = true, .pauses = 1};
  ASSERT_NO_FATAL_FAILURE(expect_waits_without_end());
  pause_ = {.is_paused = true, .pauses = 2, .steps = 1};
  EXPECT_EQ(wait_in_vain(), 0ms) << "a step is one of the show's frames";
}

TEST_F(SlowPerformer, DoesNotHoldUpAStepInAPauseForLongerThanItsBudget) {
  ASSERT_NO_FATAL_FAILURE(send());
  ASSERT_NO_FATAL_FAILURE(show_frame());
  pause_ = {.is_paused = true, .pauses = 1};
  for (int i = 0; i < 3; ++i) {
    ++pause_.steps;
    const auto waited = wait_in_vain();
    EXPECT_GE(waited, kBudget);
    EXPECT_LE(waited, kBudget + kLook);
    EXPECT_FALSE(is_held()) << "the show goes on with it";
  }
  pause_.is_paused = false;
  EXPECT_GE(wait_in_vain(), kBudget) << "all of it is left";
  EXPECT_TRUE(is_held());
}

TEST_F(SlowPerformer, HasItsLastPictureAgainInAStepWhateverItsPolicy) {
  policy_->set(show::InputPolicy::black, kBudget);
  ASSERT_NO_FATAL_FAILURE(send());
  ASSERT_NO_FATAL_FAILURE(show_frame());
  pause_ = {.is_paused = true, .pauses = 1, .steps = 1};
  const auto frame = take_frame();
  ASSERT_TRUE(frame);
  EXPECT_TRUE(testing::has_pattern(*frame, 0));
}

// Its performer may hear of a step before the input does.
TEST_F(SlowPerformer, IsNotAskedByAStepForAFrameThatItHasGivenInThePause) {
  pause_ = {.is_paused = true, .pauses = 1};
  ASSERT_NO_FATAL_FAILURE(send());
  ASSERT_TRUE(take_frame());
  pause_.steps = 1;
  ASSERT_NO_FATAL_FAILURE(expect_waits_without_end());
}

TEST_F(SlowPerformer, IsNotAskedByStepsFromBeforeItWasMade) {
  pause_ = {.is_paused = true, .pauses = 1, .steps = 3};
  input_.reset();
  ASSERT_NO_FATAL_FAILURE(make_input());
  ASSERT_NO_FATAL_FAILURE(expect_waits_without_end());
}

}  // namespace
}  // namespace submix::io
