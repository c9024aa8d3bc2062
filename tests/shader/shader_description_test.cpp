// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/shader_description.hpp"

#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>
#include <variant>
#include <vector>

namespace submix::shader {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ShaderSource with_inputs(std::string_view inputs, std::string_view code = "void main() {}") {
  return *read_source(fmt::format("/*{{\"INPUTS\": [{}]}}*/ {}", inputs, code));
}

TEST(ShaderDescription, HasAKindByTheNumberOfPictures) {
  const std::string image = R"({"NAME": "a", "TYPE": "image"})";
  EXPECT_EQ(describe(with_inputs(""), "isf/x")->kind, plugin::Kind::source);
  EXPECT_EQ(describe(with_inputs(image), "isf/x")->kind, plugin::Kind::filter);
  EXPECT_EQ(describe(with_inputs(image + "," + image), "isf/x")->kind, plugin::Kind::mixer2);
  const auto four = describe(with_inputs(image + "," + image + "," + image + "," + image), "isf/x");
  EXPECT_THAT(why(four), HasSubstr("wants 4 pictures > 3"));
}

TEST(ShaderDescription, HasAParameterForEachInput) {
  const auto source = with_inputs(R"(
    {"NAME": "flash", "TYPE": "event"},
    {"NAME": "level", "LABEL": "Level", "TYPE": "float", "DEFAULT": 9, "MIN": -1, "MAX": 5},
    {"NAME": "mode", "TYPE": "long", "VALUES": [3, 7], "LABELS": ["Soft", "Hard"], "DEFAULT": 7},
    {"NAME": "at", "TYPE": "point2D", "DEFAULT": [0, 4], "MIN": [-1, 0], "MAX": [1, 8]},
    {"NAME": "tint", "TYPE": "color", "DEFAULT": [0.1, 0.2, 0.3, 1]},
    {"NAME": "wave", "TYPE": "audio"},
    {"NAME": "sound", "TYPE": "audioFFT"})");
  const auto description = describe(source, "isf/x");
  ASSERT_TRUE(description);
  ASSERT_EQ(description->parameters.size(), 9U);
  for (const auto* of_sound : {"wave", "sound_bass", "sound_mids", "sound_highs"}) {
    const auto* loudness = description->find_parameter(of_sound);
    ASSERT_NE(loudness, nullptr) << of_sound;
    EXPECT_EQ(std::get<double>(loudness->initial), 0) << of_sound;
    EXPECT_EQ(loudness->maximum, 1) << of_sound;
  }
  EXPECT_EQ(description->parameters[0].type, plugin::ParameterType::boolean);
  const auto* level = description->find_parameter("level");
  EXPECT_EQ(level->explanation, "Level");
  EXPECT_EQ(std::get<double>(level->initial), 5) << "within its limits";
  EXPECT_EQ(std::get<std::string>(description->find_parameter("mode")->initial), "Hard");
  EXPECT_THAT(std::get<std::vector<double>>(description->find_parameter("at")->initial),
              ElementsAre(0.5, 0.5));
  EXPECT_THAT(std::get<std::vector<double>>(description->find_parameter("tint")->initial),
              ElementsAre(0.1, 0.2, 0.3));
}

TEST(ShaderDescription, KnowsWhatKeepsFrames) {
  EXPECT_EQ(describe(with_inputs(""), "isf/x")->memory, plugin::Memory::none);
  EXPECT_EQ(
      describe(with_inputs("", "void main() { float a = float(FRAMEINDEX); }"), "isf/x")->memory,
      plugin::Memory::frames);
  const auto kept =
      read_source(R"(/*{"PASSES": [{"TARGET": "a", "PERSISTENT": true}]}*/ void main() {})");
  EXPECT_EQ(describe(*kept, "isf/x")->memory, plugin::Memory::frames);
}

TEST(UniformOf, GivesShadersTheirOwnNumbers) {
  const Size size{640, 360};
  const IsfInput limited{
      .name = "a", .type = InputType::point, .minimum = {-1, 0}, .maximum = {1, 8}};
  EXPECT_THAT(uniform_of(limited, std::vector<double>{0.75, 0.5}, size), ElementsAre(0.5, 4, 0, 1));
  const IsfInput in_pixels{.name = "a", .type = InputType::point};
  EXPECT_THAT(uniform_of(in_pixels, std::vector<double>{0.5, 1}, size),
              ElementsAre(320, 360, 0, 1));
  const IsfInput choice{
      .name = "a", .type = InputType::choice, .values = {3, 7}, .choices = {"Soft", "Hard"}};
  EXPECT_EQ(uniform_of(choice, std::string("Hard"), size)[0], 7);
  const IsfInput color{.name = "a", .type = InputType::color};
  EXPECT_THAT(uniform_of(color, std::vector<double>{1, 0, 0.5}, size), ElementsAre(1, 0, 0.5, 1));
}

}  // namespace
}  // namespace submix::shader
