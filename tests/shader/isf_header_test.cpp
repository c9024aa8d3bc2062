// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/isf_header.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <random>
#include <string>

namespace submix::shader {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string shader(std::string_view json) {
  return fmt::format("/*{}*/\nvoid main() {{}}\n", json);
}

std::string why_not(std::string_view text) {
  const auto header = parse_isf(text);
  return header ? "taken" : header.error().message;
}

TEST(IsfHeader, HasInputsPassesAndImports) {
  const auto header = parse_isf(shader(R"json({
    "DESCRIPTION": "a blur", "CREDIT": "somebody",
    "INPUTS": [
      {"NAME": "inputImage", "TYPE": "image"},
      {"NAME": "level", "LABEL": "How much", "TYPE": "float", "DEFAULT": 2, "MIN": 1, "MAX": 4.5},
      {"NAME": "at", "TYPE": "point2D", "DEFAULT": [0.5, 0.25], "MIN": [0, 0], "MAX": [1, 1]}],
    "PASSES": [{"TARGET": "small", "WIDTH": "floor($WIDTH/2.0)", "HEIGHT": 90, "PERSISTENT": true,
                "FLOAT": 1}, {}],
    "IMPORTED": {"mask": {"PATH": "mask.png"}}})json"));
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->description, "a blur");
  ASSERT_EQ(header->inputs.size(), 3U);
  EXPECT_EQ(header->inputs[0].type, InputType::image);
  EXPECT_EQ(header->inputs[1].label, "How much");
  EXPECT_THAT(header->inputs[1].maximum, ElementsAre(4.5));
  EXPECT_THAT(header->inputs[2].initial, ElementsAre(0.5, 0.25));
  ASSERT_EQ(header->passes.size(), 2U);
  EXPECT_EQ(header->passes[0].width, "floor($WIDTH/2.0)");
  EXPECT_EQ(header->passes[0].height, "90");
  EXPECT_TRUE(header->passes[0].is_persistent);
  EXPECT_TRUE(header->passes[0].is_float);
  EXPECT_THAT(header->passes[1].target, IsEmpty());
  ASSERT_EQ(header->imports.size(), 1U);
  EXPECT_EQ(header->imports[0].file, "mask.png");
}

TEST(IsfHeader, WithoutPassesHasOne) {
  const auto header = parse_isf(shader("{}"));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->passes.size(), 1U);
}

TEST(IsfHeader, NamesChoicesByTheirLabels) {
  const auto header = parse_isf(shader(
      R"({"INPUTS": [{"NAME": "a", "TYPE": "long", "VALUES": [0, 5], "LABELS": ["Off", "On"]},
                     {"NAME": "b", "TYPE": "long", "VALUES": [0, 5], "LABELS": ["Same", "Same"]}]})"));
  ASSERT_TRUE(header);
  EXPECT_THAT(header->inputs[0].choices, ElementsAre("Off", "On"));
  EXPECT_THAT(header->inputs[1].choices, ElementsAre("0", "5")) << "labels that differ in nothing";
}

TEST(IsfHeader, OfVersionOneListsItsPersistentBuffers) {
  const auto header = parse_isf(shader(
      R"({"PERSISTENT_BUFFERS": ["kept"], "PASSES": [{"TARGET": "kept"}, {"TARGET": "new"}]})"));
  ASSERT_TRUE(header);
  EXPECT_TRUE(header->passes[0].is_persistent);
  EXPECT_FALSE(header->passes[1].is_persistent);
}

TEST(IsfHeader, IsRefusedWithTheReason) {
  EXPECT_THAT(why_not("void main() {}"), HasSubstr("has no ISF header"));
  EXPECT_THAT(why_not("/* hello */"), HasSubstr("no JSON object"));
  EXPECT_THAT(why_not(shader(R"({"INPUTS": [{"NAME": "a b", "TYPE": "float"}]})")),
              HasSubstr("input \"a b\": is no name"));
  EXPECT_THAT(why_not(shader(R"({"INPUTS": [{"NAME": "a", "TYPE": "cube"}]})")),
              HasSubstr("type \"cube\" is unknown"));
  EXPECT_THAT(why_not(shader(R"({"PASSES": [{"TARGET": "x;y"}]})")), HasSubstr("no name"));
  EXPECT_THAT(why_not(shader(R"({"IMPORTED": {"1": {"PATH": "a.png"}}})")), HasSubstr("no name"));
}

TEST(IsfHeader, HasLimits) {
  std::string inputs;
  for (std::size_t i = 0; i <= kIsfInputsMax; ++i)
    inputs += fmt::format(R"({}{{"NAME": "a{}", "TYPE": "bool"}})", i == 0 ? "" : ",", i);
  EXPECT_THAT(why_not(shader(fmt::format(R"({{"INPUTS": [{}]}})", inputs))), HasSubstr("65 > 64"));
  EXPECT_THAT(why_not(std::string(kIsfBytesMax + 1, ' ')), HasSubstr("bytes >"));
}

TEST(IsfHeader, TakesNumbersOfAnySize) {
  const auto header = parse_isf(
      shader(R"({"INPUTS": [{"NAME": "a", "TYPE": "long", "VALUES": [1e300, -1e300]}]})"));
  ASSERT_TRUE(header);
  EXPECT_THAT(header->inputs[0].choices, ElementsAre("2147483647", "-2147483648"));
}

TEST(IsfHeader, TakesAnyBytes) {
  const auto text =
      shader(R"({"INPUTS": [{"NAME": "a", "TYPE": "long", "VALUES": [1, 2], "LABELS": ["x", 3],
    "DEFAULT": [[1]], "MIN": {}, "MAX": null}], "PASSES": [{"WIDTH": [], "TARGET": 1}], "IMPORTED": [1, {}]})");
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    auto changed = text;
    for (int i = 0; i < 3; ++i)
      changed[random() % changed.size()] = static_cast<char>(random() % 256);
    static_cast<void>(parse_isf(changed));
  }
  for (std::size_t length = 0; length < text.size(); ++length)
    static_cast<void>(parse_isf(text.substr(0, length)));
  SUCCEED() << "nothing threw or read beyond its bytes";
}

}  // namespace
}  // namespace submix::shader
