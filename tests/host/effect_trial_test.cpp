// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/effect_trial.hpp"

#include "tests/host/host_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>

namespace submix::host {
namespace {

using ::testing::HasSubstr;

using std::chrono::milliseconds;

// For deeds that end by themselves: on a busy machine a host may wait for a long time.
constexpr milliseconds kLongPatience(60'000);

class EffectTrialTest : public ::testing::Test {
 protected:
  Result<media::Frame> try_deed(const std::string& deed, milliseconds patience = kLongPatience) {
    EffectTrial trial{.id = "frei0r/deeds",
                      .file = std::filesystem::path(SUBMIX_TEST_PLUGINS) / "deeds.so",
                      .parameters = {{"deed", deed}, {"file", std::string()}, {"level", 0.2}},
                      .frames = 40,
                      .patience = patience};
    return try_effect(bench_.keeper(), trial, bench_.filled(70), bench_.pool());
  }
  [[nodiscard]] bool are_all_gone() {
    return eventually([&] { return bench_.keeper().hosts_alive() == 0; });
  }

  HostBench bench_;
};

TEST_F(EffectTrialTest, MakesThePictureThatTheFilterMakes) {
  const auto picture = try_deed("");
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->rgba()[0], 51) << "its level";
  EXPECT_EQ(picture->rgba()[20], 70) << "the input";
  EXPECT_TRUE(are_all_gone());
}

TEST_F(EffectTrialTest, SaysHowAFilterEnded) {
  const auto crashed = try_deed("abort");
  ASSERT_FALSE(crashed);
  EXPECT_THAT(crashed.error().message, HasSubstr("\"frei0r/deeds\" crashed (SIGABRT"));
  const auto ended = try_deed("exit");
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, HasSubstr("ended by itself"));
  EXPECT_TRUE(are_all_gone());
}

TEST_F(EffectTrialTest, GivesUpAFilterThatHangs) {
  const auto begun = std::chrono::steady_clock::now();
  const auto hung = try_deed("compute", milliseconds(1500));
  const auto took = std::chrono::steady_clock::now() - begun;
  ASSERT_FALSE(hung);
  EXPECT_THAT(hung.error().message, HasSubstr("made no picture within 1500 ms"));
  EXPECT_LT(took, std::chrono::seconds(10));
  EXPECT_TRUE(are_all_gone()) << "and it computes no more";
}

TEST_F(EffectTrialTest, SaysThatAFilterCannotBeMade) {
  const EffectTrial trial{
      .id = "frei0r/none", .file = "/nowhere/none.so", .parameters = {}, .patience = kLongPatience};
  const auto picture = try_effect(bench_.keeper(), trial, bench_.filled(70), bench_.pool());
  ASSERT_FALSE(picture);
  EXPECT_THAT(picture.error().message, HasSubstr("\"frei0r/none\""));
}

TEST_F(EffectTrialTest, RunsAtALowPriority) {
  int nice = 0;
  std::jthread look([&](const std::stop_token& stop) {
    while (!stop.stop_requested() && nice == 0) {
      for (const auto host : HostBench::hosts())
        nice = std::max(nice, ::getpriority(PRIO_PROCESS, static_cast<id_t>(host)));
    }
  });
  static_cast<void>(try_deed("compute", milliseconds(1500)));
  EXPECT_GT(nice, 0);
}

}  // namespace
}  // namespace submix::host
