// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/stream/stream_plugins.hpp"
#include "node/plugin/strip.hpp"

#include "tests/link/stream_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace submix::io {
namespace {

using ::testing::HasSubstr;

bool is_black(const media::Frame& frame) {
  const auto rgba = frame.rgba();
  for (std::size_t i = 0; i < rgba.size(); ++i) {
    if (rgba[i] != (i % 4 == 3 ? 255 : 0)) return false;
  }
  return !rgba.empty();
}

class StreamPlugins : public testing::StreamFixture {
 protected:
  plugin::Setup setup() {
    plugin::Setup setup;
    setup.submix = "mix";
    setup.slot = "left";
    setup.size = kSize;
    setup.rate = kRate;
    setup.events = &events;
    setup.clock = &clock;
    return setup;
  }
  plugin::Work work(std::span<const media::Frame> inputs = {}, std::stop_token stop = {}) {
    return {inputs, {}, &spare, std::move(stop), &shares, &clock};
  }
  std::unique_ptr<plugin::Plugin> input(show::InputPolicy policy) {
    in_policy->set(policy, std::chrono::milliseconds(20));
    auto made = make_stream_in(setup(), {open_receiver(), in_policy});
    EXPECT_TRUE(made);
    return std::move(*made);
  }
  std::unique_ptr<plugin::Plugin> output(std::vector<std::shared_ptr<StreamEdge>> edges) {
    auto made =
        make_stream_out(setup(), {std::move(edges), [this] { return is_show_paused.load(); }});
    EXPECT_TRUE(made);
    return std::move(*made);
  }
  std::shared_ptr<StreamEdge> edge(std::shared_ptr<link::StreamSender> sender,
                                   show::InputPolicy policy = show::InputPolicy::wait) {
    return std::make_shared<StreamEdge>(
        StreamEdgeOptions{.sender = std::move(sender),
                          .about = "mix.left",
                          .events = &events,
                          .rate = kRate,
                          .policy = policy,
                          .pause_budget = std::chrono::milliseconds(20)});
  }
  void send(link::StreamSender& sender, std::uint64_t index) {
    ASSERT_TRUE(sender.send(frame(index), {}));
  }
  /// Asks until the frame `index` has come. The frames before it must not be frames of the stream.
  void expect_comes(plugin::Plugin& stream_in, std::uint64_t index) {
    ASSERT_TRUE(testing::eventually([&] {
      auto asked = work();
      const auto got = stream_in.process(asked);
      return got && testing::has_pattern(*got, index);
    }));
  }
  void expect_waits_no_longer_once_removed(show::InputPolicy policy) {
    in_policy->set(policy, std::chrono::hours(1));
    const auto receiver = open_receiver();
    const auto stream_in = make_stream_in(setup(), {receiver, in_policy});
    ASSERT_TRUE(stream_in);
    const auto sender = open_sender();
    send(*sender, 0);
    expect_comes(**stream_in, 0);

    const auto starved = spent(plugin::StageState::starved);
    std::jthread director([&] {
      ASSERT_TRUE(
          testing::eventually([&] { return spent(plugin::StageState::starved) > starved; }));
      receiver->set_removed(true);
    });
    for (int i = 0; i < 3; ++i) {
      auto asked = work();
      const auto held = (*stream_in)->process(asked);
      ASSERT_TRUE(held);
      EXPECT_TRUE(testing::has_pattern(*held, 0));
    }
    EXPECT_EQ(receiver->telemetry().detached, "") << "nothing is amiss";
  }
  std::chrono::nanoseconds spent(plugin::StageState state) {
    return shares.totals(clock.now())[static_cast<std::size_t>(state)];
  }

  SteadyClock clock;
  plugin::StageShares shares{plugin::StageState::working, clock.now()};
  media::FramePool spare{kSize, 2};
  std::shared_ptr<StreamPolicy> in_policy = std::make_shared<StreamPolicy>();
  std::atomic<bool> is_show_paused = false;
};

TEST_F(StreamPlugins, PassFramesFromOutToInWithTheirStamps) {
  const auto stream_in = input(show::InputPolicy::wait);
  const auto stream_out = output({edge(open_sender())});
  for (std::uint64_t index = 0; index < 10; ++index) {
    const std::vector<media::Frame> inputs{frame(index)};
    auto sending = work(inputs);
    const auto passed_on = stream_out->process(sending);
    ASSERT_TRUE(passed_on);
    EXPECT_EQ(passed_on->rgba().data(), inputs[0].rgba().data());
    auto receiving = work();
    const auto received = stream_in->process(receiving);
    ASSERT_TRUE(received);
    EXPECT_EQ(received->stamp().index.value, index);
    EXPECT_EQ(received->stamp().pts, kRate.time_of({index}));
    EXPECT_TRUE(testing::has_pattern(*received, index));
  }
}

TEST_F(StreamPlugins, OutIsBlockedWithoutCreditUntilAskedToStop) {
  const auto stream_out = output({edge(open_sender())});  // nobody receives
  const std::vector<media::Frame> inputs{frame(0)};
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  auto sending = work(inputs, stop.get_token());
  EXPECT_FALSE(stream_out->process(sending));
  EXPECT_GT(spent(plugin::StageState::blocked).count(), 0);
  EXPECT_EQ(stream_out->traits().frames_retained, kCredits + 2);
  EXPECT_FALSE(stream_out->traits().shows_inputs);
}

TEST_F(StreamPlugins, KeepAlsoWhatAReceiverOnThisMachineReads) {
  link::SenderOptions options;
  options.stream = "near";
  options.size = kSize;
  options.rate = kRate;
  options.frames_max = kCredits;
  options.frames_lent = 3;
  options.is_receiver_near = true;
  const auto sender = *left->open_sender(options);
  EXPECT_TRUE(sender->wants_shared_frames());
  EXPECT_EQ(sender->frames_retained(), kCredits + 2 + 3);
}

TEST_F(StreamPlugins, InIsStarvedWithoutFramesUntilAskedToStop) {
  const auto stream_in = input(show::InputPolicy::wait);
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  auto receiving = work({}, stop.get_token());
  EXPECT_FALSE(stream_in->process(receiving));
  EXPECT_GT(spent(plugin::StageState::starved).count(), 0);
}

TEST_F(StreamPlugins, InIsBlackWhereNoStreamIsConnected) {
  const auto stream_in = *make_stream_in(setup(), {});
  auto asked = work();
  const auto got = stream_in->process(asked);
  ASSERT_TRUE(got);
  EXPECT_TRUE(is_black(*got));
}

TEST_F(StreamPlugins, InOfANewLayerIsBlackUntilItsFirstFrameWhateverItsPolicy) {
  const auto stream_in = input(show::InputPolicy::wait);
  auto asked = work();
  asked.first = FrameIndex{100};  // it came while its patch ran
  const auto got = stream_in->process(asked);
  ASSERT_TRUE(got);
  EXPECT_TRUE(is_black(*got));
  const auto sender = open_sender();
  send(*sender, 0);
  ASSERT_TRUE(testing::eventually([&] {
    auto next = work();
    next.first = FrameIndex{100};
    const auto frame = stream_in->process(next);
    return frame && testing::has_pattern(*frame, 0);
  }));
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  auto waiting = work({}, stop.get_token());
  waiting.first = FrameIndex{100};
  EXPECT_FALSE(stream_in->process(waiting)) << "from its first frame on it is waited for";
}

TEST_F(StreamPlugins, OutLetsFramesGoWhereNoStreamIsConnected) {
  const auto stream_out = output({});
  EXPECT_FALSE(stream_out->traits().is_connected);
  EXPECT_EQ(stream_out->pace(), plugin::Pace::show) << "where it is the only end";
  for (std::uint64_t index = 0; index < 10; ++index) {
    const std::vector<media::Frame> inputs{frame(index)};
    auto sending = work(inputs);
    const auto passed_on = stream_out->process(sending);
    ASSERT_TRUE(passed_on);
    EXPECT_EQ(passed_on->rgba().data(), inputs[0].rgba().data());
  }
  EXPECT_EQ(spent(plugin::StageState::blocked).count(), 0);
}

TEST_F(StreamPlugins, OutIsConnectedAlsoWhileItsReceiverIsAway) {
  const auto stream_out = output({edge(open_sender())});
  EXPECT_TRUE(stream_out->traits().is_connected);
  EXPECT_EQ(stream_out->pace(), plugin::Pace::receivers);
}

TEST_F(StreamPlugins, HoldRepeatsTheLastFramePastItsBudgetAndSaysSoOnce) {
  const auto stream_in = input(show::InputPolicy::hold);
  const auto sender = open_sender();
  send(*sender, 0);
  expect_comes(*stream_in, 0);
  for (int i = 0; i < 3; ++i) {
    auto asked = work();
    const auto held = stream_in->process(asked);
    ASSERT_TRUE(held);
    EXPECT_TRUE(testing::has_pattern(*held, 0));
  }
  EXPECT_TRUE(events.has("mix.left: stream main: no frame for 20 ms: holding the last one"));
  send(*sender, 1);
  expect_comes(*stream_in, 1);
  EXPECT_FALSE(events.has("frames come again")) << "one is no stream";
}

TEST_F(StreamPlugins, BlackGoesBlackPastItsBudget) {
  const auto stream_in = input(show::InputPolicy::black);
  auto asked = work();
  const auto black = stream_in->process(asked);
  ASSERT_TRUE(black);
  EXPECT_EQ(black->rgba()[0], 0);
  EXPECT_EQ(black->rgba()[3], 255);
  const auto sender = open_sender();
  send(*sender, 0);
  expect_comes(*stream_in, 0);
}

TEST_F(StreamPlugins, StandbyShowsItsPicturePastItsBudget) {
  const auto stream_in = input(show::InputPolicy::standby);
  auto asked = work();
  const auto built_in = stream_in->process(asked);
  ASSERT_TRUE(built_in);
  EXPECT_EQ(built_in->stamp().epoch, plugin::kStandInEpoch) << "a checker tells it from a fault";
  const auto ground = built_in->rgba()[0];
  EXPECT_NE(ground, 0) << "to be told from a black picture";
  EXPECT_TRUE(std::any_of(built_in->rgba().begin(), built_in->rgba().end(), [&](std::uint8_t part) {
    return part > 2 * ground && part < 255;
  })) << "the stream's name";
  EXPECT_TRUE(events.has(
      "mix.left: stream main: no frame for 20 ms: the stand-by picture until one comes"));
  in_policy->set_standby(std::make_shared<const std::vector<std::uint8_t>>(kSize.pixels() * 4, 77));
  EXPECT_EQ(stream_in->process(asked)->rgba()[0], 77) << "the picture changes while it stands in";
  const auto sender = open_sender();
  send(*sender, 0);
  expect_comes(*stream_in, 0);
}

TEST_F(StreamPlugins, InTakesUpAnotherPolicyWhileItWaits) {
  const auto stream_in = input(show::InputPolicy::wait);
  const auto sender = open_sender();
  send(*sender, 0);
  expect_comes(*stream_in, 0);
  std::jthread director([&] {
    ASSERT_TRUE(
        testing::eventually([&] { return spent(plugin::StageState::starved).count() > 0; }));
    in_policy->set(show::InputPolicy::hold, std::chrono::milliseconds(0));
  });
  auto asked = work();
  const auto held = stream_in->process(asked);
  ASSERT_TRUE(held);
  EXPECT_TRUE(testing::has_pattern(*held, 0));
  in_policy->set(show::InputPolicy::black, std::chrono::milliseconds(0));
  EXPECT_EQ(stream_in->process(asked)->rgba()[0], 0);
  in_policy->set(show::InputPolicy::wait, std::chrono::milliseconds(0));
  send(*sender, 1);
  expect_comes(*stream_in, 1);
}

// The performer may follow the show before the mix does: its last frame is then the last there is.
TEST_F(StreamPlugins, InWaitsNoLongerOnceTheShowHasRemovedItsStream) {
  expect_waits_no_longer_once_removed(show::InputPolicy::wait);
}
TEST_F(StreamPlugins, InThatHoldsWaitsNoLongerEither) {
  expect_waits_no_longer_once_removed(show::InputPolicy::hold);
}

TEST_F(StreamPlugins, RefuseAStreamOfAnotherSizeThanThePatch) {
  auto other = setup();
  other.size = {64, 64};
  const auto made = make_stream_in(other, {open_receiver(), in_policy});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message,
              HasSubstr("mix.left: stream \"main\" is 320x240, the patch 64x64"));
  EXPECT_FALSE(make_stream_out(other, {{edge(open_sender())}, {}}));
}

TEST_F(StreamPlugins, AreMadeByTheCatalogWithTheSlotsEnd) {
  plugin::Catalog catalog(std::vector<std::filesystem::path>{});
  add_stream_plugins(catalog, {[&](const plugin::Setup& asked) -> Result<StreamInput> {
                                 EXPECT_EQ(asked.slot, "left");
                                 return StreamInput{open_receiver(), in_policy};
                               },
                               [&](const plugin::Setup&) -> Result<StreamOutput> {
                                 return fail("no route to the other node");
                               }});
  EXPECT_TRUE(catalog.create("stream-in", setup()));
  const auto failed = catalog.create("stream-out", setup());
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("no route"));
}

}  // namespace
}  // namespace submix::io
