// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/shader_source.hpp"

#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace submix::shader {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TemporaryFolder;

TEST(ShaderSource, TellsTheStylesApart) {
  EXPECT_EQ(read_source("/*{}*/ void main() {}")->style, Style::isf);
  EXPECT_EQ(read_source("void mainImage(out vec4 c, in vec2 p) { c = vec4(1); }")->style,
            Style::shadertoy);
  EXPECT_EQ(read_source("uniform float time; void main() {}")->style, Style::sandbox);
  EXPECT_FALSE(read_source("hello"));
  EXPECT_FALSE(read_source("/*{\"ISFVSN\": \"2\", }*/ void main() {}"))
      << "a header with a mistake";
}

TEST(ShaderSource, NamesTheMistakeInAHeaderThatStatesNoVersion) {
  const auto why_not = [](const std::string& header) {
    const auto source = read_source("/*" + header + "*/ void main() {}");
    return source ? "" : source.error().message;
  };
  EXPECT_THAT(why_not(R"({"INPUTS": [{"NAME": "a", "TYPE": "cube"}]})"),
              HasSubstr("type \"cube\" is unknown"));
  EXPECT_THAT(why_not(R"({"PASSES": [{"TARGET": "x;y"}]})"), HasSubstr("is no name"));
  EXPECT_THAT(why_not(R"({"IMPORTED": {"1": {"PATH": "a.png"}}})"), HasSubstr("is no name"));
  EXPECT_THAT(why_not(R"({"INPUTS": [})"), HasSubstr("no JSON"));
}

TEST(ShaderSource, ReadsThePicturesOfAShadertoy) {
  const auto source =
      read_source("void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel1, p); }");
  EXPECT_THAT(picture_inputs(source->header), ElementsAre("iChannel1"));
}

TEST(ShaderSource, PutsTheStartOfATransitionFirst) {
  const auto source = read_source(R"(/*{"INPUTS": [{"NAME": "endImage", "TYPE": "image"},
    {"NAME": "mask", "TYPE": "image"}, {"NAME": "startImage", "TYPE": "image"}]}*/ void main() {})");
  EXPECT_THAT(picture_inputs(source->header), ElementsAre("startImage", "mask", "endImage"));
}

TEST(ShaderSource, KeepsTheFilesLineNumbers) {
  const auto source = read_source("/*{}*/\n#version 330\nvoid main() {}");
  const auto glsl = glsl_of(*source, "130");
  EXPECT_THAT(glsl.fragment, HasSubstr("#line 0\n/*{}*/\n// 330\nvoid main() {}"));
  EXPECT_THAT(glsl.fragment, Not(HasSubstr("#version 330")));
}

TEST(ShaderSource, HasTheVertexShaderBesideItsFile) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "a.fs") << "/*{}*/ void main() {}";
  EXPECT_EQ(load_source(folder.path() / "a.fs")->vertex, "");
  std::ofstream(folder.path() / "a.vs") << "void main() { isf_vertShaderInit(); }";
  EXPECT_THAT(load_source(folder.path() / "a.fs")->vertex, HasSubstr("isf_vertShaderInit"));
  EXPECT_THAT(why(load_source(folder.path() / "b.fs")), HasSubstr("b.fs: cannot be read"));
}

}  // namespace
}  // namespace submix::shader
