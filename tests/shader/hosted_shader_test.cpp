// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/effect_trial.hpp"
#include "node/shader/shader_folders.hpp"
#include "tests/host/host_bench.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace submix::shader {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;

/// Shaders in the confined program that a node uses.
class HostedShaderTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / (name + ".fs")) << text;
  }
  void add() { add_shaders(bench_.catalog(), {folder_.path()}); }

  media::Frame run(plugin::Plugin& plugin, std::vector<media::Frame> inputs = {},
                   std::uint64_t index = 0) {
    return bench_.run(plugin, index, inputs);
  }

  testing::TemporaryFolder folder_;
  host::HostBench bench_;
};

constexpr auto* kInverting = R"(/*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"}]}*/
void main() { gl_FragColor = vec4(1.0) - IMG_THIS_PIXEL(inputImage); })";

TEST_F(HostedShaderTest, DrawsInItsConfinedProcess) {
  write("Turn Round", kInverting);
  add();
  const auto plugin = bench_.make("isf/Turn Round");
  ASSERT_TRUE(plugin) << plugin.error().message;
  EXPECT_THAT(run(**plugin, {bench_.filled(55)}).rgba(), Each(200));
  EXPECT_EQ(host::counter(**plugin, "held"), 0U);
}

TEST_F(HostedShaderTest, IsFoundByTheOtherEndingToo) {
  std::ofstream(folder_.path() / "Other Way.frag") << kInverting;
  add();
  const auto plugin = bench_.make("isf/Other Way");
  ASSERT_TRUE(plugin) << plugin.error().message;
  EXPECT_THAT(run(**plugin, {bench_.filled(55)}).rgba(), Each(200));
}

TEST(ShaderFolders, HaveTheMediaFolder) {
  EXPECT_THAT(shader_folders("/a/show"), Contains(std::filesystem::path("/a/show")));
  EXPECT_THAT(shader_folders({}), Each(::testing::Ne(std::filesystem::path())));
}

TEST_F(HostedShaderTest, HasWetAndDry) {
  write("invert", kInverting);
  add();
  const auto plugin = bench_.make("isf/invert", {{"wet", 0.0}});
  ASSERT_TRUE(plugin) << plugin.error().message;
  EXPECT_THAT(run(**plugin, {bench_.filled(55)}).rgba(), Each(55));
}

TEST_F(HostedShaderTest, SaysWhichLineDoesNotCompile) {
  write("wrong", "/*{}*/\nvoid main() { gl_FragColor = nothing; }");
  add();
  const auto plugin = bench_.make("isf/wrong");
  ASSERT_TRUE(plugin);
  run(**plugin);
  EXPECT_TRUE(host::eventually([&] {
    run(**plugin);
    return !(*plugin)->trouble().empty();
  }));
  EXPECT_THAT((*plugin)->trouble(),
              AllOf(HasSubstr("wrong.fs"), HasSubstr("line 2: "), HasSubstr("nothing")));
}

TEST_F(HostedShaderTest, EndlessOnesCostTheirSlotOnly) {
  write("endless", R"(/*{}*/ void main() {
    float sum = 0.0;
    for (int i = 0; i < 2000000000; ++i) sum += sin(float(i) + TIME);
    gl_FragColor = vec4(sum);
  })");
  add();
  const auto plugin = bench_.make("isf/endless");
  ASSERT_TRUE(plugin);
  EXPECT_TRUE(host::eventually([&] {
    run(**plugin);
    return host::counter(**plugin, "hangs") > 0;
  }));
}

TEST_F(HostedShaderTest, RefusesToRunInTheNode) {
  write("invert", kInverting);
  add();
  plugin::Setup setup;
  setup.size = {64, 64};
  setup.hosting = show::Hosting::in_process;
  EXPECT_THAT(why(bench_.catalog().create("isf/invert", setup)),
              HasSubstr("runs in a process of its own only"));
}

TEST_F(HostedShaderTest, IsListedOrRefusedWithItsFile) {
  write("good", kInverting);
  write("bad", "hello");
  add();
  std::vector<std::string> ids;
  for (const auto& description : bench_.catalog().list())
    ids.push_back(description.id);
  EXPECT_THAT(ids, Contains("isf/good"));
  const auto refused = bench_.catalog().describe("isf/bad");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("bad.fs"));
}

TEST_F(HostedShaderTest, IsReadAgainWhenItsFileHasChanged) {
  write("grow", "/*{}*/ void main() { gl_FragColor = vec4(1.0); }");
  add();
  EXPECT_TRUE((*bench_.catalog().describe("isf/grow"))->parameters.empty());
  write("grow", R"(/*{"INPUTS": [{"NAME": "level", "TYPE": "float"}]}*/
    void main() { gl_FragColor = vec4(level); })");
  EXPECT_EQ((*bench_.catalog().describe("isf/grow"))->parameters.size(), 1U);
}

TEST_F(HostedShaderTest, FollowsItsFileWhileItRuns) {
  const auto grey = [](const std::string& value) {
    return "/*{}*/\nvoid main() { gl_FragColor = vec4(" + value + "); }";
  };
  write("live", grey("1.0"));
  add();
  const auto plugin = bench_.make("isf/live").value();
  const auto shows = [&](int value) {
    return host::eventually([&] { return run(*plugin).rgba()[0] == value; });
  };
  ASSERT_TRUE(shows(255));
  write("live", grey("0.2"));
  EXPECT_TRUE(shows(51)) << "the new text";
  write("live", grey("nothing"));
  EXPECT_TRUE(host::eventually([&] {
    run(*plugin);
    return !plugin->trouble().empty();
  }));
  EXPECT_THAT(plugin->trouble(),
              AllOf(HasSubstr("live.fs"), HasSubstr("line 2: "), HasSubstr("goes on")));
  EXPECT_EQ(run(*plugin).rgba()[0], 51) << "the last good shader";
  write("live", grey("0.4"));
  EXPECT_TRUE(shows(102));
  EXPECT_EQ(plugin->trouble(), "");
}

TEST_F(HostedShaderTest, DoesNotTakeAChangeThatReadsOtherPictures) {
  write("live", kInverting);
  add();
  const auto plugin = bench_.make("isf/live").value();
  ASSERT_TRUE(host::eventually([&] { return run(*plugin, {bench_.filled(55)}).rgba()[0] == 200; }));
  write("live", "/*{}*/ void main() { gl_FragColor = vec4(0.0); }");
  EXPECT_TRUE(host::eventually([&] {
    run(*plugin, {bench_.filled(55)});
    return !plugin->trouble().empty();
  }));
  EXPECT_THAT(plugin->trouble(), HasSubstr("reads 0 pictures now, and 1 before"));
  EXPECT_EQ(run(*plugin, {bench_.filled(55)}).rgba()[0], 200);
}

TEST_F(HostedShaderTest, DoesNotTakeAChangeThatKeepsFramesAllAtOnce) {
  write("live", "/*{}*/ void main() { gl_FragColor = vec4(1.0); }");
  add();
  const auto plugin = bench_.make("isf/live").value();
  ASSERT_TRUE(host::eventually([&] { return run(*plugin).rgba()[0] == 255; }));
  write("live", "/*{}*/ void main() { gl_FragColor = vec4(float(FRAMEINDEX) * 0.0); }");
  EXPECT_TRUE(host::eventually([&] {
    run(*plugin);
    return !plugin->trouble().empty();
  }));
  EXPECT_THAT(plugin->trouble(), HasSubstr("whether it keeps frames has changed"));
  EXPECT_EQ(run(*plugin).rgba()[0], 255);
}

TEST_F(HostedShaderTest, CanBeTriedByEye) {
  write("invert", kInverting);
  add();
  const host::EffectTrial trial{.id = "isf/invert",
                                .file = *bench_.catalog().library_of("isf/invert"),
                                .parameters = {},
                                .patience = std::chrono::seconds(30)};
  const auto picture = host::try_effect(bench_.keeper(), trial, bench_.filled(55), bench_.pool());
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_THAT(picture->rgba(), Each(200));
}

}  // namespace
}  // namespace submix::shader
