// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/scope.hpp"
#include "common/base/allocation_count.hpp"
#include "node/plugin/built_ins.hpp"
#include "node/plugin/scope_painter.hpp"
#include "tests/plugin/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace submix::plugin {
namespace {

using ::testing::ElementsAre;
using Pixel = std::vector<int>;

constexpr std::array kScopeKinds{"waveform", "parade", "vectorscope", "histogram"};

class ScopeFilterTest : public ::testing::Test {
 protected:
  /// A picture with a colour for each place.
  template <typename ColorAt>
  media::Frame picture(Bench& bench, ColorAt color_at) {
    auto writable = *bench.pool().try_acquire();
    DrawingSurface surface(writable.rgba(), writable.size());
    for (int y = 0; y < surface.size().height; ++y) {
      for (int x = 0; x < surface.size().width; ++x)
        surface.put(x, y, color_at(x, y));
    }
    return std::move(writable).publish();
  }
  media::Frame ramp() {
    return picture(bench_, [](int x, int) {
      const auto grey = static_cast<std::uint8_t>(x);
      return Color{grey, grey, grey};
    });
  }
  media::Frame scope(const media::Frame& input, show::Parameters parameters) {
    const auto plugin = bench_.make("scope", std::move(parameters)).value();
    return bench_.run(*plugin, 0, {input});
  }
  static Pixel pixel(const media::Frame& frame, int x, int y) {
    const auto at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(frame.size().width) +
                     static_cast<std::size_t>(x)) *
                    4;
    const auto bytes = frame.rgba().subspan(at, 4);
    return {bytes.begin(), bytes.end()};
  }

  Bench bench_{Size{256, 256}};
};

TEST_F(ScopeFilterTest, WaveformOfAGreyRampIsADiagonal) {
  const auto frame = scope(ramp(), {});
  for (const int x : {0, 1, 100, 200, 255})
    EXPECT_THAT(pixel(frame, x, 255 - x), ElementsAre(255, 255, 255, 255)) << x;
  EXPECT_THAT(pixel(frame, 100, 157), ElementsAre(0, 0, 0, 255));
  EXPECT_THAT(pixel(frame, 200, 157), ElementsAre(0, 0, 0, 255));
}

TEST_F(ScopeFilterTest, WaveformHasLinesOfBlackOfWhiteAndOfThreeStepsBetween) {
  const auto frame = scope(bench_.filled(90, 90, 90), {});
  for (const int y : {0, 63, 127, 191, 255})
    EXPECT_THAT(pixel(frame, 10, y), ElementsAre(48, 48, 48, 255)) << y;
  EXPECT_THAT(pixel(frame, 10, 255 - 90), ElementsAre(255, 255, 255, 255));
}

TEST_F(ScopeFilterTest, ParadeHasAWaveformOfEachColour) {
  Bench bench(Size{255, 256});  // 85 columns for each colour
  const auto plugin = bench.make("scope", {{"kind", std::string("parade")}}).value();
  const auto frame = bench.run(*plugin, 0, {bench.filled(200, 100, 30)});
  EXPECT_THAT(pixel(frame, 10, 255 - 200), ElementsAre(255, 72, 72, 255));
  EXPECT_THAT(pixel(frame, 100, 255 - 100), ElementsAre(72, 255, 72, 255));
  EXPECT_THAT(pixel(frame, 200, 255 - 30), ElementsAre(88, 120, 255, 255));
  EXPECT_THAT(pixel(frame, 10, 255 - 100), ElementsAre(0, 0, 0, 255));
}

TEST_F(ScopeFilterTest, VectorscopeHasEachBarOfATestPictureWithinItsTarget) {
  for (const auto& [name, rgb] : media::kColorTargets) {
    const auto part = [](float level) { return static_cast<std::uint8_t>(level * 255); };
    const auto frame = scope(bench_.filled(part(rgb[0]), part(rgb[1]), part(rgb[2])),
                             {{"kind", std::string("vectorscope")}});
    const auto [part_x, part_y] = media::place_in_vectorscope(rgb);
    const int x = static_cast<int>(std::lround(part_x * 255));
    const int y = static_cast<int>(std::lround(part_y * 255));
    std::size_t lit = 0;
    for (int row = y - 1; row <= y + 1; ++row) {
      for (int column = x - 1; column <= x + 1; ++column)
        lit += pixel(frame, column, row) != Pixel{0, 0, 0, 255} ? 1U : 0U;
    }
    EXPECT_EQ(lit, 1U) << name;
    EXPECT_THAT(pixel(frame, x + 4, y), ElementsAre(162, 169, 181, 255)) << "box of " << name;
  }
}

TEST_F(ScopeFilterTest, VectorscopeHasPureRedAtTheUpperEdge) {
  const auto frame = scope(bench_.filled(255, 0, 0), {{"kind", std::string("vectorscope")}});
  EXPECT_THAT(pixel(frame, 98, 0), ElementsAre(255, 70, 70, 255));
}

TEST_F(ScopeFilterTest, VectorscopeIsASquareInTheMiddle) {
  Bench wide(Size{64, 32});
  const auto plugin = wide.make("scope", {{"kind", std::string("vectorscope")}}).value();
  const auto frame = wide.run(*plugin, 0, {wide.filled(255, 255, 255)});
  EXPECT_THAT(pixel(frame, 16 + 16, 16), ElementsAre(255, 255, 255, 255));
  EXPECT_THAT(pixel(frame, 15, 15), ElementsAre(0, 0, 0, 255)) << "the line ends at the square";
  EXPECT_THAT(pixel(frame, 16, 15), ElementsAre(48, 48, 48, 255));
}

TEST_F(ScopeFilterTest, VectorscopeInACornerTakesASquareOfThePicture) {
  Bench wide(Size{128, 64});
  const auto plugin = wide.make("scope", {{"kind", std::string("vectorscope")},
                                          {"place", std::string("top-left")},
                                          {"size", 0.5}})
                          .value();
  const auto frame = wide.run(*plugin, 0, {wide.filled(255, 255, 255)});
  EXPECT_THAT(pixel(frame, 31, 31), ElementsAre(0, 0, 0, 255));
  EXPECT_THAT(pixel(frame, 32, 31), ElementsAre(255, 255, 255, 255)) << "the picture";
  EXPECT_THAT(pixel(frame, 31, 32), ElementsAre(255, 255, 255, 255));
}

TEST_F(ScopeFilterTest, HistogramOfBlackAndWhiteHasABarAtEachEnd) {
  const auto black_and_white = picture(bench_, [](int x, int) {
    const std::uint8_t grey = x < 128 ? 0 : 255;
    return Color{grey, grey, grey};
  });
  const auto frame = scope(black_and_white, {{"kind", std::string("histogram")}});
  for (const int x : {0, 255}) {
    EXPECT_THAT(pixel(frame, x, 0), ElementsAre(220, 220, 220, 255));
    EXPECT_THAT(pixel(frame, x, 255), ElementsAre(220, 220, 220, 255));
  }
  for (const int x : {1, 128, 254})
    EXPECT_THAT(pixel(frame, x, 255), ElementsAre(0, 0, 0, 255)) << x;
}

TEST_F(ScopeFilterTest, HistogramHasBarsAsHighAsTheyCount) {
  const auto three_to_one =
      picture(bench_, [](int x, int) { return x < 192 ? Color{50, 0, 0} : Color{100, 0, 0}; });
  const auto frame = scope(three_to_one, {{"kind", std::string("histogram")}});
  EXPECT_THAT(pixel(frame, 50, 0), ElementsAre(220, 0, 0, 255)) << "the highest fills the height";
  EXPECT_THAT(pixel(frame, 100, 169), ElementsAre(0, 0, 0, 255));
  EXPECT_THAT(pixel(frame, 100, 170), ElementsAre(220, 0, 0, 255)) << "a third: 86 rows";
}

TEST_F(ScopeFilterTest, LeavesWhatIsBesideACornerByteForByte) {
  const auto input = bench_.noise(5);
  for (const auto* kind : kScopeKinds) {
    const auto frame = scope(input, {{"kind", std::string(kind)},
                                     {"place", std::string("bottom-right")},
                                     {"size", 0.25},
                                     {"opacity", 0.5}});
    std::size_t changed = 0;
    for (int y = 0; y < 256; ++y) {
      for (int x = 0; x < 256; ++x) {
        if (pixel(frame, x, y) == pixel(input, x, y)) continue;
        ++changed;
        ASSERT_TRUE(x >= 192 && y >= 192) << kind << " at " << x << ", " << y;
      }
    }
    EXPECT_GT(changed, 64U * 64 * 9 / 10) << kind;
  }
}

TEST_F(ScopeFilterTest, StandsInTheCornerThatIsSaid) {
  const auto input = bench_.filled(255, 255, 255);
  const auto blacks = [&](const std::string& place) {
    const auto frame = scope(input, {{"place", place}, {"size", 0.1}});
    std::vector<bool> black;
    for (const auto& [x, y] : {std::pair{20, 20}, {235, 20}, {20, 235}, {235, 235}})
      black.push_back(pixel(frame, x, y) == Pixel{0, 0, 0, 255});
    return black;
  };
  EXPECT_THAT(blacks("top-left"), ElementsAre(true, false, false, false));
  EXPECT_THAT(blacks("top-right"), ElementsAre(false, true, false, false));
  EXPECT_THAT(blacks("bottom-left"), ElementsAre(false, false, true, false));
  EXPECT_THAT(blacks("bottom-right"), ElementsAre(false, false, false, true));
}

TEST_F(ScopeFilterTest, LetsThePictureThroughItsGroundButNotThroughItsTrace) {
  const auto input = bench_.filled(200, 100, 40);  // a luma of 117
  const auto half = scope(input, {{"opacity", 0.5}});
  EXPECT_THAT(pixel(half, 10, 10), ElementsAre(100, 50, 20, 255));
  EXPECT_THAT(pixel(half, 10, 255 - 117), ElementsAre(255, 255, 255, 255));
  const auto none = scope(input, {{"opacity", 0.0}});
  EXPECT_THAT(pixel(none, 10, 10), ElementsAre(200, 100, 40, 255));
}

TEST_F(ScopeFilterTest, CountsATransparentPixelByItsColourAndCoversIt) {
  const auto clear = bench_.filled(200, 200, 200, 0);
  EXPECT_THAT(pixel(scope(clear, {}), 10, 255 - 200), ElementsAre(255, 255, 255, 255));
  EXPECT_EQ(pixel(scope(clear, {}), 10, 10)[3], 255);
  const auto half = scope(clear, {{"opacity", 0.5}});
  EXPECT_THAT(pixel(half, 10, 10), ElementsAre(0, 0, 0, 127)) << "the ground alone";
  const auto seen = bench_.filled(200, 200, 200, 100);
  EXPECT_THAT(pixel(scope(seen, {{"opacity", 0.0}}), 10, 10), ElementsAre(200, 200, 200, 100));
}

TEST_F(ScopeFilterTest, FollowsItsBrightness) {
  const auto dim = scope(bench_.filled(90, 90, 90), {{"brightness", 0.5}});
  EXPECT_THAT(pixel(dim, 10, 255 - 90), ElementsAre(128, 128, 128, 255));
  const auto off = scope(bench_.noise(1), {{"brightness", 0.0}});
  EXPECT_THAT(pixel(off, 10, 10), ElementsAre(0, 0, 0, 255));
}

TEST_F(ScopeFilterTest, RemembersNoFrame) {
  const auto first = bench_.noise(1);
  const auto second = bench_.noise(2);
  for (const auto* kind : kScopeKinds) {
    const show::Parameters parameters{{"kind", std::string(kind)}};
    const auto plugin = bench_.make("scope", parameters).value();
    bench_.run(*plugin, 0, {first});
    EXPECT_EQ(bytes_of(bench_.run(*plugin, 1, {second})), bytes_of(scope(second, parameters)))
        << kind;
  }
}

TEST_F(ScopeFilterTest, DrawsTheSameIntoAnInputThatItMayTake) {
  const auto parameters = [](const char* kind) {
    return show::Parameters{{"kind", std::string(kind)}, {"opacity", 0.5}};
  };
  for (const auto* kind : kScopeKinds) {
    const auto wanted = bytes_of(scope(bench_.noise(7), parameters(kind)));
    const auto plugin = bench_.make("scope", parameters(kind)).value();
    EXPECT_EQ(bytes_of(bench_.run_on(*plugin, bench_.noise(7))), wanted) << kind;
  }
}

TEST_F(ScopeFilterTest, AllocatesNothingForAFrameWhateverIsSet) {
  if (!can_count_allocations()) GTEST_SKIP() << "a sanitizer counts in our place";
  const auto input = bench_.noise(1);
  const auto plugin = bench_.make("scope", {}).value();
  for (const auto* kind : kScopeKinds) {
    for (const auto* place : {"whole", "top-left"}) {
      plugin->set("kind", std::string(kind));
      plugin->set("place", std::string(place));
      plugin->set("size", 1.0);
      for (const double opacity : {1.0, 0.5}) {
        plugin->set("opacity", opacity);
        const auto before = thread_allocation_count();
        bench_.run_on(*plugin, input);
        EXPECT_EQ(thread_allocation_count(), before) << kind << " " << place << " " << opacity;
      }
    }
  }
}

TEST(ScopePainter, FitsPicturesAndPlacesOfAnySize) {
  constexpr std::array kAll{ScopeKind::waveform, ScopeKind::parade, ScopeKind::vectorscope,
                            ScopeKind::histogram};
  for (const Size size : {Size{16, 16}, Size{17, 255}, Size{333, 37}, Size{8'192, 16},
                          Size{1'921, 1'083}, Size{7'680, 4'320}}) {
    ScopePainter painter(size);
    std::vector<std::uint8_t> rgba(size.pixels() * 4, 150);
    DrawingSurface surface(rgba, size);
    for (const auto kind : kAll) {
      for (const auto& place :
           {Rectangle{0, 0, size.width, size.height},
            Rectangle{size.width - 1, size.height - 1, 1, 1}, Rectangle{3, 2, 11, 14}}) {
        const auto last = rgba.size() - 4;
        rgba[last] = 150;
        painter.measure(rgba, place, {.kind = kind, .brightness = 0, .opacity = 1});
        painter.draw(surface);
        EXPECT_EQ(rgba[last] == 150, place.x == 3) << size.width << "x" << size.height;
      }
    }
  }
}

TEST(ScopeFilter, MayHaveHelpersAndIsSeenInPart) {
  const auto description = scope_description();
  EXPECT_EQ(description.memory, Memory::none);
  EXPECT_EQ(description.find_parameter("kind")->choices.size(), kScopeKinds.size());
  Bench bench;
  const auto input = bench.noise(1);
  const auto plugin = bench.make("scope", {{"wet", 0.0}}).value();
  EXPECT_EQ(bytes_of(bench.run(*plugin, 0, {input})), bytes_of(input));
}

}  // namespace
}  // namespace submix::plugin
