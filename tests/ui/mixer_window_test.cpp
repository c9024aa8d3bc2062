// SPDX-License-Identifier: GPL-3.0-or-later
// The mixer, its layers and a clip's deck in the real window, with real nodes.
#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/new_show.hpp"
#include "tests/ui/controller_fixture.hpp"

#include <gmock/gmock.h>

namespace submix::ui {
namespace {

using ::testing::ElementsAre;

// Where things are in a window of 1440x900.
constexpr Point kFirstPicture{121, 774};
constexpr Point kSecondPicture{418, 774};
constexpr Point kMiddleOfProgramme{568, 430};
constexpr Point kLowerRightHandle{1105, 650};
constexpr Point kSecondBlendOfThree{488, 730};
constexpr Point kABlendInItsMenu{488, 640};
constexpr Point kNewLayer{648, 774};
constexpr Point kNewLayerBesideThree{833, 764};
constexpr Point kFirstFileOfList{890, 714};
constexpr Point kFirstFileBesideTwo{705, 714};
constexpr int kFileRow = 58;
constexpr Point kThirdPicture{660, 774};
constexpr Point kFirstMark{20, 838};  // the corner of the words "on air"
constexpr Point kSecondMark{312, 838};
constexpr Point kSecondMuteOfThree{490, 848};
constexpr Point kSecondFader{431, 869};
constexpr int kLeftOfSecondFader = 312;
constexpr int kLeftOfFirstPicture = 20;
constexpr Point kIntoACueInItsMenu{471, 863};
constexpr Point kLearnMidiInItsMenu{471, 884};
constexpr Point kCrossfader{1010, 730};
constexpr Point kHoldStillInItsMenu{1043, 750};
constexpr Point kSideA{915, 730};
constexpr Point kSideB{1104, 730};
constexpr Point kOut{1097, 834};
constexpr Point kPause{1180, 389};
constexpr Point kMiddleOfBar{1283, 356};
constexpr Point kEndOfBar{1418, 356};
constexpr Point kSecondOfBank{1242, 515};
constexpr Point kNewPoint{1178, 557};
constexpr Point kNewEffect{1284, 357};
constexpr Point kFirstEffectSwitch{1163, 355};

class MixerWindowTest : public ControllerWithNodesTest {
 protected:
  MixerWindowTest() {
    show_ = model::make_show(
        {.size = {320, 176}, .nodes = {"rack1", "rack2", "desk"}, .has_window = false});
  }
  void start() { start_show({"--page", "perform"}); }
  // Six seconds of one of FFmpeg's sources. The folder of the nodes is folder_.
  void make_clip(const std::string& file, const std::string& source) const {
    auto ffmpeg = ChildProcess::start({"ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", source,
                                       "-t", "6", "-pix_fmt", "yuv420p", folder_ / file},
                                      folder_ / "ffmpeg.log");
    ASSERT_TRUE(ffmpeg) << ffmpeg.error().message;
    ASSERT_TRUE(until([&] { return ffmpeg->exit_status().has_value(); }));
  }
  // In the 100x60 pixels around `middle`.
  [[nodiscard]] std::size_t reddish_pixels(Point middle) const {
    return count_pixels(
        desktop_->screenshot(), {middle.x - 50, middle.y - 30}, {100, 60},
        [](const std::uint8_t* rgb) { return rgb[0] > 200 && rgb[1] < 40 && rgb[2] < 40; });
  }
  // The words of a layer's state have this colour.
  [[nodiscard]] bool is_marked(Point corner, ImU32 color) const {
    const auto is_of_mark = [color](const std::uint8_t* rgb) {
      return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color;
    };
    return count_pixels(desktop_->screenshot(), corner, {60, 20}, is_of_mark) > 10;
  }
  // Of the marks "on air" below the pictures of layers.
  [[nodiscard]] std::size_t marks_on_air() const {
    const auto good = ImGui::ColorConvertU32ToFloat4(color::kGood);
    const auto is_good = [good](const std::uint8_t* rgb) {
      return std::abs(rgb[0] - good.x * 255) < 2 && std::abs(rgb[1] - good.y * 255) < 2 &&
             std::abs(rgb[2] - good.z * 255) < 2;
    };
    return count_pixels(desktop_->screenshot(), {0, 700}, {880, 200}, is_good);
  }
  [[nodiscard]] show::Slot mixer() const {
    const auto show = show_now();
    const auto* slot = show.find_slot({"mix", "mixer"});
    return slot == nullptr ? show::Slot() : *slot;
  }
  [[nodiscard]] std::optional<double> number(const std::string& parameter) const {
    const auto slot = mixer();
    const auto found = slot.parameters.find(parameter);
    return found == slot.parameters.end() ? std::nullopt
                                          : std::optional(std::get<double>(found->second));
  }
  [[nodiscard]] std::string words(const std::string& parameter) const {
    const auto slot = mixer();
    const auto found = slot.parameters.find(parameter);
    return found == slot.parameters.end() ? std::string() : std::get<std::string>(found->second);
  }
};

// They stayed "on air".
TEST_F(MixerWindowTest, SaysThatNobodySeesALayerWhileThePcOfTheMixIsDead) {
  start();
  ASSERT_TRUE(until([&] { return marks_on_air() > 20; }));
  const auto mixing = std::ranges::find(show_.nodes, "desk", &show::Node::name);
  processes_.at(static_cast<std::size_t>(mixing - show_.nodes.begin())).send_signal(SIGKILL);
  EXPECT_TRUE(until([&] { return marks_on_air() == 0; })) << marks_on_air();
}

TEST_F(MixerWindowTest, FadesToASideByItselfAndFollowsTheHand) {
  start();
  EXPECT_TRUE(mixer().oscillators["crossfade"].is_on) << "it goes to and fro";
  desktop_->click(kSideB);
  ASSERT_TRUE(until([&] { return number("crossfade") == 1; }));
  EXPECT_FALSE(mixer().oscillators["crossfade"].is_on);
  desktop_->click(kSideA);
  EXPECT_TRUE(until([&] { return number("crossfade") == 0; }));
  EXPECT_EQ(mixer().fades["crossfade"].frames, 60U) << "four beats at 120 a minute";
  desktop_->click(kSideB);
  ASSERT_TRUE(until([&] { return number("crossfade") == 1; }));
  desktop_->drag({kSideB.x - 30, kSideB.y}, kCrossfader);
  ASSERT_TRUE(until([&] { return number("crossfade") > 0.3 && number("crossfade") < 0.7; }));
  EXPECT_TRUE(mixer().fades.empty());
  desktop_->click(kSideA);
  EXPECT_TRUE(until([&] { return number("crossfade") == 0; }));
  desktop_->click(kOut);
  EXPECT_TRUE(until([&] { return number("master") == 0; }));
  int undone = 0;
  while (undone < 9 && !mixer().oscillators["crossfade"].is_on) {
    const auto before = mixer();
    desktop_->press("ctrl+z");
    ++undone;
    ASSERT_TRUE(until([&] { return mixer() != before; }));
  }
  EXPECT_EQ(undone, 6) << "a step each";
  EXPECT_EQ(number("crossfade"), std::nullopt);
  EXPECT_EQ(number("master"), std::nullopt);
}

// The number stood below its grab, where nobody could read it.
TEST_F(MixerWindowTest, WritesTheNumberOfAFaderBesideItsGrab) {
  start();
  desktop_->click(kSecondFader);
  ASSERT_TRUE(until([&] { return number("level2") > 0.3 && number("level2") < 0.7; }));
  desktop_->move(kMiddleOfProgramme);
  constexpr Size kGrab{6, 14};
  const auto is_grab = [](const std::uint8_t* rgb) {
    return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::kAccent;
  };
  EXPECT_TRUE(until([&] {
    const Point corner{kSecondFader.x - kGrab.width / 2, kSecondFader.y - kGrab.height / 2};
    return count_pixels(desktop_->screenshot(), corner, kGrab, is_grab) == kGrab.pixels();
  })) << "words over it";
}

// A level was a small grab somewhere on a grey bar.
TEST_F(MixerWindowTest, LightsAFaderUpToItsGrab) {
  start();
  desktop_->click(kSecondFader);
  ASSERT_TRUE(until([&] { return number("level2") > 0.3 && number("level2") < 0.7; }));
  desktop_->move(kMiddleOfProgramme);
  constexpr Size kPart{20, 10};
  const auto lit_at = [&](int x) {
    const auto is_lit = [](const std::uint8_t* rgb) {
      return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::kLit;
    };
    return count_pixels(desktop_->screenshot(), {x, kSecondFader.y - kPart.height / 2}, kPart,
                        is_lit);
  };
  EXPECT_TRUE(until([&] { return lit_at(kSecondFader.x - 40) == kPart.pixels(); })) << "below";
  EXPECT_EQ(lit_at(kSecondFader.x + 20), 0U) << "above";
}

// A layer that nobody sees was as bright as the others.
TEST_F(MixerWindowTest, DarkensThePictureOfALayerWhoseFaderIsDown) {
  start();
  const auto bright_pixels = [&] {
    return count_pixels(desktop_->screenshot(), {kSecondPicture.x - 50, kSecondPicture.y - 30},
                        {100, 60}, [](const std::uint8_t* rgb) { return rgb[2] > 120; });
  };
  ASSERT_TRUE(until([&] { return bright_pixels() > 1000; })) << "no picture";
  desktop_->drag(kSecondFader, {kLeftOfSecondFader, kSecondFader.y});
  ASSERT_TRUE(until([&] { return number("level2") == 0; }));
  EXPECT_TRUE(until([&] { return bright_pixels() == 0; }));
}

// The row of layers ends where the first picture begins, and cut the frame off there.
TEST_F(MixerWindowTest, FramesTheChosenLayerAllAround) {
  start();
  desktop_->click(kFirstPicture);
  constexpr int kFrameHeightMin = 90;
  EXPECT_TRUE(until([&] {
    const auto image = desktop_->screenshot();
    return !areas_below(image, kLeftOfFirstPicture + 1, color::kAccent, kFrameHeightMin).empty();
  }));
}

TEST_F(MixerWindowTest, AddsAnEffectToTheChosenLayerAndTurnsItOff) {
  start();
  const auto slots = [&] {
    const auto show = show_now();
    const auto* submix = show.find_submix("layer-1");
    return submix == nullptr ? std::vector<show::Slot>() : submix->slots;
  };
  desktop_->click(kFirstPicture);
  desktop_->click(kNewEffect);
  std::this_thread::sleep_for(500ms);
  desktop_->type("glow");
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return slots().size() == 3; }));
  EXPECT_EQ(slots()[1].plugin, "frei0r/glow") << "and not edgeglow";
  ASSERT_TRUE(until([&] { return frames_of("mix") > 60; }));
  desktop_->click(kFirstEffectSwitch);
  EXPECT_TRUE(until([&] { return slots()[1].is_bypassed; }));
}

TEST_F(MixerWindowTest, MovesAndScalesALayerInThePicture) {
  start();
  const auto value = [&](const std::string& name) {
    const auto show = show_now();
    const auto* slot = show.find_slot({"layer-2", "transform"});
    const auto found =
        slot == nullptr ? show::Parameters::const_iterator{} : slot->parameters.find(name);
    const bool is_there = slot != nullptr && found != slot->parameters.end();
    return is_there ? std::optional(std::get<double>(found->second)) : std::nullopt;
  };
  desktop_->click(kSecondPicture);
  desktop_->click(kNewEffect);
  std::this_thread::sleep_for(500ms);
  desktop_->type("transform");
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return show_now().find_slot({"layer-2", "transform"}) != nullptr; }));
  EXPECT_EQ(show_now().find_stream("layer-2")->pixels, PixelFormat::rgba);
  std::this_thread::sleep_for(1s);  // it becomes the chosen effect
  desktop_->drag(kMiddleOfProgramme, {kMiddleOfProgramme.x + 100, kMiddleOfProgramme.y - 60});
  ASSERT_TRUE(until([&] { return value("x") > 0.05 && value("y") < -0.05; }));
  desktop_->drag(kLowerRightHandle, {kLowerRightHandle.x - 200, kLowerRightHandle.y - 120});
  EXPECT_TRUE(until([&] { return value("scale") < 0.9; }));
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return value("scale") == std::nullopt; })) << "a drag is one step";
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return value("x") == std::nullopt && value("y") == std::nullopt; }));
}

TEST_F(MixerWindowTest, WritesATitleOverTheMixAndMovesItInThePicture) {
  start();
  const auto value = [&](const std::string& name) {
    const auto show = show_now();
    const auto* slot = show.find_slot({"layer-3", "source"});
    const auto found =
        slot == nullptr ? show::Parameters::const_iterator{} : slot->parameters.find(name);
    const bool is_there = slot != nullptr && found != slot->parameters.end();
    return is_there ? std::optional(std::get<double>(found->second)) : std::nullopt;
  };
  desktop_->click(kNewLayer);
  std::this_thread::sleep_for(500ms);
  desktop_->type("title");
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return show_now().find_submix("layer-3") != nullptr; }));
  EXPECT_EQ(show_now().find_submix("layer-3")->slots[0].plugin, "title");
  EXPECT_EQ(show_now().find_stream("layer-3")->pixels, PixelFormat::rgba);
  ASSERT_TRUE(until([&] { return frames_of("layer-3") > 10; }));
  std::this_thread::sleep_for(1s);  // a new layer is chosen by itself
  desktop_->drag(kMiddleOfProgramme, {kMiddleOfProgramme.x + 100, kMiddleOfProgramme.y - 60});
  EXPECT_TRUE(until([&] { return value("x") > 0.05 && value("y") < -0.05; }));
  std::this_thread::sleep_for(1s);
}

TEST_F(MixerWindowTest, OpensTheMenuOfAFader) {
  start();
  desktop_->act(fmt::format("mousemove {} {} click 3", kCrossfader.x, kCrossfader.y));
  std::this_thread::sleep_for(500ms);
  desktop_->click(kHoldStillInItsMenu);
  EXPECT_TRUE(until([&] { return !mixer().oscillators["crossfade"].is_on; }));
}

TEST_F(MixerWindowTest, TakesAnEntryOfAMenuAtOnceWhileASubmenuBesideItIsOpen) {
  start();
  desktop_->act(fmt::format("mousemove {} {} click 3", kSecondFader.x, kSecondFader.y));
  std::this_thread::sleep_for(500ms);
  desktop_->move(kIntoACueInItsMenu);
  std::this_thread::sleep_for(500ms);
  const auto before = pixels(color::kWarning);
  desktop_->click(kLearnMidiInItsMenu);
  EXPECT_TRUE(until([&] { return pixels(color::kWarning) > before + 20; })) << "no notice";
}

TEST_F(MixerWindowTest, PlaysAClipByHand) {
  make_clip("waves.mp4", "testsrc2=size=320x176:rate=30");
  show_.find_submix("layer-1")->slots[0] = {
      "clip", "clip", {{"file", std::string("waves.mp4")}, {"in", 1.0}}, {}, false};
  start_show({"--page", "perform"});
  const auto clip = [&] {
    const auto show = show_now();
    const auto* slot = show.find_slot({"layer-1", "clip"});
    return slot == nullptr ? show::Parameters() : slot->parameters;
  };
  desktop_->click(kFirstPicture);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kPause);
  ASSERT_TRUE(until([&] { return clip()["speed"] == show::ParameterValue(0.0); }));
  desktop_->click(kMiddleOfBar);
  EXPECT_TRUE(until([&] { return clip().contains("offset"); })) << "no jump";
  desktop_->drag(kEndOfBar, kMiddleOfBar);
  // The drag's earlier edits come before.
  const auto is_half = [&] {
    const auto now = clip();
    const auto out = now.find("out");
    if (out == now.end()) return false;
    const double seconds = std::get<double>(out->second);
    return seconds > 2 && seconds < 4;
  };
  EXPECT_TRUE(until(is_half)) << "half of the clip";
  desktop_->click(kPause);
  EXPECT_TRUE(until([&] { return clip()["speed"] == show::ParameterValue(1.0); })) << "Play";
}

TEST_F(MixerWindowTest, TakesAClipOfTheBankByAPressAndByAKeyAndJumpsToACuePoint) {
  make_clip("waves.mp4", "testsrc2=size=320x176:rate=30");
  make_clip("red.mp4", "color=red:size=320x176:rate=30");
  show_.find_submix("layer-1")->slots[0] = {
      "clip",
      "clip",
      {{"file", std::string("waves.mp4")}, {"bank", std::string("red.mp4")}},
      {},
      false};
  start_show({"--page", "perform"});
  const auto clip = [&] {
    const auto show = show_now();
    const auto* slot = show.find_slot({"layer-1", "clip"});
    return slot == nullptr ? show::Parameters() : slot->parameters;
  };
  desktop_->click(kFirstPicture);
  std::this_thread::sleep_for(1s);
  desktop_->click(kSecondOfBank);
  ASSERT_TRUE(until([&] { return clip()["clip"] == show::ParameterValue(2.0); }));
  EXPECT_TRUE(until([&] { return reddish_pixels(kFirstPicture) > 2000; })) << "the node plays it";
  EXPECT_EQ(late_frames_of("mix"), 0U);

  desktop_->click(kNewPoint);
  ASSERT_TRUE(until([&] { return clip().contains("points"); }));
  desktop_->press("ctrl+shift+F1");
  EXPECT_TRUE(until([&] { return clip()["point"] == show::ParameterValue(1.0); }));
  desktop_->press("ctrl+F1");
  EXPECT_TRUE(until([&] { return clip()["clip"] == show::ParameterValue(1.0); }));
  EXPECT_TRUE(until([&] { return reddish_pixels(kFirstPicture) < 1500; }));
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return clip()["clip"] == show::ParameterValue(2.0); })) << "one step";
}

// A hidden folder stands for a folder of this computer that the nodes do not have.
TEST_F(MixerWindowTest, CopiesAFileOfThisComputerAndShowsItAmongTheFiles) {
  std::filesystem::create_directory(folder_ / ".home");
  make_clip(".home/red.mp4", "color=red:size=320x176:rate=30");
  start();
  desktop_->click(kNewLayer);
  std::this_thread::sleep_for(500ms);
  desktop_->type((folder_ / ".home/red.mp4").string());
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return show_now().find_submix("layer-3") != nullptr; }));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "red.mp4"));
  EXPECT_EQ(show_now().find_submix("layer-3")->slots[0].parameters["file"],
            show::ParameterValue(std::string("red.mp4")));

  desktop_->click(kNewLayerBesideThree);
  EXPECT_TRUE(until([&] { return reddish_pixels(kFirstFileOfList) > 90 * 50; }))
      << "no picture of the file in the list";
  desktop_->click({kFirstFileOfList.x + 200, kFirstFileOfList.y});
  EXPECT_TRUE(until([&] { return show_now().find_submix("layer-4") != nullptr; }));
}

// A file of the list could only be pressed.
TEST_F(MixerWindowTest, PlaysAFileThatIsDraggedFromTheListToALayer) {
  make_clip("a-red.mp4", "color=red:size=320x176:rate=30");
  make_clip("blue.mp4", "color=blue:size=320x176:rate=30");
  start();
  const auto file = [&] {
    auto show = show_now();
    const auto* layer = show.find_submix("layer-3");
    if (layer == nullptr) return std::string("no layer");
    const auto found = layer->slots[0].parameters.find("file");
    return found == layer->slots[0].parameters.end() ? std::string()
                                                     : std::get<std::string>(found->second);
  };
  desktop_->click(kNewLayer);
  ASSERT_TRUE(until([&] { return reddish_pixels(kFirstFileBesideTwo) > 90 * 50; }));
  desktop_->drag(kFirstFileBesideTwo, kMiddleOfProgramme);
  ASSERT_TRUE(until([&] { return file() == "a-red.mp4"; })) << file();

  desktop_->click(kNewLayerBesideThree);
  ASSERT_TRUE(until([&] { return reddish_pixels(kFirstFileOfList) > 90 * 50; }));
  desktop_->drag({kFirstFileOfList.x, kFirstFileOfList.y + kFileRow}, kThirdPicture);
  EXPECT_TRUE(until([&] { return file() == "blue.mp4"; })) << file();
  EXPECT_EQ(show_now().find_submix("layer-4"), nullptr);
}

// It became a third layer, though the first one was lit as the place for it.
TEST_F(MixerWindowTest, PutsAFileInThePlaceOfATestPicture) {
  make_clip("a-red.mp4", "color=red:size=320x176:rate=30");
  start();
  const auto source = [&] { return show_now().find_submix("layer-1")->slots[0]; };
  const auto pattern = source();
  desktop_->click(kNewLayer);
  ASSERT_TRUE(until([&] { return reddish_pixels(kFirstFileBesideTwo) > 90 * 50; }));
  desktop_->drag(kFirstFileBesideTwo, kFirstPicture);
  ASSERT_TRUE(until([&] { return source().plugin == "clip"; }));
  EXPECT_EQ(source().parameters["file"], show::ParameterValue(std::string("a-red.mp4")));
  EXPECT_TRUE(until([&] { return reddish_pixels(kFirstPicture) > 2000; })) << "it does not play";
  EXPECT_EQ(show_now().find_submix("layer-3"), nullptr);
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return source() == pattern; }));
}

// Three dots stood beside the mouse.
TEST_F(MixerWindowTest, ShowsTheFileThatIsDraggedOutOfTheList) {
  make_clip("a-red.mp4", "color=red:size=320x176:rate=30");
  start();
  desktop_->click(kNewLayer);
  ASSERT_TRUE(until([&] { return reddish_pixels(kFirstFileBesideTwo) > 90 * 50; }));
  desktop_->hold(kFirstFileBesideTwo);
  desktop_->move({kFirstFileBesideTwo.x - 40, kFirstFileBesideTwo.y - 40});
  desktop_->move(kMiddleOfProgramme);
  const Point beside{kMiddleOfProgramme.x + 60, kMiddleOfProgramme.y + 40};
  EXPECT_TRUE(until([&] { return reddish_pixels(beside) > 2000; })) << reddish_pixels(beside);
  desktop_->release();
}

// It became a new layer.
TEST_F(MixerWindowTest, DropsNothingAfterEscape) {
  make_clip("a-red.mp4", "color=red:size=320x176:rate=30");
  make_clip("blue.mp4", "color=blue:size=320x176:rate=30");
  start();
  desktop_->click(kNewLayer);
  ASSERT_TRUE(until([&] { return reddish_pixels(kFirstFileBesideTwo) > 90 * 50; }));
  desktop_->hold(kFirstFileBesideTwo);
  desktop_->move({kFirstFileBesideTwo.x - 40, kFirstFileBesideTwo.y - 40});
  desktop_->move(kMiddleOfProgramme);
  desktop_->press("Escape");
  desktop_->release();

  desktop_->click(kNewLayer);
  ASSERT_TRUE(until([&] { return reddish_pixels(kFirstFileBesideTwo) > 90 * 50; }))
      << "another layer has moved the button";
  desktop_->click({kFirstFileBesideTwo.x, kFirstFileBesideTwo.y + kFileRow});
  ASSERT_TRUE(until([&] { return show_now().find_submix("layer-3") != nullptr; }));
  EXPECT_EQ(show_now().find_submix("layer-3")->slots[0].parameters["file"],
            show::ParameterValue(std::string("blue.mp4")));
}

// It read "faded out", as if the whole mix were.
TEST_F(MixerWindowTest, MarksTheLayerThatTheCrossfaderBringsNext) {
  start();
  desktop_->click(kSideA);
  EXPECT_TRUE(until([&] { return is_marked(kFirstMark, color::kGood); })) << "on air";
  EXPECT_TRUE(until([&] { return is_marked(kSecondMark, color::kAccent); })) << "in preview";
  desktop_->click(kOut);
  EXPECT_TRUE(until([&] { return is_marked(kSecondMark, color::kFaint); })) << "faded out";
}

TEST_F(MixerWindowTest, StaysWhereItIsWhenAFilmBeginsAndEnds) {
  constexpr int kLeftInLayers = 14;  // a column of pixels beside the layers
  constexpr int kLayersHeightMin = 60;
  const auto layers = [&] {
    const auto panels =
        areas_below(desktop_->screenshot(), kLeftInLayers, color::kPanel, kLayersHeightMin);
    return panels.empty() ? 0 : panels.back().y;
  };
  start();
  ASSERT_TRUE(until([&] { return layers() > 0; }));
  const int before = layers();
  desktop_->press("ctrl+r");
  ASSERT_TRUE(until([&] { return show_now().find_slot({"mix", "record"}) != nullptr; }));
  std::this_thread::sleep_for(2s);  // some frames
  EXPECT_EQ(layers(), before);
  desktop_->press("ctrl+r");
  std::this_thread::sleep_for(3s);  // the film is finished
  EXPECT_EQ(layers(), before);
}

TEST_F(MixerWindowTest, ExplainsALayerAboveIt) {
  constexpr int kLayersTop = 716;
  constexpr std::size_t kEdgesOfLetters = 50;  // that have the colour of a tooltip
  constexpr Size kMixer{560, 190};
  const auto pixels_of_tips = [&](Point corner, Size size) {
    return count_pixels(desktop_->screenshot(), corner, size, [](const std::uint8_t* rgb) {
      return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::kCard;
    });
  };
  start();
  for (const auto& control : {kNewLayer, kSecondPicture}) {
    desktop_->move(control);
    EXPECT_TRUE(until([&] { return pixels_of_tips({0, kLayersTop - 70}, {1100, 66}) > 3000; }));
    EXPECT_LT(pixels_of_tips({control.x - 60, kLayersTop}, kMixer), kEdgesOfLetters)
        << "over the controls";
    desktop_->move(kNowhere);
    EXPECT_TRUE(until([&] { return pixels_of_tips({0, kLayersTop - 70}, {1100, 66}) == 0; }));
  }
}

TEST_F(MixerWindowTest, StaysWithValuesThatNoPluginTakes) {
  show_.find_slot({"mix", "mixer"})->parameters = {
      {"mode", 1.0}, {"curve", true}, {"side1", 2.0}, {"level2", std::string("loud")}};
  start_simulated({"--page", "perform"});
  std::this_thread::sleep_for(4s);
  EXPECT_FALSE(controller_->exit_status()) << "the window has ended";
}

TEST_F(MixerWindowTest, AddsMutesAndMovesLayersAndChoosesTheirBlend) {
  start();
  const auto inputs = [&] { return mixer().inputs.value_or(std::vector<std::string>()); };
  desktop_->click(kNewLayer);
  std::this_thread::sleep_for(500ms);
  desktop_->type("pattern");
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return inputs().size() == 3; })) << "no third layer";
  EXPECT_EQ(show_now().find_submix("layer-3")->slots[0].plugin, "pattern");
  desktop_->click(kSecondMuteOfThree);
  ASSERT_TRUE(until([&] { return number("level2") == 0; }));
  desktop_->click(kSecondMuteOfThree);
  ASSERT_TRUE(until([&] { return number("level2") == 1; }));
  desktop_->click(kSecondBlendOfThree);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kABlendInItsMenu);
  EXPECT_TRUE(until([&] { return !words("blend2").empty(); }));
  const auto blend = words("blend2");
  desktop_->drag(kSecondPicture, kFirstPicture);
  ASSERT_TRUE(until([&] { return inputs().front() == "layer-2"; }));
  EXPECT_THAT(inputs(), ElementsAre("layer-2", "layer-1", "layer-3"));
  EXPECT_EQ(words("blend1"), blend) << "the blend goes with its layer";
  const auto before = frames_of("mix");
  EXPECT_TRUE(until([&] { return frames_of("mix") > before + 30; }));
}

}  // namespace
}  // namespace submix::ui
