// SPDX-License-Identifier: GPL-3.0-or-later
// The real controller on a virtual screen, with a real mouse, a real nats-server and simulated
// nodes.
#include "common/base/written_number.hpp"
#include "tests/ui/controller_fixture.hpp"
#include "tests/ui/fingers.hpp"

namespace submix::ui {
namespace {

constexpr Point kBlackOutButton{434, 30};
constexpr Point kFreezeOutputsButton{532, 30};
constexpr Point kRecButton{736, 30};
constexpr Point kBesideBlackOut{490, 14};
constexpr Size kNeighbours{280, 32};  // FREEZE to REC
constexpr Point kBelowOutputButtons{400, 52};
constexpr Size kTooltipRoom{360, 30};
constexpr Point kPauseButton{834, 30};
constexpr Point kStepButton{910, 30};
constexpr int kFieldAt = 1380;    // in the fields beside the sliders
constexpr int kInNodeCards = 24;  // a column of pixels in the left margin of the nodes' cards
constexpr int kCardHeightMin = 60;

TEST_F(ControllerTest, StartsWithoutNatsAndShowsTheClusterWhenItComes) {
  start_nats();
  const auto url = nats_->url();
  const auto port = nats_->port();
  nats_.reset();
  start_controller(url);
  ASSERT_TRUE(until([&] { return pixels(color::kCard) > 10'000; })) << "no page with commands";
  EXPECT_FALSE(controller_->exit_status());
  start_nats(port);
  bus_ = cluster::Bus::connect({.url = url, .name = "test"}).value();
  cluster_ = std::make_unique<cluster::Cluster>(*bus_);
  ASSERT_TRUE(cluster_->put_show({show::to_toml(show_), "test"}, std::nullopt));
  nodes_ = std::make_unique<Nodes>(url, show_);
  EXPECT_TRUE(until([&] { return pixels(color::kGood) > kPixelsOfAShow; }));
}

TEST_F(ControllerTest, AssignsASubmixByDraggingAndUndoesIt) {
  start_all();
  ASSERT_EQ(node_of_left(), "rack1");
  const auto screen = desktop_->screenshot();
  const auto chip = find_pixel(screen, color::kChip);  // on rack1's card
  const auto cards = areas_below(screen, kInNodeCards, color::kCard, kCardHeightMin);
  ASSERT_TRUE(chip);
  ASSERT_EQ(cards.size(), 2U);
  desktop_->drag(*chip, cards[1]);
  EXPECT_TRUE(until([&] { return node_of_left() == "rack2"; })) << "it runs on " << node_of_left();
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return node_of_left() == "rack1"; }));
  desktop_->press("ctrl+y");
  EXPECT_TRUE(until([&] { return node_of_left() == "rack2"; }));
}

TEST_F(ControllerTest, MakesOneUndoStepOfASlidersWholeDrag) {
  start_all();
  const auto blur = [&]() -> double {
    const auto show = show_now();
    const auto* glow = show.find_slot({"left", "glow"});
    if (glow == nullptr || !glow->parameters.contains("Blur")) return -1;
    return std::get<double>(glow->parameters.at("Blur"));
  };
  ASSERT_EQ(blur(), 0.5);
  desktop_->move(kNowhere);
  // The patch of "left" is open. The show states the value of its last slider.
  std::vector<Point> grabs;
  ASSERT_TRUE(until([&] {
    grabs = areas_below_any(desktop_->screenshot(), kPatchFrom, color::kAccent, 15);
    return !grabs.empty();
  })) << "no slider";
  const auto grab = grabs.back();
  desktop_->drag(grab, {grab.x + 50, grab.y});
  EXPECT_TRUE(until([&] { return blur() > 0.6; })) << blur();
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return blur() == 0.5; })) << blur();
}

// A field of single precision once put 0.10000000149011612 into the show.
TEST_F(ControllerTest, KeepsANumberAsItWasTypedOrDragged) {
  start_all();
  const auto blur = [&]() -> double {
    const auto show = show_now();
    const auto* glow = show.find_slot({"left", "glow"});
    if (glow == nullptr || !glow->parameters.contains("Blur")) return -1;
    return std::get<double>(glow->parameters.at("Blur"));
  };
  std::vector<Point> grabs;
  ASSERT_TRUE(until([&] {
    grabs = areas_below_any(desktop_->screenshot(), kPatchFrom, color::kAccent, 15);
    return !grabs.empty();
  })) << "no slider";
  const auto grab = grabs.back();
  desktop_->double_click({kFieldAt, grab.y});
  desktop_->type("0.1");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return blur() == 0.1; })) << fmt::format("{}", blur());
  desktop_->drag(grab, {grab.x + 30, grab.y});
  EXPECT_TRUE(until([&] { return blur() > 0.2; })) << blur();
  EXPECT_EQ(blur(), as_written(static_cast<float>(blur()))) << fmt::format("{}", blur());
}

TEST_F(ControllerTest, ChangesAStreamsLinksAndUndoesIt) {
  start_all();
  const auto links = [&] {
    const auto show = show_now();
    return show.streams.empty() ? 0 : show.streams[0].link_count;
  };
  ASSERT_EQ(links(), 2);
  ASSERT_NO_FATAL_FAILURE(choose_below_in_stream_menu(StreamMenuPart::links));
  EXPECT_TRUE(until([&] { return links() == 3; })) << links();
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return links() == 2; })) << links();
}

TEST_F(ControllerTest, PausesStepsAndResumes) {
  start_all();
  EXPECT_LT(pixels(color::kWarning), 2000U);
  desktop_->click(kPauseButton);
  ASSERT_TRUE(until([&] { return transport().is_paused; }));
  desktop_->move(kNowhere);  // a hovered button has another tint
  EXPECT_TRUE(until([&] { return pixels(color::kWarning) > 2000; })) << "no RESUME button";
  desktop_->press("ctrl+shift+space");
  EXPECT_TRUE(until([&] { return transport().steps == 1; }));
  desktop_->hold(kStepButton);
  EXPECT_TRUE(until([&] { return transport().steps >= 5; })) << "it steps on while it is held";
  desktop_->release();
  desktop_->press("ctrl+space");
  EXPECT_TRUE(until([&] { return !transport().is_paused; }));
}

TEST_F(ControllerTest, MakesTheOutputsBlackAndFreezesThemByMouseAndByKey) {
  start_all();
  desktop_->click(kBlackOutButton);
  ASSERT_TRUE(until([&] { return transport().is_black; }));
  desktop_->click(kFreezeOutputsButton);
  ASSERT_TRUE(until([&] { return transport().is_frozen; }));
  EXPECT_TRUE(transport().is_black);
  EXPECT_FALSE(transport().is_paused) << "the show runs on";
  desktop_->press("ctrl+period");
  EXPECT_TRUE(until([&] { return !transport().is_black; }));
  EXPECT_TRUE(transport().is_frozen);
  desktop_->press("ctrl+f");
  EXPECT_TRUE(until([&] { return !transport().is_frozen; }));
}

TEST_F(ControllerTest, ShowsATooltipLateBesideTheNeighboursAndNotAfterAPress) {
  start_all();
  const auto before = desktop_->screenshot();
  const auto changes_in = [&](Point corner, Size size) {
    const auto now = desktop_->screenshot();
    std::size_t changes = 0;
    for (int y = corner.y; y < corner.y + size.height; ++y) {
      const auto row = static_cast<std::size_t>(y * now.size.width + corner.x) * 3;
      for (std::size_t at = row; at < row + static_cast<std::size_t>(size.width) * 3; ++at)
        changes += now.pixels[at] == before.pixels[at] ? 0U : 1U;
    }
    return changes;
  };
  const auto changes_below = [&] { return changes_in(kBelowOutputButtons, kTooltipRoom); };
  desktop_->move(kBlackOutButton);
  ASSERT_TRUE(until([&] { return changes_below() > 1000; })) << "no tooltip";
  EXPECT_EQ(changes_in(kBesideBlackOut, kNeighbours), 0U) << "it covers FREEZE";
  desktop_->click(kBlackOutButton);
  ASSERT_TRUE(until([&] { return transport().is_black; }));
  EXPECT_TRUE(until([&] { return changes_below() == 0; })) << "it stays after a press";
}

TEST_F(ControllerTest, ShowsAnIconBesideTheWordOfPause) {
  constexpr Point kLeftOfWord{801, 20};
  constexpr Size kIcon{12, 20};
  start_all();
  desktop_->move(kNowhere);
  EXPECT_TRUE(until([&] {
    return count_pixels(desktop_->screenshot(), kLeftOfWord, kIcon, [](const std::uint8_t* rgb) {
             return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::kText;
           }) > 30;
  }));
}

class RecordingTest : public ControllerWithNodesTest {
 protected:
  /// The files of recordings that have begun.
  [[nodiscard]] std::vector<std::filesystem::path> films() const {
    std::vector<std::filesystem::path> films;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".mkv") films.push_back(entry.path());
    }
    return films;
  }
};

TEST_F(RecordingTest, OpensTheFolderOfAFilmAfterItsEnd) {
  const auto opened = folder_ / "opened";
  std::filesystem::create_directory(folder_ / "bin");
  const auto program = folder_ / "bin/xdg-open";
  ASSERT_TRUE(write_file_atomically(program,
                                    fmt::format("#!/bin/sh\necho \"$1\" > {}\n", opened.string())));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", ((folder_ / "bin").string() + ":" + path).c_str(), 1);
  start_all({"--page", "perform"});
  ::setenv("PATH", path.c_str(), 1);
  desktop_->click(kRecButton);
  desktop_->move(kNowhere);  // a hovered button has another tint
  ASSERT_TRUE(until([&] { return pixels(color::kBad) > 1000; })) << "the lamp";
  desktop_->press("ctrl+r");
  ASSERT_TRUE(until([&] { return films().size() == 1; }));
  EXPECT_TRUE(repeat_until([&] { press_open_folder(*desktop_); },
                           [&] { return std::filesystem::exists(opened); }));
  EXPECT_EQ(read_text_file(opened).value_or(""), folder_.path().string() + "\n");
}

TEST_F(RecordingTest, BeginsAFilmByEachPress) {
  start_all();
  desktop_->click(kRecButton);
  ASSERT_TRUE(until([&] { return films().size() == 1; }));
  const auto before = frames_of("mix");
  ASSERT_TRUE(until([&] { return frames_of("mix") > before + 15; }));
  desktop_->press("ctrl+r");
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(films().size(), 1U);
  desktop_->press("ctrl+r");
  EXPECT_TRUE(until([&] { return films().size() == 2; }));
}

TEST_F(ControllerTest, SaysThatADroppedFileNeedsAShow) {
  const Fingers files(folder_ / "drops", kScreen);
  is_touched_ = true;
  start_nats();
  start_controller(nats_->url());
  ASSERT_TRUE(until([&] { return pixels(color::kGood) > 20; })) << "not connected";
  ASSERT_EQ(pixels(color::kWarning), 0U);
  files.drop("/a/film.mp4");
  desktop_->move({kNowhere.x + 1, kNowhere.y});  // it wakes the window
  EXPECT_TRUE(until([&] { return pixels(color::kWarning) > 20; }));
}

TEST_F(ControllerWithNodesTest, RecordsTheMixByOnePressAndStopsByTheNext) {
  start_all();
  const auto recorder = [&]() -> std::optional<show::Slot> {
    const auto show = show_now();
    const auto* slot = show.find_slot({"mix", "record"});
    return slot == nullptr ? std::nullopt : std::optional(*slot);
  };
  desktop_->click(kRecButton);
  ASSERT_TRUE(until([&] { return recorder().has_value(); }));
  desktop_->move(kNowhere);
  EXPECT_TRUE(until([&] { return pixels(color::kBad) > 1500; })) << "the lamp";
  const auto before = frames_of("mix");
  EXPECT_TRUE(until([&] { return frames_of("mix") > before + 30; }));
  desktop_->press("ctrl+r");
  EXPECT_TRUE(until([&] {
    const auto slot = recorder();
    return slot && slot->parameters.contains("recording") &&
           slot->parameters.at("recording") == show::ParameterValue(false);
  }));
}

TEST_F(ControllerWithNodesTest, BeginsNoFilmByAnUndoAfterRecording) {
  start_all();
  const auto recorder = [&] {
    const auto show = show_now();
    const auto* slot = show.find_slot({"mix", "record"});
    return slot == nullptr ? show::Parameters() : slot->parameters;
  };
  const auto is_off = [&] {
    const auto parameters = recorder();
    const auto found = parameters.find("recording");
    return found != parameters.end() && found->second == show::ParameterValue(false);
  };
  desktop_->click(kRecButton);
  ASSERT_TRUE(until([&] { return !recorder().empty(); }));
  desktop_->press("ctrl+r");
  ASSERT_TRUE(until(is_off));

  desktop_->press("ctrl+z");
  std::this_thread::sleep_for(1s);
  EXPECT_TRUE(is_off());
}

TEST_F(ControllerWithNodesTest, MovesASubmixByDragging) {
  start_all();
  EXPECT_EQ(runner_of("left"), "rack1");
  const auto screen = desktop_->screenshot();
  const auto chip = find_pixel(screen, color::kChip);
  const auto cards = areas_below(screen, kInNodeCards, color::kCard, kCardHeightMin);
  ASSERT_TRUE(chip);
  ASSERT_EQ(cards.size(), 2U);
  desktop_->drag(*chip, cards[1]);
  EXPECT_TRUE(until([&] { return runner_of("left") == "rack2"; }))
      << "it runs on " << runner_of("left");
  const auto before = frames_of("mix");
  EXPECT_TRUE(until([&] { return frames_of("mix") > before + 30; }))
      << "nothing flows from its new place";
}

TEST_F(ControllerWithNodesTest, PausesAndRendersExactlyOneFrameForAStep) {
  start_all();
  desktop_->click(kPauseButton);
  ASSERT_TRUE(until([&] { return transport().is_paused; }));
  const auto paused_at = settled_frames_of("mix");
  ASSERT_GT(paused_at, 0U);
  desktop_->press("ctrl+shift+space");
  EXPECT_TRUE(until([&] { return frames_of("mix") == paused_at + 1; }))
      << frames_of("mix") - paused_at;
  EXPECT_EQ(settled_frames_of("mix"), paused_at + 1);
  desktop_->press("ctrl+space");
  EXPECT_TRUE(until([&] { return frames_of("mix") > paused_at + 30; }));
}

// Before, Xlib ended it on the spot, without a word of its own.
TEST_F(ControllerTest, EndsInOrderWithItsDisplayServer) {
  start_all();
  desktop_->end();
  ASSERT_TRUE(until([&] { return controller_->exit_status().has_value(); }));
  EXPECT_EQ(controller_->exit_status(), 1);
  EXPECT_NE(read_text_file(folder_ / "log").value_or("").find("the display server has ended"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "submix" / "controller.toml")) << "its preferences";
  EXPECT_TRUE(std::filesystem::exists(folder_ / "submix" / "autosave"));
}

TEST_F(ControllerTest, SurvivesNatsGoingAway) {
  start_all();
  const auto port = nats_->port();
  nodes_.reset();
  cluster_.reset();
  bus_.reset();
  nats_.reset();
  EXPECT_TRUE(until([&] { return pixels(color::kBad) > 50; }))
      << "it does not say that NATS is lost";
  start_nats(port);
  nodes_ = std::make_unique<Nodes>(nats_->url(), show_);
  EXPECT_TRUE(
      until([&] { return pixels(color::kBad) == 0 && pixels(color::kGood) > kPixelsOfAShow; }));
  EXPECT_FALSE(controller_->exit_status());
}

}  // namespace
}  // namespace submix::ui
