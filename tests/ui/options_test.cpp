// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace submix::ui {
namespace {

std::variant<Options, int> parse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "submix-controller");
  std::vector<char*> argv;
  for (auto& argument : arguments)
    argv.push_back(argument.data());
  return parse_options(static_cast<int>(argv.size()), argv.data());
}

class OptionsTest : public ::testing::Test {
 protected:
  void SetUp() override { TearDown(); }
  void TearDown() override {
    ::unsetenv("SUBMIX_NATS");
    ::unsetenv("SUBMIX_KEY");
  }
};

TEST_F(OptionsTest, NameNoNatsUnlessTold) {
  const auto options = std::get<Options>(parse({}));
  EXPECT_TRUE(options.nats_url.empty());
  EXPECT_TRUE(options.key_file.empty());
}

TEST_F(OptionsTest, TakeNatsAndTheKeyFromTheEnvironmentAsTheOtherProgramsDo) {
  ::setenv("SUBMIX_NATS", "nats://198.18.0.1:4222", 1);
  ::setenv("SUBMIX_KEY", "show.key", 1);
  const auto options = std::get<Options>(parse({}));
  EXPECT_EQ(options.nats_url, "nats://198.18.0.1:4222");
  EXPECT_EQ(options.key_file, "show.key");
  EXPECT_EQ(std::get<Options>(parse({"--nats", "nats://127.0.0.1:1"})).nats_url,
            "nats://127.0.0.1:1");
}

TEST_F(OptionsTest, MeasureForAsLongAsTold) {
  EXPECT_EQ(std::get<Options>(parse({})).measured.count(), 0);
  EXPECT_EQ(std::get<Options>(parse({"--measure", "30"})).measured.count(), 30);
  EXPECT_EQ(std::get<int>(parse({"--measure", "0"})), 2);
}

TEST_F(OptionsTest, RefuseWhatIsNoNumberWithinTheLimits) {
  for (const auto* text : {"nan", "-nan", "inf", "1e300", "x"}) {
    for (const auto* option : {"--scale", "--after"})
      EXPECT_TRUE(std::holds_alternative<int>(parse({option, text}))) << option << ' ' << text;
  }
  EXPECT_EQ(std::get<Options>(parse({"--scale", "1.5"})).scale, 1.5F);
}

TEST_F(OptionsTest, RefuseASizeBeyondTheLimits) {
  EXPECT_EQ(std::get<int>(parse({"--size", "8", "9000"})), 2);
  EXPECT_EQ(std::get<int>(parse({"--frob"})), 2);
}

}  // namespace
}  // namespace submix::ui
