// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that people can read the colours, and that colour-blind people can tell them apart.
#include "controller/ui/draw/color_scheme.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace submix::ui {
namespace {

struct Rgb {
  double red = 0, green = 0, blue = 0;  // linear light, 0 to 1
};

double linear(int value) {
  const double share = value / 255.0;
  return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
}

Rgb light_of(ImU32 color) {
  const auto channel = [color](int shift) {
    return linear(static_cast<int>((color >> shift) & 0xFFU));
  };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT)};
}

double luminance(const Rgb& light) {
  return 0.2126 * light.red + 0.7152 * light.green + 0.0722 * light.blue;
}

// As the Web Content Accessibility Guidelines 2.1 define it: 1 to 21.
double contrast(ImU32 a, ImU32 b) {
  const auto [low, high] = std::minmax({luminance(light_of(a)), luminance(light_of(b))});
  return (high + 0.05) / (low + 0.05);
}

using Matrix = std::array<std::array<double, 3>, 3>;

// Machado, Oliveira and Fernandes 2009, for people who lack one kind of cones.
constexpr Matrix kProtanopia{{{0.152286, 1.052583, -0.204868},
                              {0.114503, 0.786281, 0.099216},
                              {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeuteranopia{{{0.367322, 0.860646, -0.227968},
                                {0.280085, 0.672501, 0.047413},
                                {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritanopia{{{1.255528, -0.076749, -0.178779},
                              {-0.078411, 0.930809, 0.147602},
                              {0.004733, 0.691367, 0.303900}}};

Rgb seen(const Rgb& light, const Matrix& eye) {
  const auto row = [&](std::size_t i) {
    return std::clamp(eye[i][0] * light.red + eye[i][1] * light.green + eye[i][2] * light.blue, 0.0,
                      1.0);
  };
  return {row(0), row(1), row(2)};
}

// CIELAB, D65: equal distances look about equally different; 10 is clearly visible side by side.
std::array<double, 3> lab_of(const Rgb& light) {
  const auto curve = [](double t) {
    return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0;
  };
  const double x =
      curve((0.4124 * light.red + 0.3576 * light.green + 0.1805 * light.blue) / 0.9505);
  const double y = curve(luminance(light));
  const double z = curve((0.0193 * light.red + 0.1192 * light.green + 0.9505 * light.blue) / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Rgb& a, const Rgb& b) {
  const auto [l, m] = std::pair(lab_of(a), lab_of(b));
  return std::hypot(l[0] - m[0], l[1] - m[1], l[2] - m[2]);
}

struct NamedColor {
  std::string name;
  ImU32 color;
};
std::vector<NamedColor> states_of(const ColorScheme& scheme) {
  return {{"good", scheme.good},       {"warning", scheme.warning}, {"bad", scheme.bad},
          {"waiting", scheme.waiting}, {"held", scheme.held},       {"in preview", scheme.accent}};
}

class PaletteTest : public ::testing::TestWithParam<Theme> {};

// 4.5 is the guidelines' least for text of a normal size.
TEST_P(PaletteTest, HasTextThatCanBeReadOnEachGround) {
  const auto& scheme = scheme_of(GetParam());
  for (const auto ground : {scheme.background, scheme.panel, scheme.card, scheme.chosen}) {
    EXPECT_GE(contrast(scheme.text, ground), 7.0);
    EXPECT_GE(contrast(scheme.dim, ground), 4.5);
  }
  for (const auto ground : {scheme.panel, scheme.card}) {
    EXPECT_GE(contrast(scheme.faint, ground), 4.5);
    EXPECT_GE(contrast(scheme.accent, ground), 4.5);
    for (const auto& state : states_of(scheme))
      EXPECT_GE(contrast(state.color, ground), 4.5) << state.name;
  }
  for (const auto bright : {scheme.warning, scheme.bad, scheme.good, scheme.accent})
    EXPECT_GE(contrast(scheme.on_bright, bright), 4.5);
}

TEST_P(PaletteTest, HasStatesThatTheColourBlindTellApart) {
  const auto states = states_of(scheme_of(GetParam()));
  for (const auto& [eye, matrix] : {std::pair{"protanopia", kProtanopia},
                                    {"deuteranopia", kDeuteranopia},
                                    {"tritanopia", kTritanopia}}) {
    for (std::size_t i = 0; i < states.size(); ++i) {
      for (std::size_t k = i + 1; k < states.size(); ++k) {
        EXPECT_GE(distance(seen(light_of(states[i].color), matrix),
                           seen(light_of(states[k].color), matrix)),
                  10.0)
            << states[i].name << " and " << states[k].name << " with " << eye;
      }
    }
  }
}

// A lit button looked like its neighbours, and in the light window a button like the ground.
TEST_P(PaletteTest, HasButtonsThatStandOutAndShowWhetherTheyAreOn) {
  const auto& scheme = scheme_of(GetParam());
  const auto between = [](ImU32 a, ImU32 b) { return distance(light_of(a), light_of(b)); };
  EXPECT_GE(between(scheme.lit, scheme.track), 20.0);
  EXPECT_GE(between(scheme.track, scheme.background), 5.0);
  EXPECT_GE(between(scheme.track, scheme.panel), 5.0);
  EXPECT_GE(contrast(scheme.text, scheme.lit), 7.0);
}

INSTANTIATE_TEST_SUITE_P(Both, PaletteTest, ::testing::Values(Theme::dark, Theme::light),
                         [](const auto& theme) {
                           return theme.param == Theme::dark ? "Dark" : "Light";
                         });

}  // namespace
}  // namespace submix::ui
