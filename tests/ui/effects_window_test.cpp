// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of an effect in the real window, with real nodes and real plugins.
#include "common/show/lookup.hpp"
#include "controller/model/edit/new_show.hpp"
#include "controller/ui/shell/preferences.hpp"
#include "tests/ui/controller_fixture.hpp"
#include "tests/ui/fingers.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

namespace submix::ui {
namespace {

using ::testing::ElementsAre;

// Where things are in a window of 1440x900.
constexpr Point kFirstLayer{64, 790};
constexpr Point kSecondLayer{418, 774};
constexpr Point kProgramme{480, 350};
constexpr Point kAddEffect{1284, 357};
constexpr Point kFirstEffectName{1250, 357};
constexpr Point kFirstEffectPicture{1015, 425};
constexpr Point kThirdStar{1412, 563};
constexpr Point kLuts{1408, 690};  // the list of the effect Colour
constexpr Point kFirstLut{1380, 736};
constexpr Point kFavourites{812, 423};

class EffectsWindowTest : public ControllerWithNodesTest {
 protected:
  EffectsWindowTest() {
    show_ = model::make_show(
        {.size = {320, 176}, .nodes = {"rack1", "rack2", "desk"}, .has_window = false});
  }
  void open_choice() {
    start_show({"--page", "perform"});
    desktop_->click(kFirstLayer);
    desktop_->click(kAddEffect);
    std::this_thread::sleep_for(700ms);
  }
  // Among 90x50.
  [[nodiscard]] std::size_t pixels_of_first(
      const std::function<bool(const std::uint8_t*)>& is_wanted) const {
    return count_pixels(desktop_->screenshot(),
                        {kFirstEffectPicture.x - 45, kFirstEffectPicture.y - 25}, {90, 50},
                        is_wanted);
  }
  [[nodiscard]] std::size_t bluish_pixels_of_first() const {
    return pixels_of_first([](const std::uint8_t* rgb) { return rgb[0] < 100 && rgb[2] > 180; });
  }
  // The row of a list below the mouse.
  [[nodiscard]] bool is_row_lit(Point at) const {
    constexpr Size kPart{60, 16};
    const Point corner{at.x - kPart.width / 2, at.y - kPart.height / 2};
    const auto is_lit = [](const std::uint8_t* rgb) {
      return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::present.chosen_hovered;
    };
    return count_pixels(desktop_->screenshot(), corner, kPart, is_lit) > 200;
  }
  // Neither grey nor black.
  [[nodiscard]] std::size_t colored_pixels_of_first() const {
    return pixels_of_first([](const std::uint8_t* rgb) {
      const auto [least, greatest] = std::minmax({rgb[0], rgb[1], rgb[2]});
      return greatest - least > 60;
    });
  }
  [[nodiscard]] std::vector<std::string> plugins() const {
    const auto show = show_now();
    std::vector<std::string> ids;
    if (const auto* submix = show.find_submix("layer-1"))
      for (const auto& slot : submix->slots)
        ids.push_back(slot.plugin);
    return ids;
  }
};

TEST_F(EffectsWindowTest, TakesTheEffectThatTheArrowsChose) {
  open_choice();
  desktop_->type("glow");
  std::this_thread::sleep_for(500ms);
  desktop_->press("Down");
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return plugins().size() == 3; }));
  EXPECT_EQ(plugins()[1], "frei0r/edgeglow") << "behind glow";
}

TEST_F(EffectsWindowTest, ShowsEachEffectOnThePictureOfTheLayer) {
  open_choice();
  desktop_->type("invert");
  EXPECT_TRUE(until([&] { return bluish_pixels_of_first() > 500; })) << "of an orange picture";
  EXPECT_EQ(plugins().size(), 2U) << "the show stays as it is";
  // Other programs beside this test may make a frame late by themselves.
  RecordProperty("late_frames", std::to_string(late_frames_of("mix")));
}

TEST_F(EffectsWindowTest, ShowsAStillOfAnEffectWhileTheNodeOfTheLayerHangs) {
  start_show({"--page", "perform"});
  desktop_->click(kFirstLayer);
  std::this_thread::sleep_for(2s);  // the plugins are known
  processes_.front().send_signal(SIGSTOP);
  desktop_->click(kAddEffect);
  std::this_thread::sleep_for(700ms);
  desktop_->type("contrast");
  EXPECT_TRUE(until([&] { return colored_pixels_of_first() > 1000; })) << "no still";
  processes_.front().send_signal(SIGCONT);
}

TEST_F(EffectsWindowTest, CopiesAnEffectIntoAnotherLayerByKeys) {
  show_.find_submix("layer-1")->slots.insert(
      show_.find_submix("layer-1")->slots.begin() + 1,
      show::Slot{"glow", "frei0r/glow", {{"Blur", 0.25}, {"wet", 0.5}}, {}, false});
  start_show({"--page", "perform"});
  desktop_->click(kFirstLayer);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kFirstEffectName);
  std::this_thread::sleep_for(500ms);
  desktop_->press("ctrl+c");
  desktop_->click(kSecondLayer);
  std::this_thread::sleep_for(500ms);
  desktop_->press("ctrl+v");
  const auto pasted = [&] {
    const auto show = show_now();
    const auto* slot = show.find_slot({"layer-2", "glow"});
    return slot == nullptr ? show::Parameters() : slot->parameters;
  };
  ASSERT_TRUE(until([&] { return !pasted().empty(); }));
  EXPECT_EQ(pasted()["wet"], show::ParameterValue(0.5));
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return pasted().empty(); }));
}

TEST_F(EffectsWindowTest, OffersTheLutsOfTheLayersComputer) {
  ASSERT_TRUE(write_file_atomically(folder_ / "warm.cube", "LUT_1D_SIZE 2\n0 0 0\n1 0.8 0.5\n"));
  auto& slots = show_.find_submix("layer-1")->slots;
  slots.insert(slots.begin() + 1, show::Slot{"colour", "colour", {}, {}, false});
  start_show({"--page", "perform"});
  desktop_->click(kFirstLayer);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kFirstEffectName);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kLuts);
  desktop_->move(kFirstLut);
  ASSERT_TRUE(until([&] { return is_row_lit(kFirstLut); })) << "the node tells of none";
  desktop_->click(kFirstLut);
  const auto lut = [&] { return show_now().find_slot({"layer-1", "colour"})->parameters["lut"]; };
  EXPECT_TRUE(until([&] { return lut() == show::ParameterValue(std::string("warm.cube")); }));
}

TEST_F(EffectsWindowTest, AppliesLutsThatAreDroppedOnALayerButNoneThatIsBroken) {
  const auto own = folder_ / "own";
  std::filesystem::create_directory(own);
  ASSERT_TRUE(write_file_atomically(own / "warm 1.cube", "LUT_1D_SIZE 2\n0 0 0\n1 0.8 0.5\n"));
  ASSERT_TRUE(write_file_atomically(own / "broken.cube", "LUT_1D_SIZE 2\n0 0 0\nhello\n"));
  ASSERT_TRUE(write_file_atomically(own / "cold.cube", "LUT_1D_SIZE 2\n0 0 0\n0.5 0.8 1\n"));
  const auto lut = [&] {
    const auto show = show_now();
    const auto* slot = show.find_slot({"layer-1", "colour"});
    return slot == nullptr ? show::ParameterValue() : slot->parameters.at("lut");
  };
  const Fingers files(folder_ / "drops", kScreen);
  is_touched_ = true;
  start_show({"--page", "perform"});
  desktop_->move(kFirstLayer);
  files.drop(own / "warm 1.cube");
  ASSERT_TRUE(until([&] { return lut() == show::ParameterValue("warm 1.cube"); }));
  files.drop(own / "broken.cube");
  files.drop(own / "cold.cube");
  ASSERT_TRUE(until([&] { return lut() == show::ParameterValue("cold.cube"); }));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "broken.cube")) << "copied before";
}

TEST_F(EffectsWindowTest, AppliesALutThatIsDroppedOnTheProgrammeToTheWholeMix) {
  const auto own = folder_ / "own";
  std::filesystem::create_directory(own);
  ASSERT_TRUE(write_file_atomically(own / "warm.cube", "LUT_1D_SIZE 2\n0 0 0\n1 0.8 0.5\n"));
  const auto colours_of = [&](const char* submix) {
    const auto show = show_now();
    const auto& slots = show.find_submix(submix)->slots;
    return std::ranges::count(slots, "colour", &show::Slot::plugin);
  };
  const Fingers files(folder_ / "drops", kScreen);
  is_touched_ = true;
  start_show({"--page", "perform"});
  desktop_->click(kFirstLayer);  // chosen, but the file is not dropped there
  std::this_thread::sleep_for(500ms);
  desktop_->move(kProgramme);
  files.drop(own / "warm.cube");
  ASSERT_TRUE(until([&] { return colours_of("mix") == 1; }));
  EXPECT_EQ(colours_of("layer-1"), 0);
}

TEST_F(EffectsWindowTest, IsLeftByEscapeAndChangesNothing) {
  open_choice();
  desktop_->type("glow");
  desktop_->press("Escape");
  std::this_thread::sleep_for(500ms);
  desktop_->press("Return");
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(plugins().size(), 2U);
}

TEST_F(EffectsWindowTest, PutsAFavouriteFirstAndRemembersIt) {
  open_choice();
  desktop_->click(kThirdStar);
  std::this_thread::sleep_for(500ms);
  EXPECT_EQ(plugins().size(), 2U) << "the star takes no effect";
  desktop_->click(kFavourites);
  std::this_thread::sleep_for(500ms);
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return plugins().size() == 3; }));
  EXPECT_EQ(plugins()[1], "frei0r/alpha0ps");
  controller_->send_signal(SIGTERM);
  ASSERT_TRUE(until([&] { return controller_->exit_status().has_value(); }));
  EXPECT_THAT(read_preferences(folder_ / "submix" / "controller.toml").value().favourites,
              ElementsAre("frei0r/alpha0ps"));
}

}  // namespace
}  // namespace submix::ui
