// SPDX-License-Identifier: GPL-3.0-or-later
// A clip's deck and dropped files in the real window, with real nodes.
#include "common/show/clip_bank.hpp"
#include "controller/model/edit/new_show.hpp"
#include "tests/ui/controller_fixture.hpp"
#include "tests/ui/fingers.hpp"

#include <gmock/gmock.h>

namespace submix::ui {
namespace {

using ::testing::ElementsAre;

// Where things are in a window of 1440x900.
constexpr Point kClipLayer{121, 774};
constexpr Point kMiddleOfLayers{660, 860};
constexpr Point kWordsOfTitle{568, 400};
constexpr Point kSecondTile{1242, 515};
constexpr Point kFaderOfClipLayer{121, 868};
constexpr Point kSync{1352, 389};
constexpr Point kNearestBeats{1334, 438};
constexpr Point kLoopOfTwo{1295, 447};
constexpr Point kLoopOfFour{1331, 447};
constexpr Point kLoopOfSixteen{1403, 447};
constexpr Point kPlay{1180, 389};
constexpr Point kReverse{1247, 389};
constexpr Point kBarBegin{1149, 356};
constexpr Point kBarMiddle{1283, 356};
constexpr Point kBarEnd{1418, 356};
constexpr Point kFind{1337, 350};

class DeckWindowTest : public ControllerWithNodesTest {
 protected:
  DeckWindowTest() : files_(folder_ / "drops", kScreen) {
    show_ = model::make_show(
        {.size = {320, 176}, .nodes = {"rack1", "rack2", "desk"}, .has_window = false});
    show_.find_submix("layer-1")->slots[0] = {
        "clip", "clip", {{"file", std::string("waves.mp4")}}, {}, false};
    std::filesystem::create_directory(folder_ / ".home");
    is_touched_ = true;  // for dropped files
  }
  void start() {
    make_clip("waves.mp4");
    start_show({"--page", "perform"});
  }
  // The folder of the nodes is folder_. A hidden folder stands for one of this computer only.
  void make_clip(const std::string& file) const {
    auto ffmpeg = ChildProcess::start(
        {"ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=320x176:rate=30", "-t",
         "6", "-pix_fmt", "yuv420p", folder_ / file},
        folder_ / "ffmpeg.log");
    ASSERT_TRUE(ffmpeg) << ffmpeg.error().message;
    ASSERT_TRUE(until([&] { return ffmpeg->exit_status().has_value(); }));
  }
  void drop_at(Point at, const std::vector<std::string>& names) const {
    desktop_->move(at);
    for (const auto& name : names)
      files_.drop(folder_ / ".home" / name);
  }
  [[nodiscard]] show::Parameters clip() const {
    const auto show = show_now();
    const auto* slot = show.find_slot({"layer-1", "clip"});
    return slot == nullptr ? show::Parameters() : slot->parameters;
  }
  [[nodiscard]] std::vector<std::string> bank() const {
    std::vector<std::string> files;
    for (const auto& each : show::clip_bank_of(clip()))
      files.push_back(each.file);
    return files;
  }

  /// As the window knows it: the frame of a clip that is to come is amber.
  [[nodiscard]] bool is_second_playing() const {
    constexpr Size kMiddleOfTile{30, 60};  // with its upper and lower edge
    const Point corner{kSecondTile.x - kMiddleOfTile.width / 2,
                       kSecondTile.y - kMiddleOfTile.height / 2};
    const auto is_frame = [](const std::uint8_t* rgb) {
      return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::kAccent;
    };
    return count_pixels(desktop_->screenshot(), corner, kMiddleOfTile, is_frame) > 40;
  }
  [[nodiscard]] double stated(const char* name) const {
    const auto parameters = clip();
    const auto found = parameters.find(name);
    return found == parameters.end() ? 0 : std::get<double>(found->second);
  }
  [[nodiscard]] bool loops_for(double seconds) const {
    return std::abs(stated("out") - stated("in") - seconds) < 1e-6;
  }

  const Fingers files_;
};

// Each of them was shown for a moment, and only the last one stayed.
TEST_F(DeckWindowTest, PlaysTheFirstOfSeveralFilesThatAreDroppedOnALayerAndKeepsTheOthers) {
  for (const auto* name : {".home/a.mp4", ".home/b.mp4", ".home/c.mp4"})
    make_clip(name);
  start();
  drop_at(kClipLayer, {"a.mp4", "b.mp4", "c.mp4"});
  EXPECT_TRUE(until([&] { return bank().size() == 3; }));
  EXPECT_THAT(bank(), ElementsAre("a.mp4", "b.mp4", "c.mp4"));
}

// Only its picture took the file; the rest of the layer made a new one of it.
TEST_F(DeckWindowTest, PlaysAFileThatIsDroppedOnTheFaderOfALayer) {
  make_clip(".home/a.mp4");
  start();
  drop_at(kFaderOfClipLayer, {"a.mp4"});
  EXPECT_TRUE(until([&] { return bank() == std::vector<std::string>{"a.mp4"}; }));
  EXPECT_EQ(show_now().find_submix("layer-3"), nullptr);
}

// At 120 beats a minute, the clip has 12 beats.
TEST_F(DeckWindowTest, LoopsBeatsOfTheClip) {
  start();
  desktop_->click(kClipLayer);
  std::this_thread::sleep_for(1s);
  desktop_->click(kLoopOfFour);
  ASSERT_TRUE(until([&] { return loops_for(2); }));
  const double in = stated("in");
  desktop_->click(kLoopOfTwo);
  ASSERT_TRUE(until([&] { return loops_for(1); }));
  EXPECT_EQ(stated("in"), in) << "only the length has changed";
  desktop_->act("key ctrl+z");
  ASSERT_TRUE(until([&] { return loops_for(2); })) << "one step back";
  desktop_->click(kLoopOfSixteen);  // it is longer than the clip
  std::this_thread::sleep_for(500ms);
  EXPECT_TRUE(loops_for(2));
  desktop_->click(kLoopOfFour);
  EXPECT_TRUE(until([&] { return clip().contains("in") == false && loops_for(0); }));
}

TEST_F(DeckWindowTest, LetsTheClipLastTheNearestNumberOfBeats) {
  show_.tempo.beats_per_minute = 100;
  start();
  desktop_->click(kClipLayer);
  std::this_thread::sleep_for(1s);
  desktop_->click(kSync);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kNearestBeats);
  ASSERT_TRUE(until([&] { return stated("beats") == 10; }));
  desktop_->click(kLoopOfFour);
  ASSERT_TRUE(until([&] { return stated("beats") == 4; }));
  EXPECT_TRUE(loops_for(2.4));
}

// The ends of the bright part were clip 1's only.
TEST_F(DeckWindowTest, GivesTheSecondClipOfTheBankAPartAndALoop) {
  make_clip("other.mp4");
  show_.find_slot({"layer-1", "clip"})->parameters["bank"] = "other.mp4";
  start();
  const auto part = [&] { return show::clip_part_of(clip(), 2); };
  desktop_->click(kClipLayer);
  std::this_thread::sleep_for(1s);
  desktop_->click(kSecondTile);
  ASSERT_TRUE(until([&] { return clip()["clip"] == show::ParameterValue(2.0); }));
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return is_second_playing(); })) << "its node does not tell";
  desktop_->drag(kBarEnd, kBarMiddle);
  ASSERT_TRUE(until([&] { return std::abs(part().end - 3) < 0.3; }));
  desktop_->drag(kBarBegin, {(kBarBegin.x + kBarMiddle.x) / 2, kBarBegin.y});
  ASSERT_TRUE(until([&] { return std::abs(part().begin - 1.5) < 0.3; }));
  const auto dragged = part();
  desktop_->click(kLoopOfTwo);
  ASSERT_TRUE(until([&] { return std::abs(part().end - part().begin - 1) < 1e-6; }));
  desktop_->act("key ctrl+z");
  ASSERT_TRUE(until([&] { return part() == dragged; })) << "one step back";
  desktop_->act(fmt::format("mousemove {} {} click 3", kBarMiddle.x, kBarMiddle.y));
  std::this_thread::sleep_for(500ms);
  desktop_->click({kBarMiddle.x + 40, kBarMiddle.y + 18});  // Play the whole clip
  EXPECT_TRUE(until([&] { return !clip().contains("parts"); }));
  for (const auto* name : {"in", "out"})
    EXPECT_FALSE(clip().contains(name)) << "clip 1 has other ends";
  desktop_->act("key ctrl+z key ctrl+z key ctrl+z");
  EXPECT_TRUE(until([&] { return part() == show::ClipPart() && !clip().contains("parts"); }));
}

// It became a layer.
TEST_F(DeckWindowTest, AddsAFileThatIsDroppedOnTheBank) {
  make_clip(".home/a.mp4");
  start();
  desktop_->click(kClipLayer);
  std::this_thread::sleep_for(500ms);
  drop_at({kSecondTile.x - 68, kSecondTile.y}, {"a.mp4"});
  EXPECT_TRUE(until([&] { return bank().size() == 2; }));
  EXPECT_THAT(bank(), ElementsAre("waves.mp4", "a.mp4"));
}

// They became layers.
TEST_F(DeckWindowTest, AddsFilesThatAreDroppedOnTheOpenListOfTheBank) {
  make_clip(".home/a.mp4");
  make_clip(".home/b.mp4");
  start();
  desktop_->click(kClipLayer);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kSecondTile);  // + Clip
  std::this_thread::sleep_for(500ms);
  drop_at({kSecondTile.x, kSecondTile.y + 60}, {"a.mp4", "b.mp4"});
  EXPECT_TRUE(until([&] { return bank().size() == 3; }));
  EXPECT_THAT(bank(), ElementsAre("waves.mp4", "a.mp4", "b.mp4"));
}

// A person had to look for it and to press it.
TEST_F(DeckWindowTest, ChoosesALayerOfADroppedFile) {
  make_clip(".home/a.mp4");
  start();
  drop_at(kMiddleOfLayers, {"a.mp4"});
  ASSERT_TRUE(until([&] { return show_now().find_submix("layer-3") != nullptr; }));
  std::this_thread::sleep_for(3s);
  desktop_->click(kPlay);
  EXPECT_TRUE(until([&] {
    const auto show = show_now();
    const auto& parameters = show.find_submix("layer-3")->slots[0].parameters;
    const auto speed = parameters.find("speed");
    return speed != parameters.end() && speed->second == show::ParameterValue(0.0);
  })) << "its clip is not beside the programme";
}

// A press on Reverse did nothing while the clip stood still.
TEST_F(DeckWindowTest, TurnsAClipThatStandsStill) {
  start();
  desktop_->click(kClipLayer);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kPlay);
  ASSERT_TRUE(until([&] { return clip()["speed"] == show::ParameterValue(0.0); }));
  desktop_->click(kReverse);
  std::this_thread::sleep_for(500ms);
  EXPECT_EQ(clip()["speed"], show::ParameterValue(0.0)) << "it stands still";
  desktop_->click(kPlay);
  EXPECT_TRUE(until([&] { return clip()["speed"] == show::ParameterValue(-1.0); }));
}

// A drag that began beside the words chose the whole mix, and the words lost their frame.
TEST_F(DeckWindowTest, KeepsTheFrameOfATitleWhenADragMissesIt) {
  auto& title = show_.find_submix("layer-1")->slots[0];
  title = {"title", "title", {{"text", std::string("WORDS")}}, {}, false};
  start();
  const auto value = [&](const char* name) {
    const auto show = show_now();
    const auto& parameters = show.find_slot({"layer-1", "title"})->parameters;
    const auto found = parameters.find(name);
    return found == parameters.end() ? 0 : std::get<double>(found->second);
  };
  desktop_->click(kClipLayer);
  std::this_thread::sleep_for(1s);
  desktop_->drag({kWordsOfTitle.x, 160}, {kWordsOfTitle.x + 100, 200});
  std::this_thread::sleep_for(500ms);
  desktop_->drag(kWordsOfTitle, {kWordsOfTitle.x + 100, kWordsOfTitle.y});
  EXPECT_TRUE(until([&] { return value("x") > 0.02; }));
}

// The frame of the clip that comes stayed amber, and nothing said why.
TEST_F(DeckWindowTest, FindsAClipOfTheBankThatWasMovedAway) {
  std::filesystem::create_directory(folder_ / "old");
  make_clip("old/sun.mp4");
  show_.find_slot({"layer-1", "clip"})->parameters["bank"] = "gone/sun.mp4";
  start();
  desktop_->click(kClipLayer);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kSecondTile);
  ASSERT_TRUE(until([&] { return clip()["clip"] == show::ParameterValue(2.0); }));
  EXPECT_TRUE(until([&] {
    std::this_thread::sleep_for(2s);
    desktop_->click(kFind);  // before, the bar is there
    return bank() == std::vector<std::string>{"waves.mp4", "old/sun.mp4"};
  }));
}

}  // namespace
}  // namespace submix::ui
