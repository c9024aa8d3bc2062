// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window_mailbox.hpp"

#include "tests/io/plugin_rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace submix::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Handover = WindowMailbox::Handover;

class WindowMailboxTest : public ::testing::Test {
 protected:
  media::Frame frame() { return rig_.blank().publish(); }

  testing::PluginRig rig_;
  Doorbell doorbell_;
};

TEST_F(WindowMailboxTest, HasRoomForOneFrame) {
  WindowMailbox mailbox(doorbell_, nullptr, "");
  const auto first = frame();
  EXPECT_EQ(mailbox.hand_over({first}, {}), Handover::done);
  EXPECT_EQ(mailbox.take()->frame.rgba().data(), first.rgba().data());
  EXPECT_FALSE(mailbox.take());
}

TEST_F(WindowMailboxTest, WaitsUntilTheFrameBeforeWasTaken) {
  WindowMailbox mailbox(doorbell_, &rig_.events, "mix.window", std::chrono::minutes(1));
  std::jthread display([&] {
    for (int taken = 0; taken < 200;)
      taken += mailbox.take() ? 1 : 0;
  });
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(mailbox.hand_over({frame()}, {}), Handover::done);
  display.join();
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

TEST_F(WindowMailboxTest, GivesUpOnAStuckDisplayOnceAndComesBack) {
  WindowMailbox mailbox(doorbell_, &rig_.events, "mix.window", std::chrono::milliseconds(1));
  EXPECT_EQ(mailbox.hand_over({frame()}, {}), Handover::done);
  EXPECT_EQ(mailbox.hand_over({frame()}, {}), Handover::not_shown);
  EXPECT_EQ(mailbox.hand_over({frame()}, {}), Handover::not_shown);
  EXPECT_THAT(rig_.events.lines(),
              ElementsAre(HasSubstr("mix.window: the display has taken no frame for 1 ms")));
  EXPECT_TRUE(mailbox.take());
  EXPECT_EQ(mailbox.hand_over({frame()}, {}), Handover::done);
  EXPECT_THAT(rig_.events.lines(),
              ElementsAre(HasSubstr("no frame"), HasSubstr("takes frames again")));
}

TEST_F(WindowMailboxTest, HoldsNobodyUpWithoutADisplayAndKeepsTheNewestFrame) {
  WindowMailbox mailbox(doorbell_, nullptr, "", std::chrono::minutes(1));
  ASSERT_EQ(mailbox.hand_over({frame(), 0}, {}), Handover::done);
  mailbox.lose_display("no display");
  EXPECT_EQ(mailbox.place().trouble, "no display");
  EXPECT_EQ(mailbox.hand_over({frame(), 1}, {}), Handover::not_shown);
  EXPECT_EQ(mailbox.hand_over({frame(), 2}, {}), Handover::not_shown);
  mailbox.regain_display();
  EXPECT_EQ(mailbox.place().trouble, "");
  EXPECT_EQ(mailbox.take()->position, 2U);
  EXPECT_EQ(mailbox.hand_over({frame(), 3}, {}), Handover::done);
}

TEST_F(WindowMailboxTest, PassesOnWhatFrameItIsAndTellsHowLateFramesWereShown) {
  WindowMailbox mailbox(doorbell_, nullptr, "");
  ASSERT_EQ(mailbox.hand_over({frame(), 7, true}, {}), Handover::done);
  const auto next = mailbox.take();
  EXPECT_EQ(next->position, 7U);
  EXPECT_TRUE(next->is_after_pause);
  using std::chrono::milliseconds;
  mailbox.shown(7, milliseconds(-1), milliseconds(16));
  mailbox.shown(8, milliseconds(7), milliseconds(16));
  mailbox.shown(9, milliseconds(16), milliseconds(16));
  mailbox.shown(10, milliseconds(0), milliseconds(16));
  const auto lateness = mailbox.lateness();
  EXPECT_EQ(telemetry::frame_count(lateness.jitter), 4U);
  EXPECT_EQ(lateness.jitter.max, milliseconds(16));
  EXPECT_EQ(lateness.missed_frames, 1U);
  EXPECT_EQ(lateness.missed_frame, 9U);
}

TEST_F(WindowMailboxTest, StopsWaitingWhenAskedTo) {
  WindowMailbox mailbox(doorbell_, nullptr, "", std::chrono::minutes(1));
  std::stop_source stop;
  EXPECT_EQ(mailbox.hand_over({frame()}, stop.get_token()), Handover::done);
  std::jthread other([&] { stop.request_stop(); });
  EXPECT_EQ(mailbox.hand_over({frame()}, stop.get_token()), Handover::stopped);
}

TEST_F(WindowMailboxTest, ReportsNothingOnceClosed) {
  WindowMailbox mailbox(doorbell_, &rig_.events, "mix.window");
  mailbox.close();
  mailbox.report(Severity::note, "late");
  EXPECT_TRUE(mailbox.is_closed());
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

}  // namespace
}  // namespace submix::io
