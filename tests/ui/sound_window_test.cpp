// SPDX-License-Identifier: GPL-3.0-or-later
// A parameter follows the music: real nodes, a real sound server, the real window and mouse.
#include "controller/model/edit/new_show.hpp"
#include "tests/io/sound/sound_server.hpp"
#include "tests/ui/controller_fixture.hpp"

namespace submix::ui {
namespace {

// Where things are in a window of 1440x900.
constexpr Point kFirstFader{75, 870};
constexpr Point kFollowTheSound{135, 821};
constexpr Point kBass{260, 821};
constexpr Point kMusicSwitch{31, 651};  // on the page Control
constexpr Point kMeters{1140, 370};     // the left upper corner
constexpr Size kMetersSize{290, 40};

class SoundWindowTest : public ControllerWithNodesTest {
 protected:
  SoundWindowTest() {
    show_ = model::make_show(
        {.size = {320, 176}, .nodes = {"rack1", "rack2", "desk"}, .has_window = false});
  }
  [[nodiscard]] std::size_t lit_pixels() const {
    const auto accent = ImGui::ColorConvertU32ToFloat4(color::kAccent);
    return count_pixels(desktop_->screenshot(), kMeters, kMetersSize, [&](const std::uint8_t* rgb) {
      return rgb[0] == std::lround(accent.x * 255) && rgb[2] == std::lround(accent.z * 255);
    });
  }
  [[nodiscard]] bool follows_bass() const {
    const auto show = show_now();
    for (const auto& submix : show.submixes)
      for (const auto& slot : submix.slots)
        for (const auto& [name, oscillator] : slot.oscillators)
          if (oscillator.waveform == show::Waveform::sound_bass && oscillator.is_on) return true;
    return false;
  }

  testing::SoundServer sound_;  // nodes find it by their environment
};

TEST_F(SoundWindowTest, AFaderFollowsTheBassByThreePressesAndOneUndo) {
  ASSERT_TRUE(sound_.start()) << sound_.log();
  ASSERT_TRUE(sound_.play(testing::tone(120, 60, 0.5))) << sound_.log();
  start_show({"--page", "perform"});
  desktop_->move(kFirstFader);
  desktop_->act("click 3");
  std::this_thread::sleep_for(700ms);
  desktop_->click(kFollowTheSound);
  std::this_thread::sleep_for(700ms);
  desktop_->click(kBass);
  ASSERT_TRUE(until([&] { return follows_bass(); }));
  EXPECT_NE(show_now().sound.node, "") << "somebody listens from now on";
  EXPECT_TRUE(until([&] { return lit_pixels() > 200; })) << "no meter is lit";
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return !follows_bass() && show_now().sound.node.empty(); }));
}

TEST_F(SoundWindowTest, FollowsTheMusicByOnePressWhichLetsAPcListen) {
  ASSERT_TRUE(sound_.start()) << sound_.log();
  start_show({"--page", "perform"});
  desktop_->press("ctrl+k");
  desktop_->type("show control");
  desktop_->press("Return");
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(show_now().sound.node, "");
  desktop_->click(kMusicSwitch);
  EXPECT_TRUE(until([&] { return !show_now().sound.node.empty(); })) << "nobody listens";
}

}  // namespace
}  // namespace submix::ui
