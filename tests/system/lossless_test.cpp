// SPDX-License-Identifier: GPL-3.0-or-later
// The promise, on real processes: no pause and no death in the control plane loses a frame.

#include "tests/system/live_cluster.hpp"
#include "tests/system/shows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

namespace submix::testing {
namespace {

constexpr std::uint64_t kFrames = 5000;

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), by);
}

class Lossless : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto* node : {"left", "right", "mix"})
      cluster_.start_node(node);
    cluster_.apply(kCheckedDuo);
    ASSERT_TRUE(cluster_.wait_until_all_run());
  }

  void wait_for_frames(std::uint64_t count) {
    ASSERT_TRUE(cluster_.wait_until(
        [&](const model::ClusterView& view) { return frames_of(view, "mix", "fade") >= count; },
        std::chrono::seconds(180)))
        << "stopped at frame " << frames_of(*cluster_.view(), "mix", "fade") << " of " << count;
  }

  void pause_for(std::chrono::milliseconds duration) {
    cluster_.set_paused(true);
    ASSERT_TRUE(cluster_.wait_until_still());
    std::this_thread::sleep_for(duration);
    cluster_.set_paused(false);
  }

  void expect_nothing_amiss(const model::ClusterView& view, const char* slot,
                            std::uint64_t frames = kFrames) {
    for (const auto* counter : {"lost", "duplicated", "held", "reordered", "torn", "unreadable"})
      EXPECT_EQ(counter_of(view, "mix", slot, counter), 0U) << slot << ' ' << counter;
    EXPECT_GE(counter_of(view, "mix", slot, "checked"), frames) << slot;
  }

  LiveCluster cluster_;
};

TEST_F(Lossless, FiveThousandFramesThroughThreePausesAndARestartOfNats) {
  cluster_.apply(replaced(kCheckedDuo, "rate = 120", "rate = 240"));
  wait_for_frames(kFrames / 5);
  pause_for(std::chrono::milliseconds(500));
  wait_for_frames(kFrames / 5 * 2);
  cluster_.kill_nats();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  cluster_.start_nats();
  wait_for_frames(kFrames / 5 * 3);
  pause_for(std::chrono::milliseconds(100));
  wait_for_frames(kFrames / 5 * 4);
  pause_for(std::chrono::milliseconds(100));
  wait_for_frames(kFrames);

  cluster_.set_paused(true);
  ASSERT_TRUE(cluster_.wait_until_still());
  const auto view = cluster_.view();
  expect_nothing_amiss(*view, "check-left");
  expect_nothing_amiss(*view, "check-right");
  ASSERT_EQ(view->streams.size(), 2U);
  for (const auto& stream : view->streams) {
    EXPECT_EQ(stream.sender.frames_dropped, 0U) << stream.name;
    EXPECT_EQ(stream.receiver.frames_dropped, 0U) << stream.name;
    EXPECT_EQ(stream.receiver.frames_duplicated, 0U) << stream.name;
    EXPECT_EQ(stream.sender.frames_produced, frames_of(*view, stream.from.submix, "out"))
        << stream.name;
    EXPECT_EQ(stream.sender.frames_produced, stream.receiver.frames_produced) << stream.name;
    EXPECT_EQ(stream.receiver.frames_produced,
              stream.receiver.frames + stream.receiver.frames_queued)
        << stream.name;
    EXPECT_EQ(stream.receiver.links.size(), 2U) << stream.name;
    for (const auto& link : stream.receiver.links)
      EXPECT_GT(link.bytes, 512U * 384U * 3U * 100U) << stream.name;
  }
}

// Frames of sources, filters, mixers and ends of all three nodes, while both streams flow.
TEST_F(Lossless, SlotsComeAndGoWhileFramesFlow) {
  const std::string plain = kCheckedDuo;
  const auto inserted = replaced(plain, R"({ name = "stamp", plugin = "stamp" },)",
                                 R"({ name = "blur", plugin = "frei0r/invert0r" },
  { name = "stamp", plugin = "stamp" },)");
  const auto longer = replaced(inserted, R"({ name = "right", plugin = "stream-in" },)",
                               R"({ name = "check-again", plugin = "checker" },
  { name = "right", plugin = "stream-in" },)");
  const auto reconnected = replaced(longer, R"(inputs = ["check-left", "check-right"])",
                                    R"(inputs = ["check-again", "check-right"])");
  const auto replaced_source =
      replaced(reconnected, R"({ name = "invert", plugin = "frei0r/invert0r" },)", "");
  const auto other_mixer = replaced(replaced_source, "frei0r/xfade0r", "frei0r/addition");
  wait_for_frames(100);
  for (int round = 0; round < 3; ++round) {
    for (const auto& show : {inserted, longer, reconnected, replaced_source, other_mixer, plain}) {
      const auto before = frames_of(*cluster_.view(), "mix", "check-right");
      cluster_.apply(show);
      ASSERT_TRUE(cluster_.wait_until([&](const model::ClusterView& view) {
        return frames_of(view, "mix", "check-right") >= before + 60;
      }));
    }
  }
  cluster_.set_paused(true);
  ASSERT_TRUE(cluster_.wait_until_still());
  const auto view = cluster_.view();
  expect_nothing_amiss(*view, "check-left", 1000);
  expect_nothing_amiss(*view, "check-right", 1000);
  for (const auto& stream : view->streams) {
    EXPECT_EQ(stream.sender.epoch, stream.receiver.epoch) << stream.name;
    EXPECT_EQ(stream.receiver.frames_dropped, 0U) << stream.name;
    EXPECT_EQ(stream.sender.frames_produced, stream.receiver.frames_produced) << stream.name;
    for (const auto& link : stream.sender.links)
      EXPECT_EQ(link.reconnects, 0U) << stream.name;
  }
}

TEST_F(Lossless, StreamsOfOneMachineGoBySharedMemoryAndBackWhileFramesFlow) {
  const std::string refusing = kCheckedDuo;
  wait_for_frames(200);
  cluster_.apply(without_refusals(refusing));
  ASSERT_TRUE(cluster_.wait_until(is_by_shared_memory));
  wait_for_frames(600);
  cluster_.apply(refusing);
  ASSERT_TRUE(cluster_.wait_until([](const model::ClusterView& view) {
    return std::all_of(
        view.streams.begin(), view.streams.end(),
        [](const model::StreamView& stream) { return stream.sender.links.size() == 2; });
  }));
  wait_for_frames(1000);
  cluster_.set_paused(true);
  ASSERT_TRUE(cluster_.wait_until_still());
  const auto view = cluster_.view();
  expect_nothing_amiss(*view, "check-left", 1000);
  expect_nothing_amiss(*view, "check-right", 1000);
}

TEST_F(Lossless, StreamsThatBeginBySharedMemoryCopyNoFrame) {
  auto allowing = without_refusals(kCheckedDuo);
  allowing.replace(allowing.find("[512, 384]"), 10, "[1280, 720]");  // this rebuilds every patch
  // A receiver that is late copies a frame, so that its sender can go on.
  allowing.replace(allowing.find("rate = 120"), 10, "rate = 40");
  cluster_.apply(allowing);
  ASSERT_TRUE(cluster_.wait_until(is_by_shared_memory));
  ASSERT_TRUE(cluster_.wait_until([](const model::ClusterView& view) {
    return std::all_of(
        view.streams.begin(), view.streams.end(),
        [](const model::StreamView& stream) { return stream.receiver.frames >= 300; });
  }));
  for (const auto& stream : cluster_.view()->streams) {
    EXPECT_EQ(stream.sender.frames_copied, 0U) << stream.name;
    EXPECT_EQ(stream.receiver.frames_copied, 0U) << stream.name;
  }
}

TEST_F(Lossless, PluginHostsReadThePicturesOfATcpStreamInPlace) {
  wait_for_frames(200);
  EXPECT_EQ(counter_of(*cluster_.view(), "mix", "fade", "copied"), 0U);
}

TEST_F(Lossless, APauseStopsTheSourcesWithinAFewFramesAndAStepMakesExactlyOne) {
  wait_for_frames(50);
  cluster_.set_paused(true);
  ASSERT_TRUE(cluster_.wait_until_still());
  const auto before = cluster_.view();
  const auto shown = frames_of(*before, "mix", "fade");
  // Frames in flight: the credits of a stream and the queues of two patches, a few each.
  EXPECT_LE(frames_of(*before, "left", "pattern") - shown, 24U);

  cluster_.step();
  ASSERT_TRUE(cluster_.wait_until(
      [&](const model::ClusterView& view) { return frames_of(view, "mix", "fade") > shown; }));
  ASSERT_TRUE(cluster_.wait_until_still());
  const auto after = cluster_.view();
  EXPECT_EQ(after->transport.steps, before->transport.steps + 1);
  EXPECT_EQ(frames_of(*after, "mix", "fade"), shown + 1);
  EXPECT_EQ(frames_of(*after, "left", "pattern"), frames_of(*before, "left", "pattern") + 1);
}

}  // namespace
}  // namespace submix::testing
