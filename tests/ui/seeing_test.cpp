// SPDX-License-Identifier: GPL-3.0-or-later
// Plots, traces, the wall of pictures and the ledger, with a real mouse.
#include "tests/ui/controller_fixture.hpp"

#include <algorithm>
#include <filesystem>

namespace submix::ui {
namespace {

constexpr Point kFreezeButton{1372, 116};
constexpr int kInButtonRow = 24;  // a column of pixels in the left margin of a page's first button
constexpr int kFieldWidthMin = 250;

/// A part of the screen.
struct Area {
  Point from;
  Point to;
};
constexpr Point kVectorscope{1120, 350};  // its left upper corner
constexpr Area kPlots{{310, 220}, {1410, 840}};

std::vector<std::uint8_t> pixels_in(const media::Rgb24Image& image, const Area& area) {
  std::vector<std::uint8_t> pixels;
  for (int y = area.from.y; y < area.to.y; ++y) {
    const auto row = image.pixels.begin() +
                     (static_cast<std::ptrdiff_t>(y) * image.size.width + area.from.x) * 3;
    pixels.insert(pixels.end(), row, row + (area.to.x - area.from.x) * 3);
  }
  return pixels;
}

bool has_color(const media::Rgb24Image& image, Point at, ImU32 color) {
  const auto i = static_cast<std::size_t>(at.y * image.size.width + at.x) * 3;
  return IM_COL32(image.pixels[i], image.pixels[i + 1], image.pixels[i + 2], 255) == color;
}

/// The centre of the first field in the row at `y`: a run of this colour that is wider than any
/// button.
std::optional<Point> field_at(const media::Rgb24Image& image, int y) {
  int run = 0;
  for (int x = 0; x < image.size.width; ++x) {
    run = has_color(image, {x, y}, color::kTrack) ? run + 1 : 0;
    if (run == kFieldWidthMin) return Point{x - kFieldWidthMin / 2, y};
  }
  return std::nullopt;
}

class SeeingTest : public ControllerWithNodesTest {
 protected:
  void SetUp() override {
    ::setenv("HOME", folder_.path().c_str(), 1);  // default folder of exports
    ControllerTest::SetUp();
  }
  /// The content of the file in the home folder whose name begins with `stem`. Empty while there is
  /// none.
  [[nodiscard]] std::string text_of_file(const std::string& stem) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      const auto name = entry.path().filename().string();
      if (name.starts_with(stem))
        return read_text_file(entry.path(), std::size_t{64} << 20).value_or("");
    }
    return {};
  }
  /// Clicks into the field of the path and presses Enter. The height of lines varies, so it tries
  /// several places.
  void save_by_enter(int y) const {
    for (const int line : {y - 7, y + 7, y - 9, y + 9}) {
      const auto field = field_at(desktop_->screenshot(), line);
      if (!field) continue;
      desktop_->click(*field);
      desktop_->press("Return");
      return;
    }
  }
  static constexpr std::size_t kPixelsOfAPalette = 50'000;

  [[nodiscard]] std::vector<Point> buttons() const {
    return areas_below(desktop_->screenshot(), kInButtonRow, color::kTrack, kButtonHeightMin);
  }
};

TEST_F(SeeingTest, FreezesThePlotsAndLetsThemRunOn) {
  ControllerTest::start_all();
  const auto shown = [&] { return pixels_in(desktop_->screenshot(), kPlots); };
  const auto moves = [&] {
    const auto before = shown();
    std::this_thread::sleep_for(1s);
    return shown() != before;
  };
  desktop_->press("ctrl+7");
  desktop_->move(kFreezeButton);
  ASSERT_TRUE(until(moves)) << "nothing is plotted";
  desktop_->click(kFreezeButton);
  EXPECT_TRUE(until([&] { return !moves(); })) << "it does not stand still";
  desktop_->press("f");
  EXPECT_TRUE(until(moves)) << "it does not run on";
}

TEST_F(SeeingTest, TakesATraceAndSavesIt) {
  start_all();
  desktop_->press("ctrl+8");
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return !buttons().empty(); }));
  const auto button = buttons().front();
  const auto before = pixels(color::kGood);
  desktop_->click(button);
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return pixels(color::kGood) > before + 500; })) << "no lanes";
  save_by_enter(button.y);
  EXPECT_TRUE(
      until([&] { return text_of_file("submix-trace").find("traceEvents") != std::string::npos; }));
}

TEST_F(SeeingTest, ShowsTheScopesOfAPictureByAKey) {
  start_all();
  desktop_->press("F8");
  const auto black_pixels = [&] {  // where the vectorscope is: the ground, and what is on it
    const auto image = desktop_->screenshot();
    const auto is_black = [](const std::uint8_t* rgb) { return rgb[0] + rgb[1] + rgb[2] == 0; };
    return count_pixels(image, kVectorscope, {300, 300}, is_black);
  };
  EXPECT_TRUE(until([&] { return black_pixels() < 30'000; })) << "pictures";
  desktop_->press("ctrl+shift+m");
  EXPECT_TRUE(until([&] {
    const auto black = black_pixels();
    return black > 60'000 && black < 90'000;
  })) << "no scopes, or nothing on them: "
      << black_pixels();
  desktop_->press("ctrl+shift+m");
  EXPECT_TRUE(until([&] { return black_pixels() < 30'000; }));
}

TEST_F(SeeingTest, ChoosesAPictureOfTheWallAndFillsTheWindowWithIt) {
  start_all();
  desktop_->press("F8");
  desktop_->move({kScreen.width / 2, 4});
  std::vector<Point> choices;  // below the pictures, a menu for each row
  ASSERT_TRUE(until([&] {
    choices = areas_below(desktop_->screenshot(), kInButtonRow, color::kTrack, kButtonHeightMin);
    return choices.size() >= 2;
  }));
  const auto choice = choices[choices.size() - 2];
  const auto chosen_row = [&]() -> std::optional<Point> {
    const auto rows =
        areas_below(desktop_->screenshot(), kInButtonRow, color::kChosen, kButtonHeightMin);
    return rows.empty() ? std::nullopt : std::optional(rows.front());
  };
  desktop_->click(choice);
  ASSERT_TRUE(until([&] { return chosen_row().has_value(); })) << "no list";
  const auto first = *chosen_row();
  desktop_->click({first.x, first.y + 60});
  ASSERT_TRUE(until([&] { return !chosen_row(); })) << "the list stays open";
  desktop_->click(choice);
  EXPECT_TRUE(until([&] { return chosen_row() && chosen_row()->y > first.y + 30; }))
      << "the same one is chosen";
  desktop_->press("Escape");
  const auto panel_pixels = pixels(color::kPanel);
  EXPECT_TRUE(double_click_until({choice.x + 60, choice.y - 60}, [&] {
    return pixels(color::kPanel) < panel_pixels / 10;
  })) << "it does not fill the window";
  desktop_->press("Escape");
  EXPECT_TRUE(until([&] { return pixels(color::kPanel) > panel_pixels / 2; })) << "it stays";
}

TEST_F(SeeingTest, OpensThePaletteOverAPictureThatFillsTheWindow) {
  ControllerTest::start_all();
  desktop_->press("F8");
  desktop_->move({kScreen.width / 2, 4});
  ASSERT_TRUE(until([&] { return !buttons().empty(); })) << "no wall";
  const auto panel_pixels = pixels(color::kPanel);
  ASSERT_TRUE(double_click_until({kScreen.width / 4, kScreen.height / 3}, [&] {
    return pixels(color::kPanel) < panel_pixels / 10;
  })) << "no large picture";
  desktop_->press("ctrl+k");
  EXPECT_TRUE(until([&] { return pixels(color::kCardHovered) > kPixelsOfAPalette; }))
      << "no palette";
  desktop_->type("pause or resume");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return transport().is_paused; })) << "the palette does not have the keys";
  EXPECT_TRUE(until([&] { return pixels(color::kCardHovered) < kPixelsOfAPalette / 2; }))
      << "it stays";
  desktop_->press("ctrl+space");
  EXPECT_TRUE(until([&] { return !transport().is_paused; })) << "the picture does not hear keys";
}

TEST_F(SeeingTest, WritesTheLedgerToAFile) {
  ControllerTest::start_all();
  desktop_->press("ctrl+k");
  desktop_->type("ledger");
  desktop_->press("Return");
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return field_at(desktop_->screenshot(), 141).has_value(); }))
      << "no field";
  save_by_enter(148);
  EXPECT_TRUE(
      until([&] { return text_of_file("submix-ledger").starts_with("edge,kind,produced"); }));
}

}  // namespace
}  // namespace submix::ui
