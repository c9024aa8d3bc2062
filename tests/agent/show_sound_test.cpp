// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/show_sound.hpp"

#include "tests/support/event_log.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/manual_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace submix::agent {
namespace {

class ShowSounds : public ::testing::Test {
 protected:
  void follow(const show::SoundInput& input) {
    show::Show show;
    show.sound = input;
    sound_.follow(show);
  }

  testing::EventLog events_;
  testing::ManualClock clock_;
  ShowSound sound_{"left", [](const auto&) {},
                   [](LocalTime local) { return std::optional(local.time_since_epoch()); }, events_,
                   clock_};
};

TEST_F(ShowSounds, AreBelievedOnlyFromTheNodeThatTheShowNames) {
  sound_.hear({"desk", {.bass = 1.0}});
  EXPECT_EQ(sound_.source().at({}), Sound()) << "the show follows no sound";
  follow({"desk", ""});
  sound_.hear({"stranger", {.bass = 1.0}});
  EXPECT_EQ(sound_.source().at({}), Sound());
  sound_.hear({"desk", {.bass = 0.5}});
  EXPECT_EQ(sound_.source().at({}).bass, 0.5);
  EXPECT_FALSE(sound_.reading().is_listening) << "another node listens";
}

TEST_F(ShowSounds, TellWhyThisNodeHearsNothing) {
  follow({"left", "file:/etc/passwd"});
  EXPECT_TRUE(testing::eventually([&] { return !sound_.reading().trouble.empty(); }));
  EXPECT_TRUE(sound_.reading().is_listening);
  EXPECT_NE(sound_.reading().trouble, "");
  sound_.hear({"left", {.bass = 1.0}});  // a namesake
  EXPECT_EQ(sound_.source().at({}), Sound());
  follow({});
  EXPECT_EQ(sound_.reading(), telemetry::SoundReading());
}

TEST_F(ShowSounds, MayComeFromTheClipsThatPlayHere) {
  const auto clips = std::make_shared<io::PlayedClips>();
  const ShowSound sound(
      "left", [](const auto&) {}, [](LocalTime) { return std::nullopt; }, events_, clock_,
      {clips, {}, {}});
  auto slot = clips->join("left.clip");
  EXPECT_THAT(sound.devices(),
              ::testing::ElementsAre(CaptureDevice{"clip:left.clip", "clip in left.clip"}));
  slot.reset();
  EXPECT_THAT(sound.devices(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace submix::agent
