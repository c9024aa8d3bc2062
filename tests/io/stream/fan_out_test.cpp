// SPDX-License-Identifier: GPL-3.0-or-later
// One output, several receivers: real streams on loopback, their plugins called by hand.

#include "node/io/stream/stream_out.hpp"

#include "tests/link/stream_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

using show::InputPolicy;
using ::testing::HasSubstr;

constexpr std::chrono::milliseconds kSoon{20};
constexpr std::chrono::hours kNever{1};

class FanOut : public testing::StreamFixture {
 protected:
  /// One edge, and the end that receives its frames.
  struct Branch {
    std::string name;
    std::shared_ptr<StreamEdge> edge;
    std::shared_ptr<link::StreamReceiver> receiver;
  };

  Branch& branch(const std::string& name, InputPolicy policy,
                 std::chrono::milliseconds budget = kSoon) {
    const link::SenderOptions options{name, kSize, kRate, kCredits, {.count = 1}};
    auto sender = left->open_sender(options).value();
    sender->set_destination("mix", mix->endpoints());
    auto edge = std::make_shared<StreamEdge>(StreamEdgeOptions{.sender = std::move(sender),
                                                               .about = "left.out",
                                                               .events = &events,
                                                               .rate = kRate,
                                                               .policy = policy,
                                                               .pause_budget = budget});
    branches.push_back(std::make_unique<Branch>(Branch{name, std::move(edge), nullptr}));
    return *branches.back();
  }
  /// A branch with a ready receiver.
  Branch& open_branch(const std::string& name, InputPolicy policy,
                      std::chrono::milliseconds budget = kSoon) {
    auto& opened = branch(name, policy, budget);
    open(opened);
    return opened;
  }
  void open(Branch& closed) {
    closed.receiver = mix->open_receiver({closed.name, kSize, kRate, kCredits, 2}).value();
    EXPECT_TRUE(testing::eventually([&] { return closed.edge->sender().has_credit(); }));
  }
  void build(bool has_other_ends = false) {
    StreamOutput output{{}, [this] { return is_show_paused.load(); }};
    for (const auto& each : branches)
      output.edges.push_back(each->edge);
    plugin::Setup setup;
    setup.submix = "left";
    setup.slot = "out";
    setup.size = kSize;
    setup.rate = kRate;
    setup.has_other_ends = has_other_ends;
    setup.demand_grew = [this] { demands.fetch_add(1); };
    out = make_stream_out(setup, std::move(output)).value();
    pool = media::FramePool(kSize, out->traits().frames_retained + 2);
  }
  bool process(std::uint64_t index, std::stop_token stop = {}) {
    const std::vector<media::Frame> inputs{frame(index)};
    plugin::Work work{inputs, {}, &pool, std::move(stop), &shares, &clock};
    return out->process(work).has_value();
  }
  static void receive(Branch& from, std::uint64_t index) {
    const auto got = from.receiver->receive_for(testing::kPatience, {});
    ASSERT_TRUE(got) << from.name << " frame " << index;
    ASSERT_EQ(got->stamp().pts, kRate.time_of({index})) << from.name;
    ASSERT_TRUE(testing::has_pattern(*got, index)) << from.name << " frame " << index;
  }
  /// Sends a frame that both take.
  void pass_to_both(Branch& one, Branch& other, std::uint64_t index) {
    ASSERT_TRUE(process(index));
    ASSERT_NO_FATAL_FAILURE(receive(one, index));
    ASSERT_NO_FATAL_FAILURE(receive(other, index));
  }
  static bool is_detached(const Branch& branch) {
    return !branch.edge->telemetry().detached.empty();
  }
  static std::uint64_t skipped(const Branch& branch) {
    return branch.edge->telemetry().frames_skipped;
  }

  SteadyClock clock;
  plugin::StageShares shares{plugin::StageState::working, clock.now()};
  std::atomic<bool> is_show_paused = false;
  std::atomic<int> demands = 0;  // calls of demand_grew
  std::vector<std::unique_ptr<Branch>> branches;
  std::unique_ptr<plugin::Plugin> out;
};

TEST_F(FanOut, GivesEveryReceiverEveryFrame) {
  constexpr std::uint64_t kFrames = 100;
  for (const auto* name : {"a", "b", "c"})
    open_branch(name, InputPolicy::wait, kNever);
  build();
  std::jthread performer([&] {
    for (std::uint64_t index = 0; index < kFrames; ++index)
      ASSERT_TRUE(process(index));
  });
  std::vector<std::jthread> mixes;
  for (const auto& each : branches) {
    mixes.emplace_back([&each = *each] {
      for (std::uint64_t index = 0; index < kFrames; ++index)
        ASSERT_NO_FATAL_FAILURE(receive(each, index));
    });
  }
  mixes.clear();
  for (const auto& each : branches) {
    ASSERT_TRUE(testing::eventually([&] { return each->edge->telemetry().frames == kFrames; }));
    EXPECT_EQ(each->edge->telemetry().frames_produced, kFrames);
    EXPECT_EQ(skipped(*each), 0U);
  }
}

TEST_F(FanOut, WantsAsManyFramesAsItsReceiverWouldTake) {
  auto& only = open_branch("a", InputPolicy::wait);
  build();
  EXPECT_TRUE(out->demand()->is_all);
  for (std::uint64_t index = 0; index < kCredits; ++index) {
    EXPECT_EQ(out->demand()->frames, kCredits - index);
    ASSERT_TRUE(process(index));
  }
  EXPECT_EQ(out->demand()->frames, 0U);
  const auto before = demands.load();
  ASSERT_NO_FATAL_FAILURE(receive(only, 0));
  EXPECT_TRUE(testing::eventually([&] { return demands.load() > before; }));
  EXPECT_TRUE(testing::eventually([&] { return out->demand()->frames == 1; }));
  EXPECT_FALSE(out->demand()->is_all);
}

TEST_F(FanOut, WantsAFrameForAReceiverThatOthersGoOnWithout) {
  auto& swift = open_branch("a", InputPolicy::wait, kNever);
  open_branch("b", InputPolicy::wait, kNever);
  build();
  for (std::uint64_t index = 0; index < kCredits; ++index)
    ASSERT_TRUE(process(index));
  EXPECT_EQ(out->demand()->frames, 0U);
  ASSERT_NO_FATAL_FAILURE(receive(swift, 0));
  EXPECT_TRUE(testing::eventually([&] { return out->demand()->frames == 1; }));
}

TEST_F(FanOut, FollowsNoDemandWhereNoReceiverHoldsItBack) {
  open_branch("a", InputPolicy::latest);
  build();
  EXPECT_FALSE(out->demand());
  const auto before = demands.load();
  branches.front()->edge->set_policy(InputPolicy::wait, kSoon);
  EXPECT_GT(demands.load(), before);
  EXPECT_TRUE(out->demand());
}

TEST_F(FanOut, SharesFramesAndCopiesNone) {
  for (const auto* name : {"a", "b", "c"})
    open_branch(name, InputPolicy::wait);
  build();
  const auto seats = pool.seats_free();
  for (std::uint64_t index = 0; index < kCredits; ++index)
    ASSERT_TRUE(process(index));
  EXPECT_EQ(pool.seats_free(), seats - kCredits) << "one seat for a frame, whoever has it";
}

TEST_F(FanOut, LatestNeverHoldsBackAndAccountsForWhatItSkips) {
  constexpr std::uint64_t kFrames = 60;
  auto& lossless = open_branch("a", InputPolicy::wait, kNever);
  auto& slow = open_branch("b", InputPolicy::latest);
  build();
  for (std::uint64_t index = 0; index < kFrames; ++index) {  // b takes nothing meanwhile
    ASSERT_TRUE(process(index));
    ASSERT_NO_FATAL_FAILURE(receive(lossless, index));
  }
  EXPECT_EQ(skipped(lossless), 0U);
  const auto reading = slow.edge->telemetry();
  EXPECT_EQ(reading.frames_produced, kFrames);
  EXPECT_EQ(reading.frames_produced,
            reading.frames + reading.frames_queued + reading.frames_skipped);
  EXPECT_GE(reading.frames_skipped, kFrames - kCredits - 1);
  EXPECT_EQ(reading.detached, "");
  const auto to_come = kFrames - reading.frames_skipped;
  for (std::uint64_t index = 0; index + 1 < to_come; ++index)
    ASSERT_TRUE(slow.receiver->receive_for(testing::kPatience, {}));
  ASSERT_NO_FATAL_FAILURE(receive(slow, kFrames - 1));
}

TEST_F(FanOut, DetachesAReceiverThatHoldsOthersUpAndTheyLoseNothing) {
  constexpr std::uint64_t kFrames = 60;
  auto& good = open_branch("a", InputPolicy::wait, kNever);
  auto& paused = open_branch("b", InputPolicy::wait);
  build();
  for (std::uint64_t index = 0; index < kFrames; ++index) {  // b takes nothing
    ASSERT_TRUE(process(index));
    ASSERT_NO_FATAL_FAILURE(receive(good, index));
  }
  EXPECT_EQ(skipped(good), 0U);
  EXPECT_FALSE(is_detached(good));
  const auto reading = paused.edge->telemetry();
  EXPECT_EQ(reading.frames_produced, kFrames);
  EXPECT_EQ(reading.frames_produced,
            reading.frames + reading.frames_queued + reading.frames_skipped);
  EXPECT_THAT(reading.detached, HasSubstr("node mix took no frame for 20 ms while others waited"));
  EXPECT_THAT(reading.detached, HasSubstr("submix policy b latest"));
  EXPECT_TRUE(events.has("left.out: stream b: node mix took no frame for 20 ms")) << events.all();
}

TEST_F(FanOut, AttachesAReceiverAgainThatHasKeptUpForASecond) {
  auto& good = open_branch("a", InputPolicy::wait, kNever);
  auto& late = branch("b", InputPolicy::wait);
  build();
  std::uint64_t index = 0;
  for (; index < 10; ++index) {
    ASSERT_TRUE(process(index));
    ASSERT_NO_FATAL_FAILURE(receive(good, index));
  }
  EXPECT_TRUE(is_detached(late)) << "it is not even there";
  open(late);
  ASSERT_NO_FATAL_FAILURE(receive(late, 9)) << "the newest waits for it";
  ASSERT_TRUE(testing::eventually([&] { return late.edge->sender().has_credit(); }));
  for (const auto second = index + kRate.numerator; index < second; ++index) {
    EXPECT_TRUE(is_detached(late));
    ASSERT_NO_FATAL_FAILURE(pass_to_both(good, late, index));
    ASSERT_TRUE(testing::eventually([&] { return late.edge->telemetry().frames_queued == 0; }));
  }
  EXPECT_FALSE(is_detached(late));
  EXPECT_EQ(skipped(late), 9U);
  EXPECT_TRUE(events.has("left.out: stream b: attached again; 9 frames have passed it by"))
      << events.all();
}

TEST_F(FanOut, AttachesAReceiverAgainWhoseCreditAlwaysComesAfterTheFrame) {
  auto& good = open_branch("a", InputPolicy::wait, kNever);
  auto& late = branch("b", InputPolicy::wait);
  build();
  const auto pass = [&](std::uint64_t index) {
    ASSERT_TRUE(process(index));
    ASSERT_NO_FATAL_FAILURE(receive(good, index));
  };
  ASSERT_NO_FATAL_FAILURE(pass(0));
  EXPECT_TRUE(is_detached(late)) << "it is not even there";
  open(late);
  const auto arrived = [&](std::size_t frames) {
    return testing::eventually([&] { return late.receiver->telemetry().frames_queued == frames; });
  };
  std::uint64_t index = 1;
  for (; index <= kCredits; ++index) {  // its queue fills up, and one more frame waits
    ASSERT_TRUE(arrived(index));
    ASSERT_NO_FATAL_FAILURE(pass(index));
  }
  for (const auto second = index + kRate.numerator; index < second; ++index) {
    ASSERT_NO_FATAL_FAILURE(receive(late, index - kCredits - 1));
    ASSERT_TRUE(arrived(kCredits));
    ASSERT_FALSE(late.edge->sender().has_credit());
    ASSERT_NO_FATAL_FAILURE(pass(index));
    if (!is_detached(late)) break;
  }
  EXPECT_FALSE(is_detached(late));
  EXPECT_EQ(skipped(late), 0U);
}

TEST_F(FanOut, WaitsForItsOnlyReceiverWhateverTheBudget) {
  auto& only = open_branch("a", InputPolicy::wait, std::chrono::milliseconds(0));
  build();
  for (std::uint64_t index = 0; index < kCredits; ++index)
    ASSERT_TRUE(process(index));
  std::stop_source stop;
  std::jthread stopper([&] {
    ASSERT_TRUE(testing::eventually(
        [&] { return only.edge->telemetry().blocked > 5 * kPolicyPollPeriod; }));
    stop.request_stop();
  });
  EXPECT_FALSE(process(kCredits, stop.get_token()));
  EXPECT_FALSE(is_detached(only));
  EXPECT_EQ(skipped(only), 0U);
}

TEST_F(FanOut, WaitsWhileAllAreLateSinceNobodyIsHeldUp) {
  auto& one = open_branch("a", InputPolicy::wait, std::chrono::milliseconds(0));
  auto& other = open_branch("b", InputPolicy::wait, std::chrono::milliseconds(0));
  build();
  for (std::uint64_t index = 0; index < kCredits; ++index)
    ASSERT_TRUE(process(index));
  std::stop_source stop;
  std::jthread stopper([&] {
    ASSERT_TRUE(
        testing::eventually([&] { return one.edge->telemetry().blocked > 5 * kPolicyPollPeriod; }));
    stop.request_stop();
  });
  EXPECT_FALSE(process(kCredits, stop.get_token()));
  EXPECT_FALSE(is_detached(one));
  EXPECT_FALSE(is_detached(other));
}

TEST_F(FanOut, DetachesItsOnlyReceiverWhereItHoldsUpAnotherEndOfThePatch) {
  auto& only = branch("a", InputPolicy::wait);  // nobody receives
  build(true);
  ASSERT_TRUE(process(0));
  EXPECT_TRUE(is_detached(only));
}

TEST_F(FanOut, DetachesNobodyWhileTheShowIsPaused) {
  auto& good = open_branch("a", InputPolicy::wait, kNever);
  auto& paused = open_branch("b", InputPolicy::wait);
  build();
  for (std::uint64_t index = 0; index < kCredits; ++index) {
    ASSERT_TRUE(process(index));
    ASSERT_NO_FATAL_FAILURE(receive(good, index));
  }
  is_show_paused = true;
  std::jthread director([&] {
    ASSERT_TRUE(testing::eventually([&] { return paused.edge->telemetry().blocked > 5 * kSoon; }));
    ASSERT_NO_FATAL_FAILURE(receive(paused, 0));  // a step
  });
  ASSERT_TRUE(process(kCredits));
  director.join();
  EXPECT_FALSE(is_detached(paused));
  EXPECT_EQ(skipped(paused), 0U);
}

TEST_F(FanOut, TakesUpAnotherPolicyWhileItWaits) {
  auto& only = open_branch("a", InputPolicy::wait, kNever);
  build();
  EXPECT_EQ(out->pace(), plugin::Pace::receivers);
  for (std::uint64_t index = 0; index < kCredits; ++index)
    ASSERT_TRUE(process(index));
  const auto before = only.edge->telemetry().blocked;
  std::jthread director([&] {
    ASSERT_TRUE(testing::eventually(
        [&] { return only.edge->telemetry().blocked > before + 5 * kPolicyPollPeriod; }));
    only.edge->set_policy(InputPolicy::latest, kSoon);
  });
  ASSERT_TRUE(process(kCredits));
  ASSERT_TRUE(process(kCredits + 1));
  EXPECT_EQ(out->pace(), plugin::Pace::show) << "the show's rate paces it";
  EXPECT_EQ(skipped(only), 1U);
}

TEST_F(FanOut, IsPacedByTheShowWhileAllReceiversAreDetached) {
  auto& gone = branch("a", InputPolicy::wait);
  build(true);
  EXPECT_EQ(out->pace(), plugin::Pace::receivers);
  ASSERT_TRUE(process(0));
  EXPECT_EQ(out->pace(), plugin::Pace::show);
  gone.edge->set_policy(InputPolicy::latest, kSoon);
  ASSERT_TRUE(process(1));
  EXPECT_FALSE(is_detached(gone)) << "latest is never detached";
}

}  // namespace
}  // namespace submix::io
